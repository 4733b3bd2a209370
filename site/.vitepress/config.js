/** The site: what `site/build.js` has put together in `site/.pages`, as pages that a static server shows under any path. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';

const pages = join(import.meta.dirname, '..', '.pages');
const read = (name) => JSON.parse(readFileSync(join(pages, name), 'utf8'));
const titleOf = (name) => /^# (.+)$/m.exec(readFileSync(join(pages, `${name}.md`), 'utf8'))?.[1] ?? name;
const items = (...names) => names.map((name) => ({ text: titleOf(name), link: `/${name}` }));
const chapter = (text, ...names) => ({ text, items: items(...names) });
const methods = read('methods.json');
const tutorials = readdirSync(join(pages, 'tutorials'))
  .map((name) => `tutorials/${name.replace(/\.md$/, '')}`)
  .filter((name) => name !== 'tutorials/index');

const guide = [
  { text: 'Start', items: [...items('start'), ...items(...tutorials)] },
  chapter(
    'Use',
    'data',
    'own-data',
    'options',
    'training',
    'metrics',
    'pictures',
    'contrast',
    'classes',
    'export',
    'hub',
    'zoo',
    'studio',
    'sweeps',
    'library',
  ),
  chapter(
    'Extend',
    'adding-a-method',
    'adding-a-metric',
    'adding-a-dataset',
    'adding-an-op',
    'adding-a-verb',
    'adding-a-page',
  ),
  chapter('Project', 'architecture', 'engine', 'run-folder', 'hardening', 'features', 'changelog', 'contributing'),
];

const methodPages = [
  ...items('methods/index'),
  ...methods.map(({ family, list }) => ({
    text: family,
    items: list.map(({ name, title }) => ({ text: title, link: `/methods/${name}` })),
  })),
  chapter('Read on', 'methods-unsupervised', 'methods-contrastive', 'methods-classes'),
];

export default defineConfig({
  title: 'untangle',
  description: 'Takes images and tables apart into factors that a person can name, measure, move and transfer.',
  lang: 'en',
  base: process.env.SITE_BASE ?? '/',
  srcDir: '.pages',
  outDir: process.env.SITE_OUT ?? join(import.meta.dirname, '..', 'dist'),
  cacheDir: join(import.meta.dirname, '..', '.cache'),
  // What a reader may click on next is not loaded before they do.
  router: { prefetchLinks: false },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // `site/links.js` looks at every link and anchor of what was built, these among them.
  ignoreDeadLinks: [/^https?:\/\/localhost/, /\/examples\//],
  // Anchors as GitHub has them, so that links in the docs hold in both places.
  markdown: { anchor: { slugify } },
  vite: { build: { chunkSizeWarningLimit: 4000 }, logLevel: 'warn' },
  themeConfig: {
    search: {
      provider: 'local',
      options: { _render: (text, env, md) => (env.relativePath.startsWith('api/') ? '' : md.render(text, env)) },
    },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/start', activeMatch: '^/(start|tutorials)' },
      { text: 'Methods', link: '/methods/' },
      { text: 'Gallery', link: '/gallery' },
      { text: 'Live', link: '/live' },
      { text: 'Results', link: '/results' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: {
      '/api/': [{ text: 'API', items: read('api/typedoc-sidebar.json') }],
      '/methods': methodPages,
      '/results': chapters('results', 'studies'),
      '/studies': chapters('results', 'studies'),
      '/': guide,
    },
  },
});

function slugify(title) {
  return title
    .trim()
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Nd}\p{Mark} _-]/gu, '')
    .replaceAll(' ', '-');
}

function chapters(...names) {
  return [chapter('Does it hold?', ...names)];
}
