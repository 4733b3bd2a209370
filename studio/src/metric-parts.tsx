/** What stands behind a metric's number: its matrix of dimensions and factors as a heat map, its parts as bars, its options. */
import type { SentEvaluation } from '../../src/studio/wire.ts';
import { numberText, value } from './format.ts';

type Result = SentEvaluation['results'][number];

/** Lists of numbers that a metric keeps beside its score, and what they are of. */
const lists: Record<string, string> = {
  gaps: 'of each factor',
  perFactor: 'of each factor',
  perCode: 'of each dimension',
  perDimension: 'of each dimension',
  accuracyPerFactor: 'accuracy of each factor',
};

const numbersOf = (part: unknown): number[] | undefined =>
  Array.isArray(part) && part.length > 0 && part.every((one) => Number.isFinite(Number(one)) && !Array.isArray(one))
    ? part.map(Number)
    : undefined;

/** The matrix of a metric, a row for each dimension; undefined if it has none. */
export function matrixOf({ parts }: Result): { rows: number[][]; factors: string[] } | undefined {
  const { matrix, factors } = parts;
  if (!Array.isArray(matrix) || !Array.isArray(factors)) return undefined;
  const rows = matrix.flatMap((row) => [numbersOf(row) ?? []]);
  return rows.length > 0 && rows.every(({ length }) => length === factors.length)
    ? { rows, factors: factors.map(String) }
    : undefined;
}

export function MetricParts({ result, dimensions }: { result: Result; dimensions: readonly string[] }) {
  const matrix = matrixOf(result);
  const { version, options, notes, parts } = result;
  const bars = Object.entries(lists).flatMap(([name, of]) => {
    const values = numbersOf(parts[name]);
    const words = of.endsWith('factor') && Array.isArray(parts.factors) ? parts.factors.map(String) : dimensions;
    return values && values.length === words.length ? [{ name, title: `${title(name)}, ${of}`, values, words }] : [];
  });
  const settings = Object.entries(options);
  return (
    <details class="metric-parts">
      <summary>
        {result.title}: {numberText(Number(result.score))}
      </summary>
      <p class="small soft">
        Version {version}
        {settings.length > 0 && `, with ${settings.map(([name, given]) => `${name} ${value(given)}`).join(', ')}`}.
      </p>
      {notes.map((note) => (
        <p key={note} class="small">
          {note}
        </p>
      ))}
      {matrix && <HeatMap {...matrix} names={dimensions} title={result.title} />}
      <div class="columns">
        {bars.map((one) => (
          <Bars key={one.name} {...one} />
        ))}
      </div>
    </details>
  );
}

const title = (name: string) => name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);

/** A table whose cells are as strong as their numbers. */
function HeatMap({
  rows,
  factors,
  names,
  title,
}: {
  rows: readonly (readonly number[])[];
  factors: readonly string[];
  names: readonly string[];
  title: string;
}) {
  const most = Math.max(1e-12, ...rows.flat());
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
    <section class="scroll" tabIndex={0} aria-label={`${title}: dimensions and factors`}>
      <table class="heat-map number">
        <thead>
          <tr>
            <td />
            {factors.map((factor) => (
              <th key={factor} scope="col">
                {factor}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, k) => (
            <tr key={names[k] ?? k}>
              <th scope="row">{names[k] ?? k}</th>
              {row.map((one, f) => (
                <td key={factors[f]} style={{ '--strength': `${Math.round((60 * Math.max(0, one)) / most)}%` }}>
                  {numberText(one, 2)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Numbers as bars, each beside what it is of. */
function Bars({ title, values, words }: { title: string; values: readonly number[]; words: readonly string[] }) {
  const most = Math.max(1e-12, ...values.map(Math.abs));
  return (
    <div>
      <h3>{title}</h3>
      <table class="bars number">
        <tbody>
          {values.map((one, k) => (
            <tr key={words[k]}>
              <th scope="row">{words[k]}</th>
              <td aria-hidden="true">
                <span style={{ width: `${(100 * Math.abs(one)) / most}%` }} />
              </td>
              <td class="number">{numberText(one)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
