/** What the command line shows: results on stdout, progress and sentences on stderr, tables for people. */
import { styleText } from 'node:util';
import { duration } from '../duration.ts';
import { troubleOf } from '../errno.ts';
import { UntangleError } from '../errors.ts';

/** Prints a machine-readable object, the only thing on stdout with `--json`. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** A sentence for people that is not a result. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Styled where stdout is a terminal, plain elsewhere. */
export function styled(style: Parameters<typeof styleText>[0], text: string): string {
  return process.stdout.isTTY && process.env.NO_COLOR === undefined ? styleText(style, text) : text;
}

/** Progress of something longer than a moment: a line that rewrites itself on a terminal, JSON lines elsewhere. */
export interface ProgressLine {
  at(share: number, what: string): void;
  end(): void;
}

/** Shows nothing for the first `delay` milliseconds, so that quick work stays quiet. */
export function progress(delay = 500): ProgressLine {
  const started = performance.now();
  let last = 0;
  let shown = false;
  // What was done before this call, as of a run that goes on, says nothing about how fast it is.
  let first: { share: number; at: number } | undefined;
  return {
    at(share, what) {
      const now = performance.now();
      first ??= { share, at: now };
      const made = share - first.share;
      const left = made > 0.002 && now - first.at > 1000 ? ((now - first.at) / made) * (1 - share) : undefined;
      const every = process.stderr.isTTY ? 100 : 2000;
      if (now - started < delay || now - last < every) return;
      last = now;
      if (process.stderr.isTTY) {
        const rest = left === undefined ? '' : `, ${duration(left / 1000)} left`;
        process.stderr.write(`\r\x1b[K${`${(100 * share).toFixed(0)}`.padStart(3)} %  ${what}${rest}`);
        shown = true;
      } else {
        const secondsLeft = left === undefined ? undefined : Math.round(left / 1000);
        process.stderr.write(`${JSON.stringify({ progress: Number(share.toFixed(4)), what, secondsLeft })}\n`);
      }
    },
    end() {
      if (shown) process.stderr.write('\r\x1b[K');
    },
  };
}

/** The first Ctrl-C stops the work with a sentence, a second one ends at once. */
export function interruptible(sentence: string): { signal: AbortSignal; stop(): void; release(): void } {
  const stop = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(130);
    say(`\n${sentence} Ctrl-C again ends at once.`);
    stop.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return {
    signal: stop.signal,
    stop: () => stop.abort(),
    release() {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    },
  };
}

/** @example spreadText({ mean: 0.51, deviation: 0.023 }) // '0.51 ± 0.023' */
export function spreadText({ mean, deviation }: { mean: number; deviation: number }): string {
  return `${Number(mean.toPrecision(4))} ± ${Number(deviation.toPrecision(2))}`;
}

/** Rows of cells in aligned columns; numbers to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))));
  const numeric = rows[0].map((_, column) =>
    rows.slice(1).every((row) => /^[−-]?[\d.]+( %)?$|^$|^–$/.test(row[column] ?? '')),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const space = ' '.repeat(widths[column] - width(cell));
          return numeric[column] ? space + cell : cell + space;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function width(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
  return [...text.replace(/\x1b\[\d+m/g, '')].length;
}

/** Breaks a text into lines of at most `width` characters. */
export function wrapped(text: string, limit: number, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > limit) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => indent + one).join('\n');
}

/** Tells a person what went wrong, or a program as an object, and gives the exit code: 2 for a wrong call, 1 for work that failed. */
export function tellError(error: unknown, { debug = false, asJson = false } = {}): number {
  const known = error instanceof UntangleError ? error : troubleOf(error);
  if (known !== undefined) {
    if (asJson) printJson({ error: known.message, hint: known.hint, kind: known.kind, code: known.code });
    say(known.message);
    if (known.hint !== undefined) say(known.hint);
    if (debug && error instanceof Error) say(error.stack ?? '');
    return known.kind === 'call' ? 2 : 1;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (asJson) printJson({ error: message, kind: 'bug' });
  say(`Something went wrong that should not have: ${message}`);
  say(
    debug && error instanceof Error
      ? (error.stack ?? '')
      : 'Run it again with --debug to see where, and please report it.',
  );
  return 1;
}
