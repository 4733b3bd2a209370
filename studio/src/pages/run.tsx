/** One run: its curves as they grow, what its dimensions carry, what it reconstructs, how it scores, how to repeat it. */

import { useEffect, useState } from 'preact/hooks';
import { duration } from '../../../src/duration.ts';
import type { LogLine } from '../../../src/runs/index.ts';
import { api, type RunDetail } from '../api.ts';
import { Curves, KlOverTime } from '../curves.tsx';
import { followRun } from '../events.ts';
import { numberText } from '../format.ts';
import type { PageProps } from '../main.tsx';
import { Reconstructions } from '../reconstructions.tsx';
import { goTo, href } from '../router.ts';
import { Metrics, Pictures, Settings } from '../run-facts.tsx';
import { sayTrouble, toast } from '../said.tsx';
import { runs } from '../state.ts';
import { Confirm, Head, Note, RunTabs, runLine, StateMark, Trouble, useLoaded, Waiting, WorkButton } from '../ui.tsx';

export function RunPage({ route }: PageProps) {
  const name = route.path[1];
  const [version, setVersion] = useState(0);
  const listed = runs.value?.find((run) => run.name === name);
  const detail = useLoaded(() => api.run(name), name, `${version} ${listed?.version}`);
  const known = detail && 'value' in detail ? detail.value : undefined;
  const lines = useLog(name, (listed ?? known)?.state === 'running');
  if (!detail) return <Waiting what={`Opening ${name} …`} />;
  if ('error' in detail) return <Trouble error={detail.error} />;
  const run = {
    ...detail.value,
    // The list is newer.
    ...(listed && { state: listed.state, step: listed.step, sentence: listed.sentence }),
  };
  return (
    <>
      <Head title={name} about={runLine(run)}>
        <Actions run={run} onChange={() => setVersion((now) => now + 1)} />
      </Head>
      <RunTabs name={name} current="run" />
      <NotesOfRun key={`notes ${name}`} run={run} />
      <Progress run={run} last={lines?.[lines.length - 1]} />
      {sentencesOf(run).map((sentence) => (
        <Note key={sentence}>
          <p>{sentence}</p>
        </Note>
      ))}
      <Curves lines={lines} running={run.state === 'running'} />
      <KlOverTime lines={lines ?? []} names={run.names} />
      {run.model && <Reconstructions name={name} model={run.model} />}
      <Metrics run={run} />
      <Pictures run={run} />
      <Settings run={run} />
    </>
  );
}

/** Whether a training ended because its numbers were none any more. */
const diverged = ({ state, sentence = '' }: RunDetail) =>
  state === 'failed' && /became (NaN|-?Infinity)/.test(sentence);

/** What a person should know of the run and of work on it. */
function sentencesOf(run: RunDetail): string[] {
  const { state, here, status, sentence, notes = [], trouble = [], work = {} } = run;
  const elsewhere =
    state === 'running' && !here
      ? [
          `It is trained outside the studio${status ? `, by process ${status.pid} on ${status.host}` : ''}: Ctrl-C there stops it with a checkpoint.`,
        ]
      : [];
  const wayOut = diverged(run)
    ? ['From its checkpoint it would go the same way: run it again with a smaller learning rate, or other changes.']
    : [];
  const failures = Object.values(work).flatMap((job) => (job.state === 'failed' && job.sentence ? [job.sentence] : []));
  return [...new Set([...(sentence ? [sentence] : []), ...wayOut, ...elsewhere, ...trouble, ...notes, ...failures])];
}

/** The log, as it grows where the run is in training; undefined until it is here. */
function useLog(name: string, isRunning: boolean): LogLine[] | undefined {
  const [lines, setLines] = useState<LogLine[]>();
  useEffect(() => {
    let stop = () => {};
    let left = false;
    const begin = (known: LogLine[]) => {
      if (left) return;
      setLines(known);
      if (!isRunning) return;
      let arrived: LogLine[] = [];
      let isWaiting = false;
      const take = () => {
        const fresh = arrived;
        arrived = [];
        isWaiting = false;
        // A line that is not after the last one replaces what follows it.
        setLines((now = []) => [...now.filter(({ step }) => step < fresh[0].step), ...fresh]);
      };
      stop = followRun(name, known[known.length - 1]?.step ?? 0, (line) => {
        arrived.push(line);
        if (!isWaiting) requestAnimationFrame(take);
        isWaiting = true;
      });
    };
    api.log(name).then(begin, () => begin([]));
    return () => {
      left = true;
      stop();
    };
  }, [name, isRunning]);
  return lines;
}

