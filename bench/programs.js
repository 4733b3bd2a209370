// @ts-check
/** Programs beside the bench that answer lines of JSON with lines of JSON. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** @typedef {{ ask: (question: object) => Promise<any>, close: () => void }} Answering */

/**
 * @param {string} command
 * @param {readonly string[]} words
 * @param {Record<string, string>} [environment]
 * @returns {Answering}
 */
export function start(command, words, environment = {}) {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...environment } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${command} ${words[0]} stopped.`);
      return JSON.parse(value);
    },
    close: () => child.stdin.end(),
  };
}
