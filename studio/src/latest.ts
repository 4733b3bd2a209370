/** Work that keeps up with a hand. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { asError, toast } from './said.tsx';

/** The newest result of work that may be asked for faster than it is done: what came in between is passed over. */
export function useLatest<T>(work: () => Promise<T>): T | undefined {
  const [result, setResult] = useState<T>();
  const state = useRef<{ busy: boolean; next?: () => Promise<T> }>({ busy: false });
  useLayoutEffect(() => {
    const { current } = state;
    current.next = work;
    if (current.busy) return;
    current.busy = true;
    (async () => {
      while (current.next) {
        const now = current.next;
        delete current.next;
        try {
          setResult(await now());
        } catch (thrown) {
          toast(asError(thrown).message);
        }
      }
      current.busy = false;
    })();
  }, [work]);
  return result;
}
