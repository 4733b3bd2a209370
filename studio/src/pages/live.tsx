/** A small VAE that learns in this tab, with its traversals changing as it does. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api.ts';
import { LineChart } from '../chart.tsx';
import { number } from '../format.ts';
import { type ImageFacts, imageFacts, itemSize } from '../image.ts';
import {
  type FromWorker,
  type LiveMethod,
  type LivePicture,
  liveMethods,
  reconstructed,
  stripLength,
  type ToWorker,
} from '../live-protocol.ts';
import { drawShapes, shapeFacts } from '../live-shapes.ts';
import { Strip } from '../reconstructions.tsx';
import { runs } from '../state.ts';
import { asError, Head, Section, Trouble } from '../ui.tsx';

const titles: Record<LiveMethod, string> = { 'beta-vae': 'β-VAE', vae: 'VAE', 'dip-vae-ii': 'DIP-VAE-II' };
const made = 'shapes, drawn in this page';
const [seed, itemCount] = [1, 3000];

/** The numbers that can be moved while it learns. */
const knobs: Record<LiveMethod, { name: string; title: string; start: number; most: number }[]> = {
  'beta-vae': [{ name: 'beta', title: 'β, weight of the KL', start: 1.5, most: 8 }],
  vae: [],
  'dip-vae-ii': [
    { name: 'lambdaOffDiagonal', title: 'λ_od, on covariances', start: 10, most: 50 },
    { name: 'lambdaDiagonal', title: 'λ_d, on variances', start: 10, most: 50 },
  ],
};

interface Curve {
  step: number;
  terms: Record<string, number>;
}

export function LivePage() {
  const worker = useRef<Worker | undefined>(undefined);
  const [method, setMethod] = useState<LiveMethod>('beta-vae');
  const [source, setSource] = useState(made);
  const [latents, setLatents] = useState(6);
  const [values, setValues] = useState<Record<string, number>>({
    beta: 1.5,
    lambdaOffDiagonal: 10,
    lambdaDiagonal: 10,
  });
  const [state, setState] = useState<'idle' | 'opening' | 'running' | 'paused'>('idle');
  const [curve, setCurve] = useState<Curve[]>([]);
  const [rate, setRate] = useState(0);
  const [picture, setPicture] = useState<LivePicture>();
  const [facts, setFacts] = useState<ImageFacts>(shapeFacts);
  const [error, setError] = useState<Error>();
  useEffect(() => () => worker.current?.terminate(), []);

  const send = (message: ToWorker) => worker.current?.postMessage(message);
  const hear = (message: FromWorker) => {
    if (message.kind === 'steps') {
      setState((now) => (now === 'opening' ? 'running' : now));
      setRate(message.rate);
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
      const fresh = new Worker(new URL('../live-worker.ts', import.meta.url), { type: 'module' });
      fresh.addEventListener('message', ({ data: message }: MessageEvent<FromWorker>) => hear(message));
      fresh.addEventListener('error', (event) =>
        hear({ kind: 'failed', sentence: event.message || 'The worker could not start.' }),
      );
      worker.current = fresh;
      const given = Object.fromEntries(knobs[method].map(({ name, start: usual }) => [name, values[name] ?? usual]));
      send({
        kind: 'start',
        method,
        ...data,
        latents,
        seed,
        runtime: new URL('ort/', document.baseURI).href,
        numbers: given,
      });
    } catch (thrown) {
      setError(asError(thrown));
      setState('idle');
    }
  };
  const stop = () => {
    worker.current?.terminate();
    setState('idle');
  };
  const move = (name: string, value: number) => {
    setValues((now) => ({ ...now, [name]: value }));
    send({ kind: 'number', name, value });
  };
  const isOn = state !== 'idle';
  const sources = [made, ...(runs.value ?? []).filter(({ files }) => files.model).map(({ name }) => name)];

  return (
    <>
      <Head
        title="Live in the browser"
        about="The training graph that the command line runs, differentiated and run here, in this tab. Nothing is kept when you leave."
      />
      <form class="live-controls" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>Method</span>
          <select
            value={method}
            disabled={isOn}
            onChange={(event) => setMethod(liveMethods[event.currentTarget.selectedIndex])}
          >
            {liveMethods.map((name) => (
              <option key={name} value={name}>
                {titles[name]}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Data</span>
          <select value={source} disabled={isOn} onChange={(event) => setSource(event.currentTarget.value)}>
            {sources.map((name) => (
              <option key={name} value={name}>
                {name === made ? name : `data of ${name}`}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Dimensions</span>
          <select
            value={String(latents)}
            disabled={isOn}
            onChange={(event) => setLatents(Number(event.currentTarget.value))}
          >
            {[2, 4, 6, 8, 10].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        {knobs[method].map(({ name, title, most }) => (
          <label key={name} class="field">
            <span>
              {title}: <span class="number">{number(values[name], 2)}</span>
            </span>
            <input
              type="range"
              min="0"
              max={most}
              step={most / 80}
              value={values[name]}
              onInput={(event) => move(name, Number(event.currentTarget.value))}
            />
          </label>
        ))}
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
      {picture && (
        <div class="live-results">
          <Traversals picture={picture} facts={facts} />
          <div>
            <Section title="Reconstructions">
              <div class="pair">
                <Strip items={picture.given} facts={facts} columns={reconstructed} label="Items" />
                <Strip
                  items={picture.reconstructions}
                  facts={facts}
                  columns={reconstructed}
                  label="Their reconstructions"
                />
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

function sentenceOf(state: string, curve: readonly Curve[], rate: number): string {
  if (state === 'opening') return 'Writing and opening the graph …';
  const last = curve[curve.length - 1];
  if (!last) return 'It takes seconds until the first forms appear, and a minute or two until dimensions part.';
  const terms = Object.entries(last.terms).map(([name, value]) => `${name} ${number(value)}`);
  return `Step ${number(last.step)}, ${state === 'running' ? `${number(rate)} steps a second` : state === 'paused' ? 'paused' : 'stopped'}: ${terms.join(', ')}`;
}

/** A strip for each dimension, those first that carry most. */
function Traversals({ picture: { kl, traversals }, facts }: { picture: LivePicture; facts: ImageFacts }) {
  const size = itemSize(facts) * stripLength;
  const most = Math.max(...kl, 1e-9);
  const order = [...kl.keys()].sort((a, b) => kl[b] - kl[a]);
  return (
    <Section title="What each dimension does">
      {order.map((k) => (
        <div key={k} class="live-row">
          <span class="small">z {k}</span>
          <Strip
            items={traversals.subarray(k * size, (k + 1) * size)}
            facts={facts}
            columns={stripLength}
            label={`Traversal of z ${k}`}
          />
          <span class="kl" title={`KL ${number(kl[k])} nats`}>
            <span style={{ width: `${(100 * kl[k]) / most}%` }} />
          </span>
        </div>
      ))}
    </Section>
  );
}

function Loss({ curve }: { curve: readonly Curve[] }) {
  const x = curve.map(({ step }) => step);
  const names = ['loss', 'reconstruction'].filter((name) => curve[0] && name in curve[0].terms);
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

async function dataOf(source: string): Promise<{ items: Float32Array; facts: ImageFacts }> {
  if (source === made) return { items: drawShapes(itemCount, seed), facts: shapeFacts };
  const [{ model }, { values }] = await Promise.all([api.run(source), api.items(source, 'test', 0, itemCount)]);
  const facts = model && imageFacts(model.data);
  if (!facts) throw new Error('This page shows images only; the run’s data is a table.');
  return { items: values, facts };
}
