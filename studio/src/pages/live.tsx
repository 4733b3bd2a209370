/** A small VAE that learns in this tab, with its traversals changing as it does. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunRow } from '../../../src/studio/runs.ts';
import { api, type MethodFacts } from '../api.ts';
import { LineChart } from '../chart.tsx';
import { numberText } from '../format.ts';
import { type ImageFacts, imageFacts } from '../image.ts';
import {
  type FromWorker,
  type LiveData,
  type LivePicture,
  reconstructed,
  stripLength,
  type ToWorker,
} from '../live-protocol.ts';
import { drawShapes } from '../live-shapes.ts';
import { asError } from '../said.tsx';
import { runs } from '../state.ts';
import { Strip } from '../strip.tsx';
import { Head, Section, Trouble, useLoaded, Waiting } from '../ui.tsx';

const made = 'shapes, drawn in this page';
const [seed, itemCount] = [1, 3000];

/** Settings that suit small pictures and little time, as they stand in the field at first. */
const starts: Record<string, string> = {
  'beta-vae': 'latents=6 beta=1.5',
  'factor-vae': 'latents=6 discriminatorWidth=200 discriminatorRate=0.001',
  'parted-vae': 'latents=4 classLatents=2 capacityZ=7 capacityU=7',
  'joint-vae': 'latents=6 classes=3 capacityZ=5 capacityC=1',
  cgan: 'latents=8',
  'ac-gan': 'latents=8',
};
export type LiveMethod = Pick<MethodFacts, 'name' | 'title' | 'needs'>;

const startOf = ({ name, needs }: LiveMethod) => starts[name] ?? (needs === 'data' ? 'latents=6' : '');

interface Curve {
  step: number;
  terms: Record<string, number>;
}

export function LivePage() {
  const loaded = useLoaded(() => api.methods(), 'methods');
  if (!loaded) return <Waiting what="Asking for the methods …" />;
  if ('error' in loaded) return <Trouble error={loaded.error} />;
  return (
    <>
      <Head
        title="Live in the browser"
        about="The training graph that the command line runs, differentiated and run here, in this tab. Nothing is kept when you leave."
      />
      <Live methods={loaded.value} runs={runs.value ?? []} runtime={new URL('ort/', document.baseURI).href} />
    </>
  );
}

interface LiveProps {
  methods: readonly LiveMethod[];
  /** Runs whose data can be learned from, beside what is drawn in the page. */
  runs: readonly RunRow[];
  /** Where the runtime's files lie. */
  runtime: string;
}

