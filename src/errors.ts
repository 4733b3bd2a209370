/** The one error that people see: a plain sentence on what is wrong, and a hint on what would be right. */
export class UntangleError extends Error {
  readonly hint?: string;
  /** `call`: the caller asked for something that does not exist or fit (exit code 2). `work`: the work itself failed (1). */
  readonly kind: 'call' | 'work';
  /** The operating system's name for the trouble, where it is one of its own. */
  readonly code?: string;

  constructor(
    message: string,
    options: { hint?: string; kind?: 'call' | 'work'; code?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'UntangleError';
    this.hint = options.hint;
    this.kind = options.kind ?? 'work';
    if (options.code !== undefined) this.code = options.code;
  }
}

/**
 * The error for a name that nobody knows, with the nearest known one.
 *
 * @example unknownName('method', 'bta-vae', ['vae', 'beta-vae']).hint // 'Did you mean “beta-vae”? Known: vae, beta-vae.'
 */
export function unknownName(what: string, given: string, known: readonly string[]): UntangleError {
  const near = nearest(given, known);
  const suggestion = near === undefined ? '' : `Did you mean “${near}”? `;
  return new UntangleError(`There is no ${what} “${given}”.`, {
    kind: 'call',
    hint: `${suggestion}Known: ${known.join(', ')}.`,
  });
}

/** The known name with the smallest edit distance to `given`, if one is close enough to be a slip of the finger. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(given.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein's distance with transpositions of neighbours counted as one edit. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(row[j - 1] + 1, last[j] + 1, last[j - 1] + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length];
}
