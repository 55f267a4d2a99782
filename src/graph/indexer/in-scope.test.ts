import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { openFreshener } from '../on-demand/freshener.ts';
import { readStatus } from '../on-demand/read-status.ts';
import { readScope } from '../store/scope.ts';
import { openProject } from './project.fixture.ts';
import type { Project } from './project.fixture.ts';
import { serveProject } from './served-project.fixture.ts';
import type { Served } from './served-project.fixture.ts';

/** Three packages of three files; the last of them needs the middle one. */
const TREE = {
  'alpha/package.json': '{"name":"alpha"}',
  'alpha/a.ts': 'export function a() {}\n',
  'alpha/b.ts': 'export function b() {}\n',
  'middle/package.json': '{"name":"middle","main":"./m.ts"}',
  'middle/m.ts': 'export function m() {}\n',
  'middle/n.ts': 'export function n() {}\n',
  'zeta/package.json': '{"name":"zeta","dependencies":{"middle":"workspace:*"}}',
  'zeta/y.ts': `import { m } from 'middle';\nexport function y() { m() }\n`,
  'zeta/z.ts': `import { y } from './y.ts';\nexport function z() { y() }\n`,
};
const ALPHA = ['alpha/a.ts', 'alpha/b.ts', 'alpha/package.json'];
const MIDDLE = ['middle/m.ts', 'middle/n.ts', 'middle/package.json'];
const ZETA = ['zeta/package.json', 'zeta/y.ts', 'zeta/z.ts'];
const walk = { maxFiles: 6 };

let project: Project;
let served: Served;
beforeEach(() => {
  project = openProject(TREE);
  served = serveProject(project.state, project.root);
});
afterEach(async () => {
  await served.close();
  project.close();
});

const scope = () => readScope(nodeFiles, project.location, project.root);
function indexed(): string[] {
  const reader = project.graph();
  const paths = reader.files().map(({ path }) => path);
  reader.close();
  return paths.sort();
}

it('a package that is touched is indexed with what it needs, and the rest as far as there is room', async () => {
  await served.ask({ do: 'index', walk });
  expect(indexed()).toEqual([...ALPHA, ...MIDDLE]);
  expect(scope()).toEqual({ version: 1, root: project.root, files: 6, of: 9, touched: [], first: [] });

  await served.ask({ do: 'sweep', walk, touched: ['zeta'] });
  expect(indexed()).toEqual([...MIDDLE, ...ZETA]);
  expect(scope()).toMatchObject({ files: 6, of: 9, touched: ['zeta'], first: ['zeta', 'middle'] });
  const reader = project.graph();
  const [called] = reader.named('m');
  expect(reader.incoming(called as number).map(({ path }) => path)).toContain('zeta/y.ts');
  reader.close();

  // Whoever sweeps, refreshes or makes it anew, it stays so.
  for (const request of [
    { do: 'sweep' },
    { do: 'refresh', paths: [`${project.root}/alpha/a.ts`] },
    { do: 'index', force: true },
  ] as const) {
    await served.ask({ ...request, walk });
    expect(indexed()).toEqual([...MIDDLE, ...ZETA]);
  }
});

it('what a touched package needs is looked up again when its manifest has changed', async () => {
  await served.ask({ do: 'index', walk });
  await served.ask({ do: 'sweep', walk, touched: ['zeta'] });
  project.write('zeta/package.json', '{"name":"zeta","dependencies":{"alpha":"workspace:*"}}');
  await served.ask({ do: 'refresh', walk, paths: [`${project.root}/zeta/package.json`] });
  expect(indexed()).toEqual([...ALPHA, ...ZETA]);
  project.write('zeta/package.json', '{"name":"zeta","devDependencies":{"middle":"*"}}');
  await served.ask({ do: 'sweep', walk });
  expect(indexed()).toEqual([...MIDDLE, ...ZETA]);
});

it('nothing is kept of a root whose files are all indexed', async () => {
  await served.ask({ do: 'sweep', walk: { maxFiles: 9 }, touched: ['zeta'] });
  expect(nodeFiles.exists(project.location.scope)).toBe(false);
  await served.ask({ do: 'index', walk });
  expect(scope()).toBeDefined();
  project.remove('alpha');
  await served.ask({ do: 'sweep', walk });
  expect(nodeFiles.exists(project.location.scope)).toBe(false);
  expect(indexed()).toEqual([...MIDDLE, ...ZETA]);
});

it('whoever asks walks as the index was made, and is told how much of it there is', async () => {
  await served.ask({ do: 'index', walk });
  await served.ask({ do: 'sweep', walk, touched: ['zeta'] });
  const { state, root } = project;
  const indexing = { ask: () => Promise.reject(new Error('there is nothing to ask for')) };
  const freshener = openFreshener({ state, root, files: nodeFiles, indexing, settings: { walk } });
  await freshener.sweep();
  expect([freshener.behind(), freshener.isPartial()]).toEqual([0, false]);
  expect(freshener.scope?.()).toEqual({ files: 6, of: 9 });
  freshener.close();
  const status = readStatus({ path: root, reason: 'explicit' }, { state, files: nodeFiles, look: true, walk });
  expect(status).toMatchObject({ state: 'stable', stale: 0, scope: { files: 6, of: 9 } });
});

it('a record that is damaged or of another root is none', () => {
  const about = { version: 1, root: project.root, files: 6, of: 9, touched: [], first: ['a'] };
  nodeFiles.makeDir(project.location.workspace, 0o700);
  const write = (text: string) => nodeFiles.writeDerived(project.location.scope, new TextEncoder().encode(text), 0o600);
  for (const [text, isRead] of [
    [JSON.stringify(about), true],
    [JSON.stringify({ ...about, root: '/other' }), false],
    [JSON.stringify({ ...about, version: 2 }), false],
    [JSON.stringify({ ...about, first: [1] }), false],
    ['{"version":1', false],
    ['null', false],
  ] as const) {
    write(text);
    expect(scope() !== undefined, text).toBe(isRead);
  }
});
