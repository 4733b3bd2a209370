/**
 * Attacks on untangle, each with a table at its end: what was tried, and how often it ended as it should.
 *
 * Run: npm run harden -- kill|damage|disk|fuzz|studio|soak [--dose N] [--seed N]. The dose is how much is tried; the tests take small
 * ones, a night a large one. Exits with 1 where something did not end as it should.
 */
import { parseArgs } from 'node:util';

const attacks = ['kill', 'damage', 'disk', 'fuzz', 'studio', 'soak'];
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { dose: { type: 'string' }, seed: { type: 'string', default: '1' } },
});
const unknown = positionals.filter((name) => !attacks.includes(name));
if (positionals.length === 0 || unknown.length > 0) {
  console.error(`Name attacks: ${attacks.join(', ')}${unknown.length > 0 ? `; not ${unknown.join(', ')}` : ''}.`);
  process.exit(2);
}
let isFine = true;
for (const name of positionals) {
  const { attack } = await import(`./${name}.js`);
  const given = { seed: Number(values.seed), ...(values.dose !== undefined && { dose: Number(values.dose) }) };
  isFine = (await attack(given)) && isFine;
}
process.exit(isFine ? 0 : 1);
