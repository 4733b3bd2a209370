/** The traversals of several runs side by side: of each the dimensions that carry most. */
import { priorOf, startingCodes, traversed } from '../../src/model/index.ts';
import type { ModelFile } from '../../src/runs/index.ts';
import { dimensionsByKl, traversalValues } from './codes.ts';
import type { Compared } from './compare-data.ts';
import { imageFacts } from './image.ts';
import { Strip } from './strip.tsx';
import { Section, Trouble, useLoaded, Waiting } from './ui.tsx';
import { openModel } from './with-model.tsx';

const [stripRows, stripLength] = [4, 9];

export function Traversals({ compared }: { compared: readonly Compared[] }) {
  const shown = compared.filter(({ run }) => run.model && imageFacts(run.model.data)).slice(0, 8);
  if (shown.length === 0) return null;
  return (
    <Section
      title="Traversals"
      aside={<span class="small soft">the dimensions that carry most, from the prior’s middle</span>}
    >
      <div class="columns">
        {shown.map(
          ({ run }) =>
            run.model && <TraversalRows key={run.name} name={run.name} model={run.model} names={run.names} />,
        )}
      </div>
    </Section>
  );
}

function TraversalRows({ name, model, names }: { name: string; model: ModelFile; names: Compared['run']['names'] }) {
  const rows = useLoaded(() => traversalsOf(name, model), `${name} ${model.step}`);
  const facts = imageFacts(model.data);
  return (
    <div>
      <h3>{name}</h3>
      {!rows && <Waiting what="Decoding …" />}
      {rows && 'error' in rows && <Trouble error={rows.error} />}
      {facts &&
        rows &&
        'value' in rows &&
        rows.value.map(({ block, index, items }) => (
          <div key={`${block} ${index}`} class="traversal-row">
            <span class="small soft">{names[block]?.[index] || `${block} ${index}`}</span>
            <Strip
              items={items}
              facts={facts}
              columns={stripLength}
              label={`Traversal of ${block} ${index} in ${name}`}
            />
          </div>
        ))}
    </div>
  );
}

async function traversalsOf(name: string, file: ModelFile) {
  const model = await openModel(name, file);
  const codes = startingCodes(file.blocks);
  const dimensions = file.blocks
    .filter((block) => block.kind === 'gaussian' && model.takes(block))
    .flatMap((block) => dimensionsByKl(block).map((index) => ({ block, index, kl: Number(block.kl?.[index] ?? 0) })))
    .sort((a, b) => b.kl - a.kl)
    .slice(0, stripRows);
  const rows = [];
  for (const { block, index } of dimensions) {
    const values = traversalValues(priorOf(block, codes), index, stripLength);
    rows.push({
      block: block.name,
      index,
      items: await model.decode(traversed(codes, block, index, values), stripLength),
    });
  }
  return rows;
}
