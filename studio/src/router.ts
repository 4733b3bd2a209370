/** Hash routes, so that every view is a link that can be copied: `#/runs/NAME/mixer?z=0.5,1`. */
import { computed, signal } from '@preact/signals';

export interface Route {
  path: readonly string[];
  query: URLSearchParams;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const route = computed<Route>(() => parseRoute(hash.value));

/** @example parseRoute('#/runs/a%20b/map?block=z').path // ['runs', 'a b', 'map'] */
function parseRoute(text: string): Route {
  const [path, query = ''] = text.replace(/^#/, '').split('?', 2);
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** @example href('runs', 'a b', 'mixer') // '#/runs/a%20b/mixer' */
export function href(...path: string[]): string {
  return `#/${path.map(encodeURIComponent).join('/')}`;
}

/** The address of a comparison: a name may hold anything, so each stands by itself. */
export function compareHref(names: readonly string[]): string {
  return `${href('compare')}${names.length > 0 ? '?' : ''}${names.map((name) => `run=${encodeURIComponent(name)}`).join('&')}`;
}

/** The runs of a comparison; links of earlier versions hold them with commas in between. */
export function comparedRuns(query: URLSearchParams): string[] {
  const earlier = (query.get('runs') ?? '').split(',').filter(Boolean);
  return [...new Set([...query.getAll('run'), ...earlier])];
}

export function goTo(address: string): void {
  location.hash = address;
}

/** Changes the address without a new entry in the browser's history and without drawing the page anew. */
export function replaceAddress(address: string): void {
  history.replaceState(null, '', address);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
