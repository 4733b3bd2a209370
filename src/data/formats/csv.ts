/**
 * Reads and writes CSV as RFC 4180 has it (quoted cells, doubled quotes, CRLF) and as programs write it: with a byte-order mark, with
 * `;` or tabs between the cells, with blank lines. The parser is fed piece by piece, so a file never has to fit in memory.
 */
import { createReadStream } from 'node:fs';
import { UntangleError } from '../../errors.ts';
import { writeWhole } from '../cache.ts';

export type Separator = ',' | ';' | '\t';

/** A record's cells, and the line of the file on which it starts. */
export type OnRecord = (cells: string[], line: number) => void;

export interface CsvParser {
  /** Takes the next piece of text; a piece may end anywhere, also inside a cell. */
  push(text: string): void;
  /** Takes the end of the text: the last record, or an error where a quote is still open. */
  end(): void;
}

/**
 * A parser that calls `onRecord` for every record. All records must have as many cells as the first.
 *
 * @example csvParser('mice.csv', (cells, line) => rows.push(cells)).push('a,b\n1,2\n')
 */
export function csvParser(name: string, onRecord: OnRecord, given?: Separator): CsvParser {
  let separator = given;
  let head = '';
  let started = false;
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  let cells: string[] = [];
  let cell = '';
  let line = 1;
  let recordLine = 1;
  let quoteLine = 1;
  let afterReturn = false;
  let width: { cells: number; line: number } | undefined;

  function endCell() {
    cells.push(cell);
    cell = '';
    state = 'start';
  }

  function endRecord() {
    const blank = cells.length === 0 && cell === '' && state === 'start';
    if (!blank) {
      endCell();
      width ??= { cells: cells.length, line: recordLine };
      if (cells.length !== width.cells) throw ragged(name, recordLine, cells.length, width);
      onRecord(cells, recordLine);
    }
    cells = [];
    line++;
    recordLine = line;
  }

  function parse(text: string, mark: Separator) {
    if (text.includes('\0'))
      throw new UntangleError(`${name} is not text that can be read: it holds zero bytes near line ${line}.`, {
        hint: 'Save the table as CSV in UTF-8.',
      });
    let i = 0;
    while (i < text.length) {
      if (state === 'quoted') {
        const close = text.indexOf('"', i);
        const piece = text.slice(i, close < 0 ? text.length : close);
        cell += piece;
        line += lineEndsIn(piece, afterReturn);
        afterReturn = piece.endsWith('\r') || (piece === '' && afterReturn);
        if (close < 0) return;
        state = 'closed';
        afterReturn = false;
        i = close + 1;
        continue;
      }
      const c = text[i];
      if (afterReturn) {
        afterReturn = false;
        if (c === '\n') {
          i++;
          continue;
        }
      }
      if (c === '"' && state === 'closed') {
        cell += '"';
        state = 'quoted';
        i++;
      } else if (c === '"' && state === 'start') {
        state = 'quoted';
        quoteLine = line;
        i++;
      } else if (c === mark) {
        endCell();
        i++;
      } else if (c === '\n' || c === '\r') {
        endRecord();
        afterReturn = c === '\r';
        i++;
      } else if (state === 'closed') {
        throw new UntangleError(
          `${name}, line ${line}: “${c}” follows a closing quote, where a ${spoken(mark)} or the end of the line was expected.`,
          { hint: 'Inside a quoted cell, write a quote as two quotes.' },
        );
      } else {
        let stop = i + 1;
        while (stop < text.length && !isStop(text.charCodeAt(stop), mark)) stop++;
        cell += text.slice(i, stop);
        state = 'plain';
        i = stop;
      }
    }
  }

  function start() {
    started = true;
    const text = head.startsWith('\uFEFF') ? head.slice(1) : head;
    separator ??= findSeparator(text);
    head = '';
    parse(text, separator);
  }

  return {
    push(text) {
      if (started && separator !== undefined) {
        parse(text, separator);
        return;
      }
      head += text;
      if (head !== '' && (given !== undefined || head.length >= 65536)) start();
    },
    end() {
      if (!started) start();
      if (state === 'quoted')
        throw new UntangleError(`${name}: a quote that opens on line ${quoteLine} is never closed.`, {
          hint: 'Inside a quoted cell, write a quote as two quotes.',
        });
      if (state !== 'start' || cells.length > 0) endRecord();
    },
  };
}

