/** Start a run: a form made from the schemas of methods and data. Only what differs from the defaults is sent. */

import { useMemo, useState } from 'preact/hooks';
import { api, type DatasetFacts, type MethodFacts, studioSession } from '../api.ts';
import { DataChoice } from '../data-choice.tsx';
import { changedSettings, Field, problemWith } from '../field.tsx';
import { needs } from '../format.ts';
import type { PageProps } from '../main.tsx';
import { goTo, href } from '../router.ts';
import { asError } from '../said.tsx';
import {
  type Choices,
  choiceProblems,
  choicesOfRun,
  commandOf,
  seedsFrom,
  startRequestOf,
  wholeNumberProblem,
} from '../start-request.ts';
import { copy, Head, Trouble, useLoaded, Waiting } from '../ui.tsx';

export function NewPage({ route }: PageProps) {
  const like = route.query.get('like') ?? '';
  const loaded = useLoaded(async () => {
    const [methods, datasets, { runsFolder }, before] = await Promise.all([
      api.methods(),
      api.datasets(),
      studioSession(),
      like === '' ? undefined : api.run(like),
    ]);
    return { methods, datasets, runsFolder, ...(before && { before: choicesOfRun(before) }) };
  }, `choices ${like}`);
  if (!loaded) return <Waiting what="Asking the server what there is …" />;
  if ('error' in loaded) return <Trouble error={loaded.error} />;
  return (
    <>
      <Head
        title="Start a run"
        about={
          like === '' ? (
            'One training of one method on one dataset. It goes on when this page is closed.'
          ) : (
            <>
              As <a href={href('runs', like)}>{like}</a> was started; change what should be otherwise.
            </>
          )
        }
      />
      <StartForm {...loaded.value} />
    </>
  );
}

const first: Choices = {
  method: 'beta-vae',
  data: 'shapes',
  background: '',
  where: '',
  backgroundWhere: '',
  size: '',
  crop: false,
  grey: false,
  label: '',
  exclude: '',
  labels: '',
  preset: '',
  seed: '1',
  name: '',
};

/** The training settings that most people touch; the others are folded away. */
const plainTraining = ['steps', 'batchSize', 'learningRate'];

