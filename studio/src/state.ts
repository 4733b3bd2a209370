/** What all pages share: the list of runs as it changes, and the theme. */
import { effect, signal } from '@preact/signals';
import type { RunRow } from '../../src/studio/runs.ts';
import { api, forgetSession } from './api.ts';
import { followRuns } from './events.ts';

/** Undefined until the server has answered. */
export const runs = signal<RunRow[] | undefined>(undefined);
/** Whether the server is there; undefined until that is known. */
export const linked = signal<boolean | undefined>(undefined);
/** How often the server came back after it had been away. */
export const returns = signal(0);
export const selected = signal<ReadonlySet<string>>(new Set());

export type Theme = 'system' | 'light' | 'dark';
export const theme = signal<Theme>(storedTheme());

export function start(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    localStorage.setItem('untangle theme', theme.value);
  });
  followRuns(
    (list) => {
      runs.value = list;
    },
    (open) => {
      if (open && linked.value === false) {
        forgetSession();
        returns.value++;
      }
      linked.value = open;
    },
  );
  // The list itself comes sooner than the first event of a stream that has to open.
  api.runs().then(
    (list) => {
      runs.value ??= list;
      linked.value = true;
    },
    () => {
      linked.value = false;
    },
  );
}

function storedTheme(): Theme {
  const stored = localStorage.getItem('untangle theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
