/** Cuts a condition into words, keywords and signs. */
import { UntangleError } from '../../errors.ts';

export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';

export interface Token {
  kind: 'word' | 'keyword' | 'sign' | 'end';
  /** What it means: a word without its quotes, a keyword in lower case, a sign in its usual spelling. */
  value: string;
  /** How it is written, and where. */
  raw: string;
  at: number;
}

const keywords = new Set(['and', 'or', 'not', 'in']);
const spellings: Record<string, string> = { '==': '=', '<>': '!=', '≤': '<=', '≥': '>=', '≠': '!=' };
const sign = /==|!=|<>|<=|>=|[=<>≤≥≠(),]/y;
const quoted = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/sy;
const bare = /(?:(?!!=)[^\s=<>≤≥≠(),])+/y;

/** The tokens of a text, the last being its end. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; ; ) {
    while (/\s/.test(text.charAt(at))) at++;
    if (at >= text.length) {
      tokens.push({ kind: 'end', value: '', raw: '', at });
      return tokens;
    }
    const token = tokenAt(text, at);
    tokens.push(token);
    at += token.raw.length;
  }
}

/** The error for a condition that can't be read from a place on. */
export function unreadable(text: string, place: { at: number; raw: string }, expected: string): UntangleError {
  const where = place.raw === '' ? 'at its end' : `at “${place.raw}” (character ${place.at + 1})`;
  return new UntangleError(`The condition “${text}” can't be read ${where}: expected ${expected}.`, {
    kind: 'call',
    hint: 'For instance “class in a,b” or “age >= 30 and not (sex = f)”; quote names and values that hold blanks.',
  });
}

function tokenAt(text: string, at: number): Token {
  const found = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const mark = found(sign)?.[0];
  if (mark !== undefined) return { kind: 'sign', value: spellings[mark] ?? mark, raw: mark, at };
  if (text[at] === '"' || text[at] === "'") {
    const match = found(quoted);
    if (!match) throw unreadable(text, { at, raw: text.slice(at) }, `a closing ${text[at]}`);
    return { kind: 'word', value: (match[1] ?? match[2]).replace(/\\(.)/gs, '$1'), raw: match[0], at };
  }
  const raw = found(bare)?.[0];
  if (raw === undefined) throw unreadable(text, { at, raw: text.slice(at) }, 'a name or a value');
  const lower = raw.toLowerCase();
  return keywords.has(lower) ? { kind: 'keyword', value: lower, raw, at } : { kind: 'word', value: raw, raw, at };
}
