/** The filter of the runs: words that a run has somewhere, and comparisons such as `beta > 4 and (data = mnist or tag = good)`. */
import type { RunRow } from '../../src/studio/runs.ts';

export type RunTest = (run: RunRow) => boolean;
type Value = string | number | boolean | undefined;

/** What is wrong with a filter, for whoever types it. */
class FilterError extends Error {}

/** What is known of a run under a name: a column of its own, a setting, or a metric. */
export function fieldOf(run: RunRow, field: string): Value {
  if (field === 'tag' || field === 'tags') return run.tags.join(' ');
  if (field === 'loss') return run.loss.at(-1);
  if (field in plain) return plain[field](run);
  const setting = run.settings[field];
  return setting !== undefined ? setting : run.metrics[field];
}

const plain: Record<string, (run: RunRow) => Value> = {
  name: ({ name }) => name,
  method: ({ method }) => method,
  data: ({ data }) => data,
  background: ({ background }) => background,
  state: ({ state }) => state,
  seed: ({ seed }) => seed,
  step: ({ step }) => step,
  steps: ({ steps }) => steps,
  created: ({ created }) => created,
  note: ({ note }) => note,
};

/**
 * A filter as a test of runs.
 *
 * @example filterOf('beta > 4 and data = mnist')
 */
export function filterOf(text: string): RunTest {
  const tokens = text.match(/"[^"]*"|[<>!]=|[<>=~()]|[^\s<>=~()!"]+/g) ?? [];
  let at = 0;
  const isWord = (word: string) => tokens[at]?.toLowerCase() === word;
  const either = (): RunTest => {
    let test = both();
    while (isWord('or')) {
      at++;
      const [left, right] = [test, both()];
      test = (run) => left(run) || right(run);
    }
    return test;
  };
  const both = (): RunTest => {
    let test = one();
    while (at < tokens.length && tokens[at] !== ')' && !isWord('or')) {
      if (isWord('and')) at++;
      const [left, right] = [test, one()];
      test = (run) => left(run) && right(run);
    }
    return test;
  };
  const one = (): RunTest => {
    const token = tokens[at++];
    if (token === undefined) throw new FilterError('The filter ends where a condition should be.');
    if (token.toLowerCase() === 'not') {
      const test = one();
      return (run) => !test(run);
    }
    if (token === '(') {
      const test = either();
      if (tokens[at++] !== ')') throw new FilterError('A bracket is not closed.');
      return test;
    }
    if (/^([<>!]=|[<>=~)])$/.test(token)) throw new FilterError(`“${token}” stands where a name should be.`);
    const sign = tokens[at];
    if (!/^([<>!]=|[<>=~])$/.test(sign ?? '')) return containing(unquoted(token));
    const value = tokens[at + 1];
    if (value === undefined || /^[()]$/.test(value)) throw new FilterError(`What should ${token} ${sign}?`);
    at += 2;
    return comparison(unquoted(token), sign, unquoted(value));
  };
  if (tokens.length === 0) return () => true;
  const test = either();
  if (at < tokens.length) throw new FilterError(`“${tokens[at]}” is one bracket too many.`);
  return test;
}

const unquoted = (token: string) => token.replace(/^"|"$/g, '');

/** A word that stands somewhere in what a run is called. */
function containing(word: string): RunTest {
  const wanted = word.toLowerCase();
  return ({ name, method, data, background, state, tags, note }) =>
    [name, method, data, background, state, note, ...tags].join(' ').toLowerCase().includes(wanted);
}

function comparison(field: string, sign: string, wanted: string): RunTest {
  const number = Number(wanted);
  return (run) => {
    const value = fieldOf(run, field);
    // What is not known is neither more nor less, and only other than something.
    if (value === undefined) return sign === '!=';
    if ((field === 'tag' || field === 'tags') && (sign === '=' || sign === '!='))
      return run.tags.some((tag) => tag.toLowerCase() === wanted.toLowerCase()) === (sign === '=');
    const isNumber = typeof value === 'number' && !Number.isNaN(number);
    const order = isNumber ? value - number : `${value}`.localeCompare(wanted, 'en', { sensitivity: 'base' });
    switch (sign) {
      case '=':
        return order === 0;
      case '!=':
        return order !== 0;
      case '~':
        return `${value}`.toLowerCase().includes(wanted.toLowerCase());
      case '<':
        return order < 0;
      case '<=':
        return order <= 0;
      case '>':
        return order > 0;
      default:
        return order >= 0;
    }
  };
}