function StartForm({
  methods,
  datasets,
  runsFolder,
  before,
}: {
  methods: MethodFacts[];
  datasets: DatasetFacts[];
  runsFolder: string;
  /** How the run was started that this one is to be like. */
  before?: ReturnType<typeof choicesOfRun>;
}) {
  const [choices, setChoices] = useState<Choices>({ ...first, ...before?.choices });
  const [typed, setTyped] = useState<Record<string, string>>(before?.typed ?? {});
  const [count, setCount] = useState('1');
  const [error, setError] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const method = methods.find(({ name }) => name === choices.method) ?? methods[0];
  const dataset = datasets.find(({ name }) => name === choices.data);
  const training = useMemo(() => sharedOptions(methods), [methods]);
  const choose = (change: Partial<Choices>) => setChoices((now) => ({ ...now, ...change }));

  const { properties } = method.options;
  const preset = method.presets[choices.preset] ?? {};
  const own = Object.keys(properties).filter((name) => !training.has(name));
  const more = [...training].filter((name) => !plainTraining.includes(name) && name in properties);
  const changed = changedSettings(properties, preset, typed);
  const needsBackground = method.needs === 'target+background' && dataset?.kind !== 'contrast';
  const request = startRequestOf(method, choices, changed, needsBackground);
  const isMixed = dataset?.kind === 'unknown';
  const problems = choiceProblems(method, choices, needsBackground, isMixed);
  const countProblem = wholeNumberProblem(count, 1);
  const wrong =
    Object.keys(properties).some((name) => problemWith(properties[name], typed[name] ?? '') !== undefined) ||
    Object.keys(problems).length > 0 ||
    countProblem !== undefined;
  const seeds = wrong ? [] : seedsFrom(choices.seed, count);

  const field = (name: string) => (
    <Field
      key={`${method.name} ${name}`}
      name={name}
      property={properties[name]}
      base={preset[name] ?? properties[name].default}
      fromPreset={name in preset}
      typed={typed[name] ?? ''}
      onTyped={(text) => setTyped((now) => ({ ...now, [name]: text }))}
    />
  );
  const start = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const started: string[] = [];
      for (const seed of seeds) {
        const name = request.name && seeds.length > 1 ? { name: `${request.name}-${seed}` } : {};
        started.push((await api.start({ ...request, ...(seeds.length > 1 && { seed }), ...name })).name);
      }
      goTo(started.length === 1 ? href('runs', started[0]) : href());
    } catch (thrown) {
      setError(asError(thrown));
    }
    setBusy(false);
  };

  return (
    <form class="start" onSubmit={start} autocomplete="off">
      <fieldset>
        <legend>Method</legend>
        <select
          aria-label="Method"
          value={method.name}
          onChange={(event) => choose({ method: event.currentTarget.value, preset: '' })}
        >
          {(Object.keys(needs) as (keyof typeof needs)[]).map((need) => (
            <optgroup key={need} label={needs[need]}>
              {methods
                .filter((one) => one.needs === need)
                .map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.title}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
        <p>{method.summary}</p>
        <p class="soft small">
          {needs[method.needs]} {method.paper.cite}, {method.paper.equations}.
        </p>
        {Object.keys(method.presets).length > 0 && (
          <label class="field">
            <span>Preset</span>
            <select value={choices.preset} onChange={(event) => choose({ preset: event.currentTarget.value })}>
              <option value="">the defaults</option>
              {Object.keys(method.presets).map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
            <small class="soft">The paper’s settings for a dataset.</small>
          </label>
        )}
      </fieldset>

      <DataChoice
        datasets={datasets}
        dataset={dataset}
        choices={choices}
        choose={choose}
        needsBackground={needsBackground}
        problems={problems}
        method={method}
      />

      <fieldset>
        <legend>Options of {method.title}</legend>
        <div class="fields">{own.map(field)}</div>
      </fieldset>

      <fieldset>
        <legend>Training</legend>
        <div class="fields">
          {plainTraining.filter((name) => name in properties).map(field)}
          <label class="field">
            <span>seed</span>
            <input
              type="text"
              inputMode="numeric"
              value={choices.seed}
              aria-invalid={problems.seed !== undefined}
              onInput={(event) => choose({ seed: event.currentTarget.value })}
            />
            <small class={problems.seed ? 'problem' : 'soft'}>{problems.seed ?? 'decides every random draw'}</small>
          </label>
          <label class="field">
            <span>how many seeds</span>
            <input
              type="text"
              inputMode="numeric"
              value={count}
              aria-invalid={countProblem !== undefined}
              onInput={(event) => setCount(event.currentTarget.value)}
            />
            <small class={countProblem ? 'problem' : 'soft'}>
              {countProblem ?? 'a run for each, from this seed on, which the list can show as one'}
            </small>
          </label>
          <label class="field">
            <span>name of the run</span>
            <input
              type="text"
              placeholder="made of method, data and seed"
              value={choices.name}
              onInput={(event) => choose({ name: event.currentTarget.value })}
            />
          </label>
        </div>
        <details>
          <summary>{more.length} more settings</summary>
          <div class="fields">{more.map(field)}</div>
        </details>
      </fieldset>

      <div class="command">
        <p class="soft small">The same from the command line</p>
        <pre>{commandOf(request, runsFolder)}</pre>
        {error && <Trouble error={error} />}
        <div class="row">
          <button type="submit" class="main" disabled={busy || wrong}>
            {busy ? 'Starting …' : seeds.length > 1 ? `Start ${seeds.length} runs` : 'Start'}
          </button>
          <button
            type="button"
            class="plain soft"
            onClick={() => copy(commandOf(request, runsFolder), 'The command is')}
          >
            Copy the command
          </button>
        </div>
      </div>
    </form>
  );
}

/** The options of the training, which every method's list begins with. */
function sharedOptions(methods: readonly MethodFacts[]): Set<string> {
  const [one, ...others] = methods.map(({ options }) => Object.keys(options.properties));
  const end = one.findIndex((name, i) => others.some((names) => names[i] !== name));
  return new Set(one.slice(0, end));
}
