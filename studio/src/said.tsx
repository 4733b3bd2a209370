/** A sentence on what was just done or went wrong, at the foot of the page. */
import { signal } from '@preact/signals';

const said = signal('');
let timer: ReturnType<typeof setTimeout> | undefined;

export function toast(sentence: string): void {
  said.value = sentence;
  clearTimeout(timer);
  timer = setTimeout(() => {
    said.value = '';
  }, 5000);
}

/** Says what went wrong, with what to do about it where the server said so. */
export function sayTrouble(thrown: unknown): void {
  const error = asError(thrown);
  const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
  toast(hint === undefined ? error.message : `${error.message} ${hint}`);
}

/** Where the sentence stands, for the eye and for screen readers. */
export function Toast() {
  return (
    <div class="toast" role="status">
      {said.value}
    </div>
  );
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
