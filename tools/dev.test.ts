import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('npm run dev serves the pages from their source and the studio’s answers behind one address', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'untangle-dev-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'dev.js'), folder], {
    env: { ...process.env, UNTANGLE_SKIP_BUILD: '1', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((done) => child.on('exit', done));
  try {
    const address = await new Promise<string>((done, fail) => {
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
        if (found) done(found[0]);
      });
      child.on('exit', () => fail(new Error(`it ended: ${said}`)));
    });
    expect(await (await fetch(address)).text()).toContain('/@vite/client');
    expect(await (await fetch(`${address}/src/main.tsx`)).text()).toContain('render');
    const session = await (await fetch(`${address}/api/session`)).text();
    expect(JSON.parse(session).runsFolder).toBe(folder);
    // A page's own request passes the server's guard, and is refused for what it says.
    const answer = await fetch(`${address}/api/runs`, {
      method: 'POST',
      headers: { origin: address, 'x-untangle-token': JSON.parse(session).token, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await answer.text()).toContain('“method”');
  } finally {
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    rmSync(folder, { recursive: true });
  }
});
