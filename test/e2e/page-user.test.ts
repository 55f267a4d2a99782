import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lacks } from '../lacking.ts';
import { createPageHome } from './page-home.ts';
import type { PageHome } from './page-home.ts';
import { until } from './until.ts';

const NOBODY = 65_534;
const OPEN_TO_ALL = 0o755;

let home: PageHome;
let opened: ReturnType<PageHome['open']>;
/** What the program was told that opens a browser, and what `fairlead page` said. */
let told: string;
let said: string;
beforeAll(async () => {
  home = createPageHome();
  const bin = join(home.home, 'bin');
  mkdirSync(bin);
  told = join(home.home, 'told');
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$@" > ${told}\n`, { mode: OPEN_TO_ALL });
  Object.assign(home.env, { PATH: `${bin}:${home.env['PATH']}` });
  opened = home.open();
  said = home.fairlead('page');
  await until(() => existsSync(told));
  // Whatever lies above is open, so that what is ours has to be closed by itself.
  chmodSync(dirname(home.home), OPEN_TO_ALL);
  chmodSync(home.home, OPEN_TO_ALL);
});
afterAll(() => home.remove());

const ticketIn = (text: string) => /#([\w-]{30,})/.exec(text)?.[1] ?? '';

it('leads the browser on by a file, tells no other program the ticket, and says what to do where that cannot be read', () => {
  expect(ticketIn(said)).not.toBe('');
  expect(said).toContain('snap or flatpak');
  const file = readFileSync(told, 'utf8').trim();
  expect(file).toMatch(/page-open\.html$/);
  expect(readFileSync(file, 'utf8')).toContain(ticketIn(said));
  expect(statSync(file).mode & 0o077).toBe(0);
});

/** What another user of the machine gets at: files, the words of the process, and the page itself. */
function asOther(code: string, ...args: readonly string[]): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', code, ...args], {
    ...{ uid: NOBODY, gid: NOBODY, cwd: '/', env: { PATH: process.env['PATH'] }, encoding: 'utf8' },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

it.skipIf(lacks('root', 'linux'))('gives another user neither a key nor data', () => {
  const { run, state } = home.world().paths;
  const files = [
    ...readdirSync(run).map((name) => join(run, name)),
    ...readdirSync(state).map((name) => join(state, name)),
  ].filter((path) => statSync(path).isFile());
  expect(files.map((path) => path.slice(run.length + 1))).toContain('page.json');
  const read = asOther(
    `const fs = require('node:fs');
     const isRead = (path) => { try { fs.readFileSync(path); return true; } catch { return false; } };
     console.log(JSON.stringify(process.argv.slice(1).filter(isRead)));`,
    ...files,
    `/proc/${opened.pid}/environ`,
  );
  expect(read).toEqual([]);
  const words = asOther(
    `console.log(JSON.stringify(require('node:fs').readFileSync('/proc/' + process.argv[1] + '/cmdline', 'utf8')))`,
    String(opened.pid),
  );
  const { secret } = JSON.parse(readFileSync(join(run, 'page.json'), 'utf8')) as { readonly secret: string };
  for (const key of [secret, ticketIn(opened.address), ticketIn(said)]) expect(words).not.toContain(key);
  const answers = asOther(
    `const [origin] = process.argv.slice(1);
     const own = { origin, 'sec-fetch-site': 'same-origin' };
     const ask = async ([path, init]) => { const got = await fetch(origin + path, init); return [path, got.status, await got.text()]; };
     Promise.all([
       ['/api/now', {}], ['/api/stops', { headers: own }], ['/api/live', { headers: { authorization: 'Page ' } }],
       ['/api/symbols?root=/&query=a', {}], ['/api/pack?name=a', {}],
       ['/ticket', { method: 'POST' }], ['/enter', { method: 'POST', headers: own, body: 'a'.repeat(43) }],
     ].map(ask)).then((all) => console.log(JSON.stringify(all)));`,
    `http://127.0.0.1:${opened.port}`,
  ) as readonly (readonly [string, number, string])[];
  expect(answers.length).toBe(7);
  for (const [path, status, text] of answers) expect([path, status, text]).toEqual([path, 403, '']);
});
