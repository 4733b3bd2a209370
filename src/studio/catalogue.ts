/** What there is to train and to train on, as the form that starts a run needs it. */
import { builtIn, isHere } from '../data/index.ts';
import { methods } from '../methods/index.ts';
import { jsonSchemaOf } from '../options/index.ts';
import { foundPresets } from '../studies/index.ts';
import { schemaOf } from '../training/session/index.ts';

/** Every method with its options as a JSON schema. */
export function methodList() {
  return Object.values(methods).map((method) => {
    const { name, title, summary, needs, paper, presets } = method;
    return {
      name,
      title,
      summary,
      needs,
      paper,
      options: jsonSchemaOf(schemaOf(method)),
      presets: { ...presets, ...foundPresets[name] },
    };
  });
}

/** Sets that open as a target with its background. */
const contrasts = new Set(['grassy-mnist', 'grassy-mnist-nonlinear', 'styled-mnist', 'shapes-contrast']);
/** Sets of which that depends on the part. */
const either = new Set(['celeba', 'affectnet']);

/** Whether a set opens as a target with its background. */
function kindOf(name: string): 'single' | 'contrast' | 'unknown' {
  if (contrasts.has(name)) return 'contrast';
  return either.has(name) ? 'unknown' : 'single';
}

/** Every registered dataset, and whether its files are here. */
export function datasetList() {
  return Object.entries(builtIn).map(([name, set]) => ({
    name,
    title: set.title,
    what: set.what,
    here: isHere(set),
    kind: kindOf(name),
  }));
}
