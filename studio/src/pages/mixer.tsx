/** The mixer on a run: the code stands in the address, dimensions get names, and items of its data are there to start from. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Codes } from '../../../src/model/index.ts';
import type { Names } from '../../../src/studio/names.ts';
import { api, type RunDetail } from '../api.ts';
import { codesOfQuery, codesQuery } from '../codes.ts';
import { useExplanations } from '../explanations.ts';
import { ItemPicker } from '../item-picker.tsx';
import type { PageProps } from '../main.tsx';
import { Mixer } from '../mixer.tsx';
import type { BrowserModel } from '../model.ts';
import { href, type Route, replaceAddress } from '../router.ts';
import { asError, toast } from '../said.tsx';
import { copy } from '../ui.tsx';
import { WithModel, WithRun } from '../with-model.tsx';

export function MixerPage({ route }: PageProps) {
  return (
    <WithRun route={route} view="mixer">
      {(run) => <WithModel run={run}>{(model) => <RunMixer run={run} model={model} route={route} />}</WithModel>}
    </WithRun>
  );
}

function RunMixer({ run, model, route }: { run: RunDetail; model: BrowserModel; route: Route }) {
  const { blocks, data } = model.file;
  const [names, setNames] = useState<Names>(run.names);
  const explanations = useExplanations(model);
  const from = useMemo(() => codesOfQuery(route.query, blocks), [route, blocks]);
  const address = useRef('');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const onCodes = useCallback(
    (codes: Codes) => {
      address.current = `${href('runs', run.name, 'mixer')}?${codesQuery(codes, blocks)}`;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => replaceAddress(address.current), 300);
    },
    [run.name, blocks],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  const rename = async (block: string, index: number, text: string) => {
    setNames((now) => ({ ...now, [block]: { ...now[block], [index]: text } }));
    try {
      await api.nameDimension(run.name, block, index, text);
    } catch (thrown) {
      toast(asError(thrown).message);
    }
  };
  return (
    <Mixer
      model={model}
      from={from}
      onCodes={onCodes}
      explanations={explanations}
      names={names}
      onName={rename}
      picker={(onPick) => <ItemPicker run={run} onPick={onPick} />}
    >
      <button
        type="button"
        class="plain soft"
        onClick={() => {
          replaceAddress(address.current);
          copy(location.href, 'The link to this code is');
        }}
      >
        Copy link
      </button>
      {data.shape.kind === 'image' && (
        <button type="button" class="plain soft" onClick={() => savePicture(run.name)}>
          Save PNG
        </button>
      )}
    </Mixer>
  );
}

/** The picture, at least 256 pixels wide, as a file. */
function savePicture(name: string): void {
  const drawn = document.querySelector('canvas.decoded');
  if (!(drawn instanceof HTMLCanvasElement)) return;
  const factor = Math.max(1, Math.ceil(256 / drawn.width));
  const large = document.createElement('canvas');
  large.width = drawn.width * factor;
  large.height = drawn.height * factor;
  const context = large.getContext('2d');
  if (!context) return;
  context.imageSmoothingEnabled = false;
  context.drawImage(drawn, 0, 0, large.width, large.height);
  const link = document.createElement('a');
  link.download = `${name}.png`;
  link.href = large.toDataURL('image/png');
  link.click();
}