/** Reads a file of UTF-8 text through a parser. */
export async function readCsvFile(
  path: string,
  name: string,
  onRecord: OnRecord,
  separator?: Separator,
): Promise<void> {
  const parser = csvParser(name, onRecord, separator);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 18 })) parser.push(decodePiece(piece));
  parser.push(decodePiece(undefined));
  parser.end();

  function decodePiece(piece: Uint8Array | undefined): string {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch (cause) {
      throw new UntangleError(`${name} is not text in UTF-8.`, {
        hint: 'Save the table as CSV in UTF-8 (spreadsheets call it “CSV UTF-8”).',
        cause,
      });
    }
  }
}

/**
 * The separator that stands equally often, outside quotes, in each of the first lines: a tab before a comma before `;`, but
 * `;` where every comma stands between two digits, as in 1,5;2,5. Where none is so even, the most frequent of the first line.
 */
export function findSeparator(text: string): Separator {
  const sample = text.slice(0, 65536).replace(/"[^"]*"/g, 'quoted');
  const lines = sample.split(/\r\n|\n|\r/).filter((line) => /[,;\t]/.test(line));
  const head = lines.slice(0, 10);
  const count = (line: string, mark: Separator) => line.split(mark).length - 1;
  const even = (mark: Separator) =>
    head.length > 0 && count(head[0], mark) > 0 && head.every((line) => count(line, mark) === count(head[0], mark));
  if (even('\t')) return '\t';
  const commasAreDecimal = head.every((line) => count(line, ',') === (line.match(/\d,(?=\d)/g)?.length ?? 0));
  if (even(';') && (commasAreDecimal || !even(','))) return ';';
  if (even(',') || head.length === 0) return ',';
  const marks: Separator[] = [',', ';', '\t'];
  return marks.toSorted((a, b) => count(head[0], b) - count(head[0], a))[0];
}

function ragged(name: string, line: number, found: number, width: { cells: number; line: number }): UntangleError {
  return new UntangleError(
    `${name}, line ${line}, has ${found} ${found === 1 ? 'cell' : 'cells'}, but line ${width.line} has ${width.cells}.`,
    { hint: 'Every line needs the same number of cells; a cell that holds the separator must stand in quotes.' },
  );
}

/** Line ends in a piece of a quoted cell: \n, \r\n and a lone \r count one each. */
function lineEndsIn(piece: string, afterReturn: boolean): number {
  let count = 0;
  for (let i = 0; i < piece.length; i++) {
    const c = piece.charCodeAt(i);
    if (c === 13) count++;
    else if (c === 10 && !(i === 0 ? afterReturn : piece.charCodeAt(i - 1) === 13)) count++;
  }
  return count;
}

function isStop(code: number, mark: Separator): boolean {
  return code === mark.charCodeAt(0) || code === 10 || code === 13;
}

function spoken(mark: Separator): string {
  return mark === '\t' ? 'tab' : `“${mark}”`;
}

/** Writes rows of values under a header; numbers with the nine digits that tell floats apart. */
export async function writeCsv(
  path: string,
  columns: readonly string[],
  values: ArrayLike<number | string>,
): Promise<void> {
  const cell = (value: number | string) => (typeof value === 'number' ? `${Number(value.toPrecision(9))}` : value);
  const width = columns.length;
  await writeWhole(path, async (write) => {
    await write(Buffer.from(csvLine(columns)));
    const rows = values.length / width;
    for (let start = 0; start < rows; start += 4096) {
      let text = '';
      for (let row = start; row < Math.min(rows, start + 4096); row++)
        text += csvLine(columns.map((_, k) => cell(values[row * width + k])));
      await write(Buffer.from(text));
    }
  });
}

/** A line of CSV; cells that hold commas, quotes, line ends or outer blanks stand in quotes. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quotedCell).join(',')}\n`;
}

const quotedCell = (text: string) => (/[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
