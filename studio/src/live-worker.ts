/** The worker of a training in the tab: steps the session, on onnxruntime-web, and shows the page what it has come to. */
import * as ort from 'onnxruntime-web/wasm';
import { webBackend } from '../../src/runtime/web/index.ts';
import type { FromWorker, LiveStart, LiveStep, ToWorker } from './live-protocol.ts';
import { openTraining, pictureOf } from './live-training.ts';

/** Milliseconds between pictures, and between words to the page. */
const [betweenPictures, betweenWords] = [500, 100];

let running = false;
let wake = () => {};
/** Numbers that the page has moved since the last step. */
let moved: Record<string, number> = {};

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'number') moved[data.name] = data.value;
  else if (data.kind === 'start')
    train(data).catch((error) =>
      tell({ kind: 'failed', sentence: error instanceof Error ? error.message : String(error) }),
    );
  else {
    running = data.kind === 'go';
    wake();
  }
});

async function train(start: LiveStart): Promise<void> {
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = start.runtime;
  const training = await openTraining(start, webBackend(ort));
  const { session } = training;
  running = true;
  let lines: LiveStep['lines'] = [];
  let [lastWord, lastPicture, spent] = [performance.now(), -Infinity, 0];
  while (true) {
    if (!running) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    for (const [name, value] of Object.entries(moved)) session.hold(name, value);
    moved = {};
    const began = performance.now();
    const terms = await session.step();
    spent += performance.now() - began;
    lines.push({ step: session.iteration, terms });
    const now = performance.now();
    if (now - lastPicture > betweenPictures) {
      tell(await pictureOf(training));
      lastPicture = performance.now();
    }
    if (now - lastWord > betweenWords) {
      tell({ kind: 'steps', lines, rate: (1000 * lines.length) / spent, numbers: session.weights() });
      [lines, spent, lastWord] = [[], 0, now];
      // The page's messages come in between.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
}

function tell(message: FromWorker): void {
  postMessage(message);
}