function Actions({ run, onChange }: { run: RunDetail; onChange: () => void }) {
  const { name, state, step = 0, steps = 0, files, work, here } = run;
  const [asks, setAsks] = useState(false);
  const isRunning = state === 'running';
  const canResume = state === 'stopped' || (state === 'failed' && step < steps);
  return (
    <>
      {isRunning && here && (
        <WorkButton work={() => api.stop(name).then(onChange)} done="The run saves and stops.">
          Stop
        </WorkButton>
      )}
      {canResume && (
        <WorkButton
          class={diverged(run) ? '' : 'main'}
          work={() => api.resume(name).then(onChange)}
          done="The run goes on."
        >
          Resume
        </WorkButton>
      )}
      {run.file && (
        <a class={diverged(run) ? 'button main' : 'button'} href={`${href('new')}?like=${encodeURIComponent(name)}`}>
          Run again with changes
        </a>
      )}
      {files.model && (
        <WorkButton busy={work?.evaluate?.state === 'running'} work={() => api.evaluate(name).then(onChange)}>
          {work?.evaluate?.state === 'running' ? 'Measuring …' : 'Evaluate'}
        </WorkButton>
      )}
      {files.model && (
        <WorkButton busy={work?.pictures?.state === 'running'} work={() => api.draw(name, ['all']).then(onChange)}>
          {work?.pictures?.state === 'running' ? 'Drawing …' : 'Draw pictures'}
        </WorkButton>
      )}
      {!isRunning && (
        <button type="button" class="danger" onClick={() => setAsks(true)}>
          Delete …
        </button>
      )}
      {asks && (
        <Confirm
          question={`Delete “${name}”?`}
          about="Its folder goes from the disk, with model, log and pictures. That can’t be undone."
          yes="Delete"
          onNo={() => setAsks(false)}
          onYes={() => {
            setAsks(false);
            api.remove(name).then(() => {
              toast(`“${name}” is deleted.`);
              goTo(href());
            }, sayTrouble);
          }}
        />
      )}
    </>
  );
}

/** What people write to a run: tags, and a note. */
function NotesOfRun({ run: { name, note = '', tags } }: { run: RunDetail }) {
  const keep = (change: { note?: string; tags?: string[] }) => api.note(name, change).catch(sayTrouble);
  return (
    <div class="row run-notes">
      <label class="row small soft">
        Tags
        <input
          type="text"
          defaultValue={tags.join(', ')}
          placeholder="with commas between them"
          onChange={(event) => keep({ tags: event.currentTarget.value.split(',') })}
        />
      </label>
      <label class="row small soft note">
        Note
        <textarea
          rows={1}
          defaultValue={note}
          placeholder="what this run is for, what it showed"
          onChange={(event) => keep({ note: event.currentTarget.value })}
        />
      </label>
    </div>
  );
}

function Progress({ run, last }: { run: RunDetail; last: LogLine | undefined }) {
  const { state, steps = 0 } = run;
  const step = Math.max(run.step ?? 0, last?.step ?? 0);
  const rate = last && last.seconds > 0 ? last.step / last.seconds : undefined;
  const left = rate && state === 'running' && steps > step ? `, ${duration((steps - step) / rate)} left` : '';
  return (
    <div class="progress">
      <div class="row spread small">
        <StateMark state={state} />
        <span class="number soft">
          {numberText(step)}
          {steps > 0 && ` of ${numberText(steps)}`} steps
          {last && `, epoch ${numberText(last.epoch)}, ${duration(last.seconds)}`}
          {rate && `, ${numberText(rate)} steps/s`}
          {left}
        </span>
      </div>
      {state !== 'done' && <progress max={steps || 1} value={step} aria-label="Steps done" />}
    </div>
  );
}
