/** Finding a named part of the latent. */
import { UntangleError, unknownName } from '../errors.ts';
import type { CodeBlock, CodeTable } from './metric.ts';

/** The dimensions of the block called `name`; without a name the first block of a role, and without that all dimensions. */
export function blockOf(
  { blocks = [], d }: CodeTable,
  name: string | null,
  role?: CodeBlock['role'],
): { name: string; start: number; size: number } {
  if (name === null) return blocks.find((block) => block.role === role) ?? { name: 'all', start: 0, size: d };
  const found = blocks.find((block) => block.name === name);
  if (found) return found;
  const names = blocks.map((block) => block.name);
  if (names.length > 0) throw unknownName('block', name, names);
  throw new UntangleError(`There is no block “${name}”: the codes have no blocks.`, { kind: 'call' });
}
