/** What is known of a run beside its curves: metrics, pictures, settings, and the command that repeats it. */
import { api, type RunDetail } from './api.ts';
import { ago, numberText, value } from './format.ts';
import { MetricParts, matrixOf } from './metric-parts.tsx';
import { copy, Section } from './ui.tsx';

export function Metrics({ run: { evaluation, model, names } }: { run: RunDetail }) {
  if (!evaluation) return null;
  const dimensions = (model?.blocks ?? [])
    .filter(({ kind }) => kind === 'gaussian')
    .flatMap(({ name, size }) =>
      Array.from({ length: size }, (_, k) => (names[name]?.[k] ? `${name} ${k}: ${names[name][k]}` : `${name} ${k}`)),
    );
  const { results, leftOut = [], part, items, step } = evaluation;
  return (
    <Section
      title="Metrics"
      aside={
        <span class="small soft">
          {numberText(items)} items of the {part} part, step {numberText(step)}
        </span>
      }
    >
      <div class="measures">
        {results.map((result) => (
          <div key={`${result.name} ${result.title}`}>
            <span class="score number">{numberText(Number(result.score))}</span>
            <span>{result.title}</span>
            <span class="soft small">
              {result.better === 'lower' ? 'lower is better' : result.better === 'higher' ? 'higher is better' : ''}
            </span>
          </div>
        ))}
      </div>
      <div class="behind">
        {results
          .filter((result) => matrixOf(result) !== undefined)
          .map((result) => (
            <MetricParts key={`${result.name} ${result.title}`} result={result} dimensions={dimensions} />
          ))}
      </div>
      {leftOut.length > 0 && (
        <details class="small">
          <summary>{leftOut.length} metrics do not apply</summary>
          <dl class="facts">
            {leftOut.map((one) => [<dt key={`${one.name} t`}>{one.name}</dt>, <dd key={one.name}>{one.why}</dd>])}
          </dl>
        </details>
      )}
    </Section>
  );
}

export function Pictures({ run: { name, pictures, version } }: { run: RunDetail }) {
  if (pictures.length === 0) return null;
  return (
    <Section title="Pictures">
      <div class="pictures">
        {pictures.map((file) => (
          <figure key={file}>
            <a href={api.pictureUrl(name, file, version)} target="_blank" rel="noreferrer">
              <img
                src={api.pictureUrl(name, file, version)}
                alt={`${file.replace(/\.\w+$/, '')} of ${name}`}
                loading="lazy"
              />
            </a>
            <figcaption class="small soft">{file.replace(/\.\w+$/, '')}</figcaption>
          </figure>
        ))}
      </div>
    </Section>
  );
}

export function Settings({ run }: { run: RunDetail }) {
  const { file, command } = run;
  if (!file) return null;
  const facts = (record: Record<string, unknown>) =>
    Object.entries(record).map(([key, given]) => [<dt key={`${key} t`}>{key}</dt>, <dd key={key}>{value(given)}</dd>]);
  const { target, background } = file.data;
  return (
    <Section title="Settings">
      <div class="columns">
        <div>
          <h3>
            {file.method}
            {file.preset ? `, preset ${file.preset}` : ''}
          </h3>
          <dl class="facts">{facts(file.options)}</dl>
        </div>
        <div>
          <h3>Training</h3>
          <dl class="facts">{facts(file.training)}</dl>
        </div>
        <div>
          <h3>Data and machine</h3>
          <dl class="facts">
            {facts({
              data: [target.source, target.condition].filter(Boolean).join(', where '),
              background: background && [background.source, background.condition].filter(Boolean).join(', where '),
              labels: file.data.labels,
              made: `${ago(file.created)} (${file.created.slice(0, 16).replace('T', ' ')})`,
              ...file.versions,
              ...file.machine,
            })}
          </dl>
        </div>
      </div>
      {command && (
        <div class="command">
          <h3>The command that repeats it</h3>
          <pre>{command}</pre>
          <button type="button" onClick={() => copy(command, 'The command is')}>
            Copy
          </button>
        </div>
      )}
    </Section>
  );
}
