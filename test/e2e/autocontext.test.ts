import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { graphPaths } from '../../src/graph/index.ts';
import type { Canvas, InitRecord } from '../../src/graph/graph.fixture.ts';
import { TRANSPORTS } from './home.ts';
import type { Home } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, call, read, say, turn } from './model.ts';
import type { ModelRequest } from './model.ts';
import { heard, heardInAll } from './session.ts';
import { until } from './until.ts';

type Files = Readonly<Record<string, string>>;

function put(dir: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const full = join(dir, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
}

const SHOP: Files = {
  'src/price.ts': 'export function priceOf(item: string): number {\n  return item.length;\n}\n',
  'src/cart.ts': `import { priceOf } from './price.ts';\n\nexport function totalOf(items: string[]): number {\n  return items.reduce((sum, item) => sum + priceOf(item), 0);\n}\n`,
  'src/invoice.ts': `import { priceOf } from './price.ts';\n\nexport function lineOf(item: string): string {\n  return item + priceOf(item);\n}\n`,
};

function readJson(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** Waits until a root is indexed and nothing of it is being read: the first picture is drawn when nothing else is left to do. */
async function indexed({ state }: Home, root: string): Promise<void> {
  const { init, artifacts } = graphPaths(state, root);
  const isStable = () => (readJson(init) as InitRecord | undefined)?.state === 'stable';
  const isIdle = () => isStable() && existsSync(join(artifacts, 'architecture.png'));
  expect(await until(isIdle), `the index of ${root}`).toBe(true);
}

function pictures({ state }: Home, root: string): string[] {
  const { artifacts } = graphPaths(state, root);
  return existsSync(artifacts) ? readdirSync(artifacts).sort() : [];
}

function evidence({ state }: Home, root: string): Canvas['evidence'] {
  const canvas = readJson(graphPaths(state, root).canvas) as Canvas | undefined;
  return canvas?.evidence ?? [];
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Waits for a picture of that form and looks at its first bytes. */
async function drawn(home: Home, root: string, name: RegExp): Promise<string> {
  const found = await until(() => pictures(home, root).find((file) => name.test(file)));
  expect(found, `a picture like ${name.source}`).toBeDefined();
  const bytes = readFileSync(join(graphPaths(home.state, root).artifacts, found ?? ''));
  if (found?.endsWith('.png')) expect(bytes.subarray(0, 8)).toEqual(PNG);
  else expect(bytes.toString('utf8')).toMatch(/^<\?xml|^<svg/);
  return found ?? '';
}

const CARD = '[autocontext/impact-card]';
const NUDGE = '[codegraph/search-nudge]';
const DIRECTORY = '[autocontext/directory-read]';
const cardsIn = (texts: readonly string[]) => texts.filter((text) => text.includes(CARD));
const nudgesIn = (texts: readonly string[]) => texts.filter((text) => text.includes(NUDGE));

function toolsIn(request: ModelRequest | undefined): string[] {
  const { tools = [] } = JSON.parse(request?.raw ?? '{}') as { tools?: { name: string; defer_loading?: boolean }[] };
  return tools.filter(({ defer_loading: deferred }) => deferred !== true).map(({ name }) => name);
}

const GRAPH_TOOL = 'mcp__fairlead__graph';
const TOOLS = ['--allowedTools', `Read,Bash,Agent,${GRAPH_TOOL}`];

describe.each(TRANSPORTS)('the card over %s', (transport) => {
  it('comes with the first Read of a file that has callers, and leaves evidence and pictures', () =>
    inHome({ transport, init: ['--pack', 'autocontext', '--user'] }, async (home, run) => {
      put(home.project, SHOP);
      const price = join(home.project, 'src/price.ts');
      const session = await run({
        prompts: ['What is a price?', 'And again?'],
        script: {
          main: [
            // That a session has started is enough.
            { ...turn(read(price)), first: () => indexed(home, home.project) },
            turn(read(price)),
            say('Read.'),
            turn(read(price)),
            say('Read again.'),
          ],
        },
      });
      const [card = '', ...more] = cardsIn(heardInAll(session));
      expect(more).toEqual([]);
      expect(cardsIn(heard(session, 2))).toEqual([card]);
      expect(card).toContain('PostToolUse:Read hook additional context');
      for (const part of ['priceOf', 'src/price.ts:1', 'src/cart.ts:4', 'src/invoice.ts:4'])
        expect(card).toContain(part);

      const picture = await drawn(home, home.project, /^impact_priceOf_[0-9a-f]{8}\.png$/);
      await drawn(home, home.project, /^impact_priceOf_[0-9a-f]{8}\.svg$/);
      await drawn(home, home.project, /^architecture\.png$/);
      const known = await until(() => evidence(home, home.project).find(({ kind }) => kind === 'impact'));
      expect(known).toMatchObject({ origin: 'auto', name: 'priceOf', picture: picture.slice(0, -4) });
    }));

  it('is given to a sub-agent too, and again after a compaction', () =>
    inHome({ transport, init: ['--pack', 'autocontext', '--user'] }, async (home, run) => {
      put(home.project, SHOP);
      const price = join(home.project, 'src/price.ts');
      const scout = call('Agent', {
        description: 'look around',
        prompt: '[lane:scout] Look around.',
        subagent_type: 'general-purpose',
        run_in_background: false,
      });
      const session = await run({
        prompts: ['Look at prices.', '/compact', 'And again.'],
        script: {
          main: [
            { ...turn(read(price)), first: () => indexed(home, home.project) },
            turn(scout),
            say('Read.'),
            say('<summary>Prices were looked at.</summary>'),
            turn(read(price)),
            say('Read again.'),
          ],
          scout: [turn(read(price)), turn(read(price)), say('Nothing to report.')],
        },
      });
      const counts = [2, 3, 5, 6].map((nth) => cardsIn(heard(session, nth)).length);
      expect(counts, 'with the Read, with the sub-agent, after the compaction, with the next Read').toEqual([
        1, 1, 0, 1,
      ]);
      expect(cardsIn(heardInAll(session, 'scout'))).toHaveLength(1);
    }));
});

describe.each(TRANSPORTS)('a search where the built-in graph covers the place, over %s', (transport) => {
  it('is answered before it runs', () =>
    inHome({ transport, init: ['--pack', 'autocontext', '--pack', 'codegraph', '--user'] }, async (home, run) => {
      put(home.project, SHOP);
      const session = await run({
        script: {
          main: [{ ...turn(bash('grep -rn priceOf .')), first: () => indexed(home, home.project) }, say('Found.')],
        },
      });
      const [note = '', ...more] = nudgesIn(heardInAll(session));
      expect(more).toEqual([]);
      for (const part of [
        'src/price.ts:1 defines function "priceOf"',
        '2 callers in production',
        'src/cart.ts:4',
        'src/invoice.ts:4',
      ])
        expect(note).toContain(part);
    }));

  it('is left alone in a turn in which the tool was asked, and the tool is there from the start', () =>
    inHome({ transport, init: ['--pack', 'autocontext', '--pack', 'codegraph', '--user'] }, async (home, run) => {
      put(home.project, SHOP);
      const asked = call(GRAPH_TOOL, { action: 'callers', symbol: 'priceOf' });
      const session = await run({
        prompts: ['Who asks for prices?', 'And now?'],
        args: TOOLS,
        script: {
          main: [
            { ...turn(asked), first: () => indexed(home, home.project) },
            turn(bash('grep -rn priceOf .')),
            say('Two of them.'),
            turn(bash('grep -rn totalOf .')),
            say('Nobody.'),
          ],
        },
      });
      expect(toolsIn(session.requests[0])).toContain(GRAPH_TOOL);
      const result = session.results.get(asked.id);
      expect(result?.failed).toBe(false);
      for (const part of ['src/cart.ts:4', 'src/invoice.ts:4']) expect(result?.text).toContain(part);
      expect(nudgesIn(heard(session, 3))).toEqual([]);
      expect(nudgesIn(heardInAll(session))).toEqual([expect.stringContaining('totalOf')]);
    }));
});

/** A project of Cython in a repository that can be cloned. */
function plantCython({ dir, env }: Home): string {
  const source = join(dir, 'source');
  put(source, {
    'setup.py':
      'from setuptools import setup\nfrom Cython.Build import cythonize\n\nsetup(ext_modules=cythonize("mesh/*.pyx"))\n',
    'mesh/__init__.py': 'from mesh.report import summary\n',
    'mesh/vector.pxd': 'cdef double dot(double[:] a, double[:] b)\n',
    'mesh/vector.pyx':
      'cdef double dot(double[:] a, double[:] b):\n    return a[0] * b[0]\n\n\ndef norm(v):\n    return dot(v, v) ** 0.5\n',
    'mesh/report.py':
      'from mesh.vector import norm\n\n\ndef length(vectors):\n    return sum(norm(v) for v in vectors)\n\n\ndef summary(vectors):\n    return f"{length(vectors)}"\n',
  });
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: source, env, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('-c', 'user.name=dev', '-c', 'user.email=dev@example.com', 'commit', '-qm', 'start');
  const bare = join(dir, 'mesh.git');
  git('clone', '-q', '--bare', source, bare);
  return bare;
}

describe.each(TRANSPORTS)('a session that begins in an empty directory, over %s', (transport) => {
  it('has its index as soon as a project is cloned into it, and a card for what is read there', () =>
    inHome({ transport, init: ['--pack', 'autocontext', '--scope', 'user'] }, async (home, run) => {
      const bare = plantCython(home);
      const cwd = join(home.dir, 'work');
      mkdirSync(cwd);
      const clone = join(cwd, 'mesh');
      const source = join(clone, 'mesh/vector.pyx');
      const asked = call(GRAPH_TOOL, { action: 'callers', symbol: 'norm' });
      const session = await run({
        cwd,
        args: TOOLS,
        prompts: ['Get the project.', 'Look at it.', 'Once more.'],
        script: {
          main: [
            turn(bash('ls')),
            turn(bash(`git clone -q ${bare} mesh`)),
            say('There it is.'),
            { ...turn(read(source)), first: () => indexed(home, clone) },
            say('Read.'),
            turn(read(source), asked),
            say('Read again.'),
          ],
        },
      });
      expect(session.results.get(asked.id)).toMatchObject({
        failed: false,
        text: expect.stringContaining('mesh/report.py:5') as string,
      });
      const status = JSON.parse(home.fairlead('graph', 'status', '--root', clone, '--json')) as {
        readonly counts: { readonly files: number };
        readonly initialisation: InitRecord;
      };
      expect(status.counts.files).toBeGreaterThanOrEqual(5);
      expect(status.initialisation).toMatchObject({ reason: 'single-child', state: 'stable' });

      const all = heardInAll(session);
      expect(all.filter((text) => text.startsWith('SessionStart hook additional context')).join('\n')).toContain(
        'autocontext',
      );
      const [card = '', ...more] = cardsIn(all);
      expect(more).toEqual([]);
      for (const part of ['norm', 'mesh/vector.pyx:5', 'mesh/report.py:5']) expect(card).toContain(part);

      for (const name of [/^architecture\.svg$/, /^architecture\.png$/, /^impact_norm_[0-9a-f]{8}\.png$/])
        await drawn(home, clone, name);
      expect(existsSync(graphPaths(home.state, cwd).dir), 'an index of the empty directory').toBe(false);
      expect(execFileSync('git', ['status', '--porcelain'], { cwd: clone, env: home.env, encoding: 'utf8' })).toBe('');
    }));
});

describe.each(TRANSPORTS)('a Read of a directory over %s', (transport) => {
  it('brings one line, once', () =>
    inHome({ transport, init: ['--pack', 'autocontext', '--user'] }, async (home, run) => {
      put(home.project, SHOP);
      const dir = join(home.project, 'src');
      const again = read(dir);
      const session = await run({
        script: {
          main: [
            { ...turn(read(dir)), first: () => indexed(home, home.project) },
            turn(again),
            turn(read(join(home.project, 'nowhere.ts'))),
            say('A directory.'),
          ],
        },
      });
      expect(session.results.get(again.id)?.failed).toBe(true);
      const [line = '', ...more] = heardInAll(session).filter((text) => text.includes(DIRECTORY));
      expect(more).toEqual([]);
      expect(line).toContain('PostToolUseFailure:Read hook additional context');
      expect(line).toContain('directory');
      expect(line).toMatch(/src\/(price|cart|invoice)\.ts/);
    }));
});

describe('the tool server in the agent’s settings', () => {
  interface Servers {
    readonly mcpServers?: Readonly<Record<string, unknown>>;
  }
  const serversOf = ({ dir, project }: Home): object => {
    const own = readJson(join(dir, '.claude.json')) as (Servers & { projects?: Record<string, Servers> }) | undefined;
    const shared = readJson(join(project, '.mcp.json')) as Servers | undefined;
    return { ...own?.mcpServers, ...own?.projects?.[project]?.mcpServers, ...shared?.mcpServers };
  };

  it.each(['local', 'user'])('is there while the hooks are, for the scope %s', (scope) =>
    inHome({ transport: 'command', init: ['--pack', 'autocontext', '--user', '--scope', scope] }, async (home, run) => {
      expect(Object.keys(serversOf(home))).toEqual(['fairlead']);
      const before = await run({ script: { main: [say('Hello.')] } });
      expect(toolsIn(before.requests[0])).toContain(GRAPH_TOOL);
      expect((await home.byPerson('uninstall', '--yes', '--scope', scope)).code).toBe(0);
      expect(serversOf(home)).toEqual({});
      const after = await run({ script: { main: [say('Hello.')] } });
      expect(toolsIn(after.requests[0])).not.toContain(GRAPH_TOOL);
    }),
  );

  it('is not registered where the pack is off', () =>
    inHome({ transport: 'command' }, async (home) => {
      expect(serversOf(home)).toEqual({});
    }));
});
