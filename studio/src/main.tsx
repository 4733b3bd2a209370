/** The shell: navigation, theme, and the page that the address names. Pages load when they are first opened. */
import { type ComponentType, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { RunsPage } from './pages/runs.tsx';
import { href, type Route, route } from './router.ts';
import { sayTrouble, Toast } from './said.tsx';
import { linked, returns, start, type Theme, theme } from './state.ts';
import { Head, Trouble } from './ui.tsx';
import './ui.css';
import './pages/pages.css';

export interface PageProps {
  route: Route;
}

type Loader = () => Promise<ComponentType<PageProps>>;

const pages: Record<string, Loader> = {
  new: async () => (await import('./pages/new.tsx')).NewPage,
  run: async () => (await import('./pages/run.tsx')).RunPage,
  mixer: async () => (await import('./pages/mixer.tsx')).MixerPage,
  transfer: async () => (await import('./pages/transfer.tsx')).TransferPage,
  map: async () => (await import('./pages/map.tsx')).MapPage,
  compare: async () => (await import('./pages/compare.tsx')).ComparePage,
  live: async () => (await import('./pages/live.tsx')).LivePage,
};

/** The page that a path names, `runs` for the first one. */
function pageOf([first, name, view]: readonly string[]): string {
  if (first === undefined) return 'runs';
  if (first === 'runs') return name === undefined ? 'runs' : (view ?? 'run');
  return first;
}

function Shell() {
  const { path } = route.value;
  const main = useRef<HTMLElement>(null);
  const opened = useRef(path.join('/'));
  useEffect(() => {
    // A new page is read from its beginning, by eyes and by screen readers.
    if (opened.current === path.join('/')) return;
    opened.current = path.join('/');
    scrollTo(0, 0);
    main.current?.focus();
  }, [path]);
  const current = (page: string) => (pageOf(path) === page ? 'page' : undefined);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <header class="top">
        <a class="mark" href={href()}>
          <svg width="20" height="20" viewBox="0 0 16 16" aria-hidden="true">
            <path
              d="M2 4c6 0 6 8 12 8M2 12c6 0 6-8 12-8"
              fill="none"
              stroke="var(--accent)"
              stroke-width="2"
              stroke-linecap="round"
            />
          </svg>
          untangle
        </a>
        <nav aria-label="Main">
          <a href={href()} aria-current={path[0] === 'runs' || path.length === 0 ? 'page' : undefined}>
            Runs
          </a>
          <a href={href('compare')} aria-current={current('compare')}>
            Compare
          </a>
          <a href={href('live')} aria-current={current('live')}>
            Live
          </a>
          <a href={href('new')} aria-current={current('new')}>
            New run
          </a>
        </nav>
        <div class="end">
          <ThemeToggle />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {linked.value === false && (
          <div class="notice bad" role="alert" style={{ marginBottom: '24px' }}>
            <p>The studio’s server does not answer.</p>
            <p>If it was closed, start it again with “untangle studio”; this page then goes on by itself.</p>
          </div>
        )}
        <CurrentPage />
      </main>
      <Toast />
    </>
  );
}

const loaded = new Map<string, ComponentType<PageProps>>([['runs', RunsPage]]);

function CurrentPage() {
  const name = pageOf(route.value.path);
  const [, setArrived] = useState('');
  const [error, setError] = useState<Error>();
  useEffect(() => {
    // A browser remembers that a script could not be loaded: only a new page asks for it again.
    if (error && returns.value > 0) location.reload();
  }, [error, returns.value]);
  useEffect(() => {
    const load = Object.hasOwn(pages, name) ? pages[name] : undefined;
    if (loaded.has(name) || !load) return;
    load().then((page) => {
      loaded.set(name, page);
      setArrived(name);
    }, setError);
    return () => setError(undefined);
  }, [name]);
  const Page = loaded.get(name);
  if (Page) return <Page key={route.value.path.join('/')} route={route.value} />;
  if (error) return <Trouble error={new Error('This page could not be loaded: it comes when the server is back.')} />;
  if (Object.hasOwn(pages, name)) return null;
  return <Head title="There is no such page" about={<a href={href()}>To the runs</a>} />;
}

const nextTheme: Record<Theme, Theme> = { system: 'dark', dark: 'light', light: 'system' };
const themeMark: Record<Theme, string> = { system: '◐', dark: '●', light: '○' };

function ThemeToggle() {
  const now = theme.value;
  return (
    <button
      type="button"
      class="plain soft"
      onClick={() => {
        theme.value = nextTheme[now];
      }}
      aria-label={`Colours: ${now}. Change to ${nextTheme[now]}.`}
      title={`Colours: ${now}`}
    >
      <span aria-hidden="true">{themeMark[now]}</span>
    </button>
  );
}

addEventListener('unhandledrejection', ({ reason }) => sayTrouble(reason));
start();
const root = document.querySelector('#app');
if (root) render(<Shell />, root);
