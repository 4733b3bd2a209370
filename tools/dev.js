/**
 * The studio with reload: Vite serves its pages from their source, and the studio's server, from `dist/`, answers everything else.
 *
 * Run: npm run dev [-- FOLDER], with the folder of runs (runs/ if none is given). Changes of pages, and of what they import,
 * show at once; after a change of the server, start it again.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
if (!process.env.UNTANGLE_SKIP_BUILD) await import('./build.js');
const { openStudio } = await import('../dist/studio/index.js');

const studio = await openStudio({ root: process.argv[2] ?? 'runs', port: 0 });
// The server answers its own pages alone.
const { origin } = new URL(studio.address);
const headers = { origin, authorization: `Bearer ${studio.key}` };
const toStudio = { target: origin, changeOrigin: true, headers };
const pages = await createServer({
  configFile: join(root, 'studio', 'vite.config.ts'),
  server: { host: '127.0.0.1', proxy: { '/api': toStudio, '/ort': toStudio } },
});
await pages.listen();
pages.printUrls();

for (const signal of ['SIGINT', 'SIGTERM']) {
  // Vite would end the process before the studio has stopped its trainings.
  process.removeAllListeners(signal);
  process.once(signal, async () => {
    await Promise.all([pages.close(), studio.close()]);
    process.exit(0);
  });
}
