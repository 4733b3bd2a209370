/** Held-out items and what the model makes of them: a row for each checkpoint that was seen, so that one sees it improve. */
import { useEffect, useState } from 'preact/hooks';
import type { ModelFile } from '../../src/runs/index.ts';
import { api } from './api.ts';
import { numberText } from './format.ts';
import { imageFacts } from './image.ts';
import { asError } from './said.tsx';
import { Strip } from './strip.tsx';
import { Section, Trouble } from './ui.tsx';
import { openModel } from './with-model.tsx';

const shown = 10;
const mostRows = 6;

interface Row {
  title: string;
  items: Float32Array;
}

export function Reconstructions({ name, model }: { name: string; model: ModelFile }) {
  const [rows, setRows] = useState<Row[]>([]);
  const [error, setError] = useState<Error>();
  const facts = imageFacts(model.data);
  const can = facts !== undefined && model.encodes;
  useEffect(() => {
    if (!can) return;
    let left = false;
    reconstruct(name, model).then(
      ([given, made]) => {
        if (left) return;
        setError(undefined);
        const fresh = { title: `step ${numberText(model.step)}`, items: made };
        setRows(([, ...before]) => [
          { title: 'data', items: given },
          ...before.filter(({ title }) => title !== fresh.title).slice(1 - mostRows),
          fresh,
        ]);
      },
      (thrown) => !left && setError(asError(thrown)),
    );
    return () => {
      left = true;
    };
  }, [name, model.step, can]);
  if (!can) return null;
  return (
    <Section title="Reconstructions">
      {error && <Trouble error={error} />}
      <div class="reconstructions">
        {rows.map(({ title, items }) => (
          <div key={title} class="strip-row">
            <span class="small soft number">{title}</span>
            <Strip
              items={items}
              facts={facts}
              columns={shown}
              label={title === 'data' ? 'Held-out items' : `Reconstructions at ${title}`}
            />
          </div>
        ))}
      </div>
    </Section>
  );
}

async function reconstruct(name: string, file: ModelFile): Promise<[Float32Array, Float32Array]> {
  const [model, { values, count }] = await Promise.all([openModel(name, file), api.items(name, 'test', 0, shown)]);
  return [values, await model.decode(await model.encode(values), count)];
}