/** The choice of a method and of data, and the training of it; also a figure of the site. */
export function Live({ methods, runs, runtime }: LiveProps) {
  const worker = useRef<Worker | undefined>(undefined);
  const [name, setName] = useState('beta-vae');
  const method = methods.find((one) => one.name === name) ?? methods[0];
  const [source, setSource] = useState(made);
  const [settings, setSettings] = useState<Record<string, string>>({});
  const typed = settings[method.name] ?? startOf(method);
  const [numbers, setNumbers] = useState<Record<string, number>>({});
  const [state, setState] = useState<'idle' | 'opening' | 'running' | 'paused'>('idle');
  const [curve, setCurve] = useState<Curve[]>([]);
  const [rate, setRate] = useState(0);
  const [picture, setPicture] = useState<LivePicture>();
  const [facts, setFacts] = useState<ImageFacts>();
  const [error, setError] = useState<Error>();
  useEffect(() => () => worker.current?.terminate(), []);

  const send = (message: ToWorker) => worker.current?.postMessage(message);
  const hear = (message: FromWorker) => {
    if (message.kind === 'steps') {
      setState((now) => (now === 'opening' ? 'running' : now));
      setRate(message.rate);
      setNumbers(message.numbers);
      setCurve((now) => thinned([...now, ...message.lines]));
    } else if (message.kind === 'picture') setPicture(message);
    else {
      setError(new Error(message.sentence));
      setState('idle');
    }
  };
  const start = async () => {
    setError(undefined);
    setState('opening');
    setCurve([]);
    setPicture(undefined);
    worker.current?.terminate();
    try {
      const data = await dataOf(source);
      setFacts(data.facts);
      setNumbers({});
      const fresh = new Worker(new URL('../live-worker.ts', import.meta.url), { type: 'module' });
      fresh.addEventListener('message', ({ data: message }: MessageEvent<FromWorker>) => hear(message));
      fresh.addEventListener('error', (event) =>
        hear({ kind: 'failed', sentence: event.message || 'The worker could not start.' }),
      );
      worker.current = fresh;
      const set = typed.split(/\s+/).filter((one) => one !== '');
      send({ kind: 'start', method: method.name, data, set, seed, runtime });
    } catch (thrown) {
      setError(asError(thrown));
      setState('idle');
    }
  };
  const stop = () => {
    worker.current?.terminate();
    setState('idle');
  };
  const move = (moved: string, value: number) => {
    setNumbers((now) => ({ ...now, [moved]: value }));
    send({ kind: 'number', name: moved, value });
  };
  const isOn = state !== 'idle';
  const sources = [made, ...runs.filter(({ files }) => files.model).map((run) => run.name)];

  return (
    <>
      <form class="live-controls" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>Method</span>
          <select value={method.name} disabled={isOn} onChange={(event) => setName(event.currentTarget.value)}>
            {methods.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Data</span>
          <select value={source} disabled={isOn} onChange={(event) => setSource(event.currentTarget.value)}>
            {sources.map((one) => (
              <option key={one} value={one}>
                {one === made ? one : `data of ${one}`}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Settings</span>
          <input
            type="text"
            value={typed}
            placeholder="option=value …"
            disabled={isOn}
            onInput={(event) => setSettings({ ...settings, [method.name]: event.currentTarget.value })}
          />
        </label>
        {isOn && <Knobs key={method.name} numbers={numbers} onMove={move} />}
        <div class="row">
          {!isOn && (
            <button type="button" class="main" onClick={start}>
              Train
            </button>
          )}
          {state === 'running' && (
            <button
              type="button"
              onClick={() => {
                send({ kind: 'pause' });
                setState('paused');
              }}
            >
              Pause
            </button>
          )}
          {state === 'paused' && (
            <button
              type="button"
              class="main"
              onClick={() => {
                send({ kind: 'go' });
                setState('running');
              }}
            >
              Go on
            </button>
          )}
          {isOn && (
            <button type="button" onClick={stop}>
              Stop
            </button>
          )}
        </div>
      </form>
      {error && <Trouble error={error} />}
      <p class="small soft number" role="status">
        {sentenceOf(state, curve, rate)}
      </p>
      {picture && facts && (
        <div class="live-results">
          <Traversals picture={picture} facts={facts} />
          <div>
            <Section title="Reconstructions">
              <div class="pair">
                <Strip items={picture.given} facts={facts} columns={reconstructed} label="Items" />
                {picture.reconstructions && (
                  <Strip
                    items={picture.reconstructions}
                    facts={facts}
                    columns={reconstructed}
                    label="Their reconstructions"
                  />
                )}
              </div>
            </Section>
            <Section title="Loss">
              <Loss curve={curve} />
            </Section>
          </div>
        </div>
      )}
    </>
  );
}

/** A slider for each number that can be moved while the method learns, from 0 to four times where it began. */
function Knobs({
  numbers,
  onMove,
}: {
  numbers: Record<string, number>;
  onMove: (name: string, value: number) => void;
}) {
  const most = useRef<Record<string, number>>({});
  return Object.entries(numbers).map(([name, value]) => {
    most.current[name] ??= value > 0 ? 4 * value : 10;
    const top = most.current[name];
    return (
      <label key={name} class="field">
        <span>
          {name}: <span class="number">{numberText(value)}</span>
        </span>
        <input
          type="range"
          min="0"
          max={top}
          step={top / 80}
          value={value}
          onInput={(event) => onMove(name, Number(event.currentTarget.value))}
        />
      </label>
    );
  });
}

function sentenceOf(state: string, curve: readonly Curve[], rate: number): string {
  if (state === 'opening') return 'Writing and opening the graph …';
  const last = curve[curve.length - 1];
  if (!last) return 'It takes seconds until the first forms appear, and a minute or two until dimensions part.';
  const terms = Object.entries(last.terms).map(([name, value]) => `${name} ${numberText(value)}`);
  return `Step ${numberText(last.step)}, ${state === 'running' ? `${numberText(rate)} steps a second` : state === 'paused' ? 'paused' : 'stopped'}: ${terms.join(', ')}`;
}

/** A strip for each dimension, those first that carry most. */
function Traversals({ picture: { dimensions }, facts }: { picture: LivePicture; facts: ImageFacts }) {
  const most = Math.max(...dimensions.map(({ kl }) => kl), 1e-9);
  return (
    <Section title="What each dimension does">
      {[...dimensions]
        .sort((a, b) => b.kl - a.kl)
        .map(({ name, kl, items }) => (
          <div key={name} class="live-row">
            <span class="small">{name}</span>
            <Strip items={items} facts={facts} columns={stripLength} label={`Traversal of ${name}`} />
            <span class="kl" title={`KL ${numberText(kl)} nats`}>
              <span style={{ width: `${(100 * kl) / most}%` }} />
            </span>
          </div>
        ))}
    </Section>
  );
}

function Loss({ curve }: { curve: readonly Curve[] }) {
  const x = curve.map(({ step }) => step);
  const names = Object.keys(curve[0]?.terms ?? {}).filter((name) => name.endsWith('loss') || name === 'reconstruction');
  return (
    <LineChart
      label="Loss over the steps"
      height={200}
      smoothing={0.8}
      series={names.map((name, colour) => ({ name, x, y: curve.map(({ terms }) => terms[name]), colour }))}
    />
  );
}

/** A long curve keeps every second point. */
function thinned(curve: Curve[]): Curve[] {
  return curve.length > 1500 ? curve.filter((_, i) => i % 2 === 1) : curve;
}

async function dataOf(source: string): Promise<LiveData> {
  if (source === made) return drawShapes(itemCount, seed);
  const [{ model, background }, { values: items }, { labels }] = await Promise.all([
    api.run(source),
    api.items(source, 'test', 0, itemCount),
    api.labels(source, 'test', 0, itemCount),
  ]);
  const facts = model && imageFacts(model.data);
  if (!facts) throw new Error('This page shows images only; the run’s data is a table.');
  return {
    items,
    facts,
    background: background ? (await api.items(source, 'background', 0, itemCount)).values : undefined,
    labels: labels && { ...labels, values: labels.values.slice(0, items.length) },
  };
}
