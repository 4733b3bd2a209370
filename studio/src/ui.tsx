/** The small pieces that pages share. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunState } from '../../src/runs/index.ts';
import { ApiError, type RunDetail } from './api.ts';
import { href } from './router.ts';
import { asError, sayTrouble, toast } from './said.tsx';
import { returns } from './state.ts';

export function Head({
  title,
  about,
  children,
}: {
  title: string;
  about?: ComponentChildren;
  children?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · untangle studio`;
  }, [title]);
  return (
    <div class="head">
      <div>
        <h1>{title}</h1>
        {about && <p>{about}</p>}
      </div>
      {children && <div class="row">{children}</div>}
    </div>
  );
}

export function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="section" aria-label={title}>
      <div class="row spread">
        <h2>{title}</h2>
        {aside && <div class="row">{aside}</div>}
      </div>
      {children}
    </section>
  );
}

/** A box to tick, with what it says. */
export function Check({
  checked,
  onChange,
  looks = '',
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  looks?: 'small' | 'small soft' | '';
  children: ComponentChildren;
}) {
  return (
    <label class={`check ${looks}`}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {children}
    </label>
  );
}

export type RunView = 'run' | 'mixer' | 'transfer' | 'map';

/** The views of one run. */
export function RunTabs({ name, current }: { name: string; current: RunView }) {
  const tabs = [
    ['run', 'Training', href('runs', name)],
    ['mixer', 'Mixer', href('runs', name, 'mixer')],
    ['transfer', 'Transfer', href('runs', name, 'transfer')],
    ['map', 'Map', href('runs', name, 'map')],
  ] as const;
  return (
    <nav class="tabs" aria-label={`Views of ${name}`}>
      {tabs.map(([key, title, address]) => (
        <a key={key} href={address} aria-current={key === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

/** What a run is, in a line. */
export function runLine({ method, data, background, seed }: RunDetail): string {
  const of = [method, data && `on ${data}`, background && background !== data && `against ${background}`];
  return [of.filter(Boolean).join(' '), seed !== undefined && `seed ${seed}`].filter(Boolean).join(', ');
}

/** A state by its form and its word, not by colour alone. */
export function StateMark({ state }: { state: RunState }) {
  return (
    <span class={`state ${state}`}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        {marks[state]}
      </svg>
      {state}
    </span>
  );
}

const marks: Record<RunState, ComponentChildren> = {
  running: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  done: <path d="M1 5.5 4 8.5 9 1.5" fill="none" stroke="currentColor" stroke-width="1.6" />,
  stopped: <rect x="1.5" y="1.5" width="7" height="7" fill="none" stroke="currentColor" stroke-width="1.5" />,
  failed: <path d="M1.5 1.5l7 7M8.5 1.5l-7 7" stroke="currentColor" stroke-width="1.6" />,
  damaged: <path d="M5 1 9.3 9H.7Z" fill="none" stroke="currentColor" stroke-width="1.3" />,
  newer: <path d="M5 9V1.5M1.5 5 5 1.5 8.5 5" fill="none" stroke="currentColor" stroke-width="1.4" />,
};

/** What went wrong, and what to do. */
export function Trouble({ error }: { error: Error }) {
  return (
    <div class="notice bad" role="alert">
      <p>{error.message}</p>
      {error instanceof ApiError && error.hint && <p>{error.hint}</p>}
    </div>
  );
}

export function Note({ children }: { children: ComponentChildren }) {
  return <div class="notice">{children}</div>;
}

/** Says that something is awaited, but not in the first moment, when it mostly is there already. */
export function Waiting({ what }: { what: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 400);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class="soft" role="status" style={{ padding: '24px 0' }}>
      {late ? what : '\u00a0'}
    </p>
  );
}

export type Loaded<T> = { value: T } | { error: Error } | undefined;

/** Loads something when `key` changes; undefined until it is here. `version` loads it again and keeps the old one until then. */
export function useLoaded<T>(load: () => Promise<T>, key: string, version: number | string = 0): Loaded<T> {
  const [loaded, setLoaded] = useState<{ key: string; result: Loaded<T> }>({ key, result: undefined });
  // What failed may do so no longer once the server is back.
  const again = loaded.result && 'error' in loaded.result ? returns.value : 0;
  useEffect(() => {
    let current = true;
    load().then(
      (value) => current && setLoaded({ key, result: { value } }),
      (error) => current && setLoaded({ key, result: { error: asError(error) } }),
    );
    return () => {
      current = false;
    };
  }, [key, version, again]);
  return loaded.key === key ? loaded.result : undefined;
}

/** A button whose work takes a while: it can't be pressed twice, and says what went wrong. */
export function WorkButton({
  work,
  done,
  busy: isUnderWay = false,
  children,
  class: className,
}: {
  work: () => Promise<unknown>;
  /** What to say afterwards. */
  done?: string;
  /** Whether such work is under way already. */
  busy?: boolean;
  children: ComponentChildren;
  class?: string;
}) {
  const [busy, setBusy] = useState(false);
  const press = async () => {
    setBusy(true);
    try {
      await work();
      if (done) toast(done);
    } catch (thrown) {
      sayTrouble(thrown);
    }
    setBusy(false);
  };
  return (
    <button type="button" class={className ?? ''} disabled={busy || isUnderWay} onClick={press}>
      {children}
    </button>
  );
}

/** The width of an element, as it changes. */
export function useWidth<E extends HTMLElement>(): [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const watch = new ResizeObserver(([{ contentRect }]) => setWidth(Math.floor(contentRect.width)));
    watch.observe(element.current);
    return () => watch.disconnect();
  }, []);
  return [element, width];
}

/** A question before something that can't be undone. */
export function Confirm({
  question,
  about,
  yes,
  onYes,
  onNo,
}: {
  question: string;
  about: string;
  yes: string;
  onYes: () => void;
  onNo: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onNo} aria-label={question}>
      <h2>{question}</h2>
      <p class="soft">{about}</p>
      <div class="row">
        <button type="button" onClick={onNo}>
          Keep
        </button>
        <button type="button" class="danger" onClick={onYes}>
          {yes}
        </button>
      </div>
    </dialog>
  );
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    toast('The browser does not let this page copy; mark the text and copy it by hand.');
  }
}
