/**
 * Builds the site: puts its pages together from `docs/`, from the registries of methods and from the zoo, draws the API out of the
 * sources, and lets VitePress make pages of them that need no server but a static one, and no network.
 *
 * Run: npm run docs [-- --base /untangle/ --out FOLDER]
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import temml from 'temml';
import { checkLinks } from './links.js';

const site = dirname(fileURLToPath(import.meta.url));
const root = join(site, '..');
const pages = join(site, '.pages');
const { values: given } = parseArgs({ options: { base: { type: 'string' }, out: { type: 'string' } } });
const base = given.base ?? '/';
const out = given.out ?? join(site, 'dist');

const { chooseData } = await import('../dist/data/index.js');
const { methods } = await import('../dist/methods/index.js');
const { jsonSchemaOf } = await import('../dist/options/index.js');
const { schemaOf } = await import('../dist/training/session/index.js');
const zoo = JSON.parse(await readFile(join(root, 'zoo', 'zoo.json'), 'utf8')).filter(({ name }) =>
  existsSync(join(root, 'zoo', name)),
);

function node(script, ...words) {
  execFileSync(process.execPath, [join(root, 'node_modules', script), ...words], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SITE_BASE: base, SITE_OUT: out, VITE_EXTRA_EXTENSIONS: 'py' },
  });
}

/** The docs as they are, but for links out of them, and for equations, which become MathML. */
async function copyDocs() {
  const own = (await readdir(join(site, 'pages'))).map((name) => [join(site, 'pages', name), name]);
  const docs = (await readdir(join(root, 'docs'), { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => [join(root, 'docs', name), name.replaceAll('\\', '/')]);
  const others = [
    [join(root, 'CHANGELOG.md'), 'changelog.md'],
    [join(root, 'CONTRIBUTING.md'), 'contributing.md'],
    [join(root, 'SECURITY.md'), 'security.md'],
    [join(root, 'tools', 'README.md'), 'tools.md'],
  ];
  for (const [from, to] of [...docs, ...others, ...own]) {
    await mkdir(dirname(join(pages, to)), { recursive: true });
    await writeFile(join(pages, to), asPage(await readFile(from, 'utf8')));
  }
  await cp(join(root, 'docs', 'images'), join(pages, 'images'), { recursive: true });
  await cp(join(root, 'docs', 'images', 'digits.gif'), join(pages, 'public', 'images', 'digits.gif'));
  await cp(join(root, 'examples'), join(pages, 'public', 'examples'), {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts'),
  });
}

function asPage(markdown) {
  return markdown
    .replaceAll('src="images/', 'src="./images/')
    .replace(/\]\((?:\.\.\/)*docs\//g, '](')
    .replace(/\[([^\]]+)\]\((\.\.\/)+(?:src|studio|site)\/\S+ "([^"]+)"\)/g, '<span title="$3">$1</span>')
    .replace(/\]\((\.\.\/)+examples\//g, '](/examples/')
    .replace(/\]\((?:\.\.\/)*(CONTRIBUTING|CHANGELOG|SECURITY)\.md/g, (_, name) => `](/${name.toLowerCase()}.md`)
    .replace(/\]\((\.\.\/)*tools\/README\.md/g, '](/tools.md')
    .replace(/^\$\$\n([\s\S]*?)\n\$\$$/gm, (_, tex) => `<div class="equation" v-pre>${mathOf(tex, true)}</div>`)
    .replace(/^(```[\s\S]*?^```|.*)$/gm, (line) => (line.startsWith('```') ? line : withInlineMath(line)));
}

/** `$x$` inside of a line, where it is no price and no shell variable: outside of code, without space at its ends. */
function withInlineMath(line) {
  return line
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? part
        : part.replace(/\$(?=\S)([^$]+?)(?<=\S)\$(?!\w)/g, (_, tex) => `<span v-pre>${mathOf(tex)}</span>`),
    )
    .join('');
}

function mathOf(tex, displayMode = false) {
  return temml.renderToString(tex, { displayMode, throwOnError: true }).replaceAll('\n', ' ');
}

/** Models that figures show, and items for the swaps of contrastive ones. */
async function copyZoo() {
  for (const { name, train } of zoo) {
    const to = join(pages, 'public', 'zoo', name);
    for (const part of ['model', 'pictures', 'run.json', 'evaluation.json'])
      await cp(join(root, 'zoo', name, part), join(to, part), { recursive: true });
    const source = train[train.indexOf('--data') + 1];
    if (source === 'shapes-contrast') await writeFile(join(to, 'items.f32'), await itemsOf(source, 5));
  }
}

/** Background items, then as many target items, as floats. */
async function itemsOf(source, count) {
  const { target, background } = (await chooseData(source)).opened;
  const some = (set) => set.gather(Uint32Array.from({ length: count }, (_, i) => 37 * i + 11));
  return Buffer.concat([background, target].map((set) => Buffer.from(some(set).buffer)));
}

const families = [
  ['Unlabelled data', ['data'], 'methods-unsupervised'],
  ['A target and a background', ['target+background'], 'methods-contrastive'],
  ['Labels, or few of them', ['labels', 'few-labels'], 'methods-classes'],
];
const discrete = new Set(['joint-vae', 'infogan']);
const familyOf = ({ name, needs }) =>
  families.findIndex(([, kinds]) => (discrete.has(name) ? kinds.includes('labels') : kinds.includes(needs)));
const modelsOf = (name) => zoo.filter(({ train }) => train[0] === name);

/** To each method’s page of the docs: a live figure, the call that trains it, and its options. */
async function writeMethods() {
  const all = Object.values(methods);
  const list = families.map(([family], place) => ({
    family,
    list: all.filter((method) => familyOf(method) === place).map(({ name, title }) => ({ name, title })),
  }));
  await writeFile(join(pages, 'methods.json'), JSON.stringify(list));
  for (const method of all) {
    const path = join(pages, 'methods', `${method.name}.md`);
    const [, , more] = families[familyOf(method)];
    await writeFile(path, `${await readFile(path, 'utf8')}\n${methodSections(method, more)}`);
  }
  const index = list.map(
    ({ family, list: some }) =>
      `## ${family}\n\n| method | what it does |\n|---|---|\n${some.map(({ name, title }) => `| [${title}](${name}.md) | ${methods[name].summary} |`).join('\n')}`,
  );
  await writeFile(
    join(pages, 'methods', 'index.md'),
    `# Methods\n\nA page for each: its equations, a model of it with sliders that runs in this page, its options, and the call that trains it.\n\n${index.join('\n\n')}\n`,
  );
}

function methodSections(method, more) {
  const some = modelsOf(method.name);
  const [model] = some;
  const figure = model === undefined ? [] : ['## By hand', ...some.map(figureOf), ...swapsOf(model)];
  const train = model === undefined ? exampleOf(method) : `untangle train ${model.train.map(quoted).join(' ')}`;
  return `${[
    ...figure,
    '## Train it',
    `\`\`\`sh\n${train}\n\`\`\``,
    `It learns from ${{ data: 'unlabelled data', 'target+background': 'a target and a background', labels: 'labels', 'few-labels': 'few labels, or none' }[method.needs]}. All options of it and of training: \`untangle methods ${method.name}\`.`,
    '## Options',
    optionsTable(method),
    '## Read on',
    `${method.paper.cite}: ${method.paper.equations}. What was taken from the paper and what is ours, and what was measured, is on [the family’s page](../${more}.md) and under [results](../results.md).`,
  ].join('\n\n')}\n`;
}

const figureOf = ({ name, about }) =>
  `<LiveFigure model="${name}">\n\n${about}. Each slider is one number of the code; the bar beside it says how much it carries. [This model](../zoo.md) is \`${name}\` of the zoo.\n\n</LiveFigure>`;

function swapsOf({ name, train }) {
  if (!train.includes('shapes-contrast')) return [];
  return [
    '## Swap codes',
    `<LiveFigure kind="showSwaps" model="${name}">\n\nItems without a mark beside, items with one above. Swap s: the mark should move, and nothing else. Swap z: all else should.\n\n</LiveFigure>`,
  ];
}

const exampleOf = ({ name, needs }) => `untangle train ${name} --data mnist${needs === 'data' ? '' : ' --labels 1000'}`;
const quoted = (word) => (/^[\w@%+=:,./()-]+$/.test(word) && !/[()]/.test(word) ? word : `'${word}'`);

function optionsTable(method) {
  const { properties } = jsonSchemaOf(schemaOf(method));
  const rows = Object.keys(method.options).map((name) => {
    const { description, default: preset } = properties[name];
    const value = Array.isArray(preset) ? preset.join(',') : String(preset);
    return `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${description.replaceAll('|', '\\|').replaceAll('<', '&lt;')} |`;
  });
  return ['| option | default | |', '|---|---|---|', ...rows].join('\n');
}

/** The zoo in pictures. */
async function writeGallery() {
  const cards = zoo.map(({ name, about, train, picture }) => {
    const method = methods[train[0]];
    return `<a href="./methods/${method.name}.html"><img src="/zoo/${name}/pictures/${picture}.png" alt="${about}" loading="lazy"><strong>${method.title}</strong><span>${about}.</span></a>`;
  });
  const text = await readFile(join(pages, 'gallery.md'), 'utf8');
  await writeFile(
    join(pages, 'gallery.md'),
    text.replace('<!-- models -->', `<div class="gallery">\n${cards.join('\n')}\n</div>`),
  );
}

/** llms.txt: each page by its title, with its own Markdown beside it. */
async function writeIndexForMachines() {
  const names = (await readdir(pages, { recursive: true }))
    .filter((name) => name.endsWith('.md') && !/^(api|public)\//.test(name))
    .sort();
  const lines = [];
  for (const name of names) {
    if (name === 'index.md') continue;
    const text = await readFile(join(pages, name), 'utf8');
    await mkdir(dirname(join(out, name)), { recursive: true });
    await writeFile(join(out, name), text);
    lines.push(`- [${/^# (.+)$/m.exec(text)?.[1] ?? basename(name)}](${base}${name})`);
  }
  const { description } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await writeFile(join(out, 'llms.txt'), `# untangle\n\n> ${description}\n\n## Pages\n\n${lines.join('\n')}\n`);
}

await rm(pages, { recursive: true, force: true });
await mkdir(join(pages, 'public'), { recursive: true });
await copyDocs();
await copyZoo();
await writeMethods();
await writeGallery();
node('typedoc/bin/typedoc', '--options', join(site, 'typedoc.json'));
node('vite/bin/vite.js', 'build', '--config', 'studio/vite.config.ts', '--mode', 'figures', '--logLevel', 'error');
node('vitepress/bin/vitepress.js', 'build', 'site');
await writeIndexForMachines();
const { pages: count, links } = await checkLinks(out, base);
console.log(`${count} pages with ${links} links are in ${out}.`);
