import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plantShop } from '../cli/graph/indexed-project.fixture.ts';
import type { ShopProject } from '../cli/graph/indexed-project.fixture.ts';
import { PROVIDERS } from '../packs/codegraph/providers.ts';
import { callOf, routeOf } from '../packs/codegraph/routes.ts';
import type { Query } from '../packs/codegraph/routes.ts';
import { startServer } from './server-process.fixture.ts';
import type { ServerProcess } from './server-process.fixture.ts';

let shop: ShopProject;
let server: ServerProcess;

beforeAll(async () => {
  shop = plantShop();
  // A chain a1 → a2 → a3 → a4, two functions of one name, and a class whose method is called by another one.
  shop.putProject(
    'chain.py',
    'def a4():\n    pass\n\ndef a3():\n    a4()\n\ndef a2():\n    a3()\n\ndef a1():\n    a2()\n',
  );
  shop.putProject('twin/one.py', 'def twin():\n    pass\n\ndef uses():\n    twin()\n');
  shop.putProject('twin/two.py', 'def twin():\n    pass\n');
  shop.putProject(
    'pair.ts',
    'export class C {\n  c(): void {}\n}\nexport class D {\n  d(): void {\n    new C().c();\n  }\n}\n',
  );
  server = await startServer({ home: shop.home, cwd: shop.root });
});
afterAll(async () => {
  await server.close();
  await shop.remove();
});

const graph = (given: unknown) => server.call('graph', given);
const canvas = (given: unknown) => server.call('canvas', given);

it('lists its two tools', async () => {
  const { result } = (await server.request('tools/list')) as {
    result: { tools: { name: string; inputSchema: object }[] };
  };
  expect(result.tools.map(({ name }) => name)).toEqual(['graph', 'canvas']);
  for (const { inputSchema } of result.tools)
    expect(inputSchema).toMatchObject({ type: 'object', required: ['action'] });
});

it('a question where there is no index makes one first, and says how far it is to whoever asked', async () => {
  const told = await server.call('graph', { action: 'callers', symbol: 'main' }, { progressToken: 'p' });
  expect(told).toEqual({
    text: expect.stringMatching(/^main {2}function {2}src\/main\.ts[^]*\nstable$/),
    isError: false,
  });
  expect(server.notes).toContainEqual(
    expect.objectContaining({
      method: 'notifications/progress',
      params: expect.objectContaining({ progressToken: 'p', message: expect.stringContaining(' files') }),
    }),
  );
  expect((await graph({ action: 'status' })).text).toMatch(
    /state: stable\nlast attempt: ended .*, because of explicit\n/,
  );
});

describe('graph', () => {
  it.each<[object, string | RegExp]>([
    [
      { action: 'search', query: 'store save', limit: 1 },
      /Store\.save {2}method[^]*… \d more: graph {"action":"search","query":"store save","limit":3}/,
    ],
    [{ action: 'search', query: 'main', kind: ['class'] }, 'no class fits "main"'],
    [{ action: 'callers', symbol: 'src/store.ts:3' }, 'Store.save  method'],
    [{ action: 'callers', query: 'Store.save', possible: true }, '1 caller in production; 1 call'],
    [{ action: 'callers', symbol: 'save', file: 'src' }, 'Store.save  method'],
    [{ action: 'callees', symbol: 'main' }, '2 callees, 2 calls'],
    [{ action: 'context', symbols: ['main', 'run'] }, 'run  function  tool.py:4'],
    [{ action: 'context', symbol: 'run' }, 'run  function  tool.py:4'],
    [{ action: 'context', query: 'parse config' }, '1  def parse_config(text):'],
    [{ action: 'files' }, /^8 files, /],
    [{ action: 'files', query: 'python' }, /^4 files in python/],
    [{ action: 'files', query: 'rust' }, 'no indexed files in rust; there is python, typescript'],
    [{ action: 'files', query: '*.test.ts' }, '1 file matching *.test.ts'],
    [{ action: 'files', query: 'twin' }, '2 files below twin'],
    [{ action: 'files', path: 'src', format: 'flat' }, '  src/main.ts  1\n'],
    [{ action: 'files', limit: 1 }, '… 7 more: graph {"action":"files","limit":8}'],
    [{ action: 'status' }, /\(a project\)\nstate: stable\n[^]*9 files \(python 4, typescript 4, manifests 1\)/],
    [{ action: 'callers', symbol: 'main', depth: 3 }, /\nnot used by callers: depth$/],
  ])('%j', async (given, text) => {
    const told = await graph(given);
    expect(told.isError).toBe(false);
    if (typeof text === 'string') expect(told.text).toContain(text);
    else expect(told.text).toMatch(text);
  });

  it('index reads what changed, and all of it when told to', async () => {
    expect((await graph({ action: 'init' })).text).toMatch(/\n0 files read, 0 gone[^]*9 files[^]*\nstable$/);
    expect((await graph({ action: 'index', force: true })).text).toContain('\n9 files read');
    expect((await graph({ action: 'index', verify: true })).text).toContain('\n0 files read');
  });

  it('impact of a function and of a class', async () => {
    expect((await graph({ action: 'impact', symbol: 'a4', depth: 1 })).text).toContain('1 caller up to distance 1');
    const { text } = await graph({ action: 'impact', symbol: 'C', depth: 1 });
    expect(text).toMatch(/distance 1: 1 caller in production\n {2}D {2}pair\.ts:6/);
    expect(text).toContain('no callees found');
  });

  it('depth is honoured', async () => {
    const callers = await Promise.all(
      [1, 2, 3].map(async (depth) => (await graph({ action: 'impact', symbol: 'a4', depth })).text),
    );
    expect(callers.map((text) => /(\d+) callers? up to distance (\d)/.exec(text)?.slice(1))).toEqual([
      ['1', '1'],
      ['2', '2'],
      ['3', '3'],
    ]);
  });

  it('unknown, several, the best of several', async () => {
    expect((await graph({ action: 'impact', symbol: 'parse_confg' })).text).toMatch(
      /no symbol "parse_confg"\nsimilar names\n {2}parse_config/,
    );
    expect((await graph({ action: 'impact', symbol: 'twin' })).text).toContain('"twin" is the name of 2 symbols');
    const { text } = await graph({ action: 'impact', symbol: 'twin', pick: 'best' });
    expect(text).toContain('twin  function  twin/one.py:1');
    expect(text).toContain('also of that name: twin twin/two.py:1');
  });

  it('context stays within max_chars, whole symbols only', async () => {
    const { text } = await graph({
      action: 'context',
      symbols: ['Store', 'main', 'run', 'parse_config'],
      max_chars: 500,
    });
    expect(text.length).toBeLessThanOrEqual(500);
    expect(text).toMatch(/left out for length, \d+ characters: graph {"action":"context","symbols":\[/);
  });

  it.each([100, 200, 400])('every answer ends within %i characters', async (max_chars) => {
    for (const given of [
      { action: 'impact', symbol: 'Store' },
      { action: 'files' },
      { action: 'search', query: 'a', depth: 2 },
      { action: 'status' },
      { action: 'index' },
      { action: 'draw' },
    ]) {
      const { text } = await graph({ ...given, max_chars });
      expect(text.length).toBeLessThanOrEqual(max_chars);
      // No path and no number is cut in two.
      expect(text).not.toMatch(/[^ …]…$/m);
    }
    expect((await canvas({ action: 'status', max_chars })).text.length).toBeLessThanOrEqual(max_chars);
  });

  it.each(['search', 'callers', 'files'])('%s with a word of any length says in few what it was', async (action) => {
    const { text } = await graph({ action, query: 'z'.repeat(100_000) });
    expect(text.length).toBeLessThan(400);
    expect(text).toMatch(/zzz…zzz[^]*\nstable$/);
  });

  it('an error quotes no more than it must', async () => {
    const told = await graph({ action: 'status', root: `no\u0000where${'z'.repeat(100_000)}` });
    expect(told).toMatchObject({ isError: true, text: expect.stringMatching(/^root: .*no\ufffdwherez+…$/) });
    expect(told.text.length).toBeLessThanOrEqual(1_000);
  });

  it('a call for more can be made as it is written', async () => {
    const { text } = await graph({ action: 'files', limit: 1, root: shop.root });
    const [, name = '', given = ''] = /more: (\w+) ({.*})/.exec(text) ?? [];
    expect(given).toContain(JSON.stringify(shop.root));
    expect(await server.call(name, JSON.parse(given))).toEqual({
      text: expect.not.stringContaining('more:'),
      isError: false,
    });
  });
});

describe('an error of the tool, never of the protocol', () => {
  it.each<[string, unknown, RegExp]>([
    ['graph', { action: 'nope' }, /there is no action "nope"; there is search, callers/],
    ['graph', {}, /action is missing/],
    ['graph', undefined, /action is missing/],
    ['graph', { action: 'callers' }, /callers wants the argument symbol/],
    ['graph', { action: 'search' }, /search wants the argument query/],
    ['graph', { action: 'context' }, /context wants the argument query \(words\) or symbols/],
    ['graph', { action: 'search', query: 'x', kind: ['clas'] }, /no kind of symbol is called "clas", perhaps class/],
    ['graph', { action: 'index', force: true, verify: true }, /force or verify, not both/],
    ['graph', { action: 'callers', symbol: 'main', root: '/nowhere' }, /root: \/nowhere is not there/],
    ['canvas', { action: 'claim', text: 'x' }, /there is no action "claim"; there is impact, read, status, index/],
    ['grpah', { action: 'status' }, /there is no tool "grpah"; there is graph, canvas/],
  ])('%s %j', async (tool, given, message) => {
    expect(await server.call(tool, given)).toEqual({ text: expect.stringMatching(message), isError: true });
  });

  it('a directory that nothing marks is not indexed by a question, and is when that is asked for', async () => {
    const plain = join(shop.root, '..', 'plain');
    shop.putProject('../plain/x.py', 'def lonely():\n    pass\n');
    const asked = { action: 'callers', symbol: 'lonely', root: plain };
    expect(await graph(asked)).toEqual({
      text: expect.stringMatching(/^pending: .* nothing marks it as a project; graph {"action":"index","root":/),
      isError: true,
    });
    expect((await graph({ action: 'index', root: plain })).text).toContain('\n1 file read');
    expect((await graph(asked)).text).toContain('no callers found');
    rmSync(plain, { recursive: true });
  });

  it('a project without code is pending, and no longer when there is some', async () => {
    const empty = join(shop.root, '..', 'empty');
    shop.putProject('../empty/Makefile', 'all:\n');
    const asked = { action: 'search', query: 'late', root: empty };
    expect(await graph(asked)).toEqual({
      text: expect.stringMatching(/^pending: .* no file in a language/),
      isError: true,
    });
    expect((await graph({ action: 'index', root: empty })).text).toMatch(/^pending: /);
    shop.putProject('../empty/late.py', 'def late():\n    pass\n');
    expect((await graph(asked)).text).toContain('late  function  late.py:1');
    rmSync(empty, { recursive: true });
  });
});

describe('what the search nudge suggests is accepted as it is', () => {
  const [provider] = PROVIDERS.filter(({ id }) => id === 'fairlead');
  it.each<[Query, string]>([
    [{ kind: 'search', words: ['parse_config'] }, 'parse_config  function  tool.py:1'],
    [{ kind: 'search', words: ['Store', 'save'] }, 'Store.save'],
    [{ kind: 'callers', words: ['main'] }, 'testMain'],
    [{ kind: 'files', words: [], language: 'python' }, '4 files in python'],
    [{ kind: 'files', words: [], language: 'rust' }, 'no indexed files in rust'],
    [{ kind: 'files', words: [] }, '8 files'],
  ])('%j', async (query, text) => {
    const setup = { servers: [{ name: 'fairlead', prefix: 'mcp__fairlead__' }], hooks: [] };
    const route =
      provider && routeOf(provider, { seen: undefined, setup, workspace: { hasProgram: () => false }, now: 1 });
    if (route?.kind !== 'tool') throw new Error('the server offers no tool');
    const [name = '', given = ''] = (callOf(route, query) ?? '').split(/ (.*)/s);
    const told = await server.call(name.replace(/^.*__/, ''), JSON.parse(given));
    expect(told).toEqual({ text: expect.stringContaining(text), isError: false });
  });
});

describe('canvas', () => {
  it('an impact is kept as evidence with its picture, in the focus, and outdated when the code changes', async () => {
    const { text } = await canvas({ action: 'impact', symbol: 'parse_config' });
    const [, id = '', svg = '', png = ''] =
      /evidence (E\d+) · picture (\S+\.svg) and (\S+\.png)\nstable$/.exec(text) ?? [];
    expect(readFileSync(svg, 'utf8')).toContain('parse_config');
    expect(readFileSync(png).subarray(1, 4).toString()).toBe('PNG');
    expect((await graph({ action: 'impact', symbol: 'parse_config' })).text).toContain(`evidence ${id} `);
    const read = async () => (await canvas({ action: 'read' })).text;
    expect(await read()).toMatch(/^canvas of .*\nfocus: tool\.py#parse_config\nevidence: \d+\n/);
    const lineOf = (all: string) => all.split('\n').find((line) => line.startsWith(`${id} `));
    expect(lineOf(await read())).toMatch(/ {2}impact {2}tool\.py#parse_config {2}.*\d\d:\d\d$/);
    shop.putProject('later.py', 'from tool import parse_config\n\ndef later():\n    parse_config("y")\n');
    expect(lineOf(await read())).toMatch(/ outdated$/);
    expect((await canvas({ action: 'status' })).text).toMatch(/evidence: \d+, \d+ outdated\n[^]*state: stable/);
    await canvas({ action: 'impact', symbol: 'parse_config' });
    expect(lineOf(await read())).not.toContain('outdated');
    rmSync(join(shop.root, 'later.py'));
  });

  it('reads the newest first, no more than asked for', async () => {
    await canvas({ action: 'impact', symbol: 'a3', draw: false });
    const { text } = await canvas({ action: 'read', limit: 1 });
    expect(text).toMatch(
      /\nE\d+ {2}impact {2}chain\.py#a3 {2}[^\n]*\n… \d+ older: canvas {"action":"read","limit":\d+}$/,
    );
  });

  it('without a picture there is evidence all the same', async () => {
    expect((await graph({ action: 'impact', symbol: 'a2', draw: false })).text).toMatch(/\nevidence E\d+\nstable$/);
  });

  it('draws the whole, or a symbol', async () => {
    expect((await graph({ action: 'draw' })).text).toMatch(
      /^architecture of .*, 8 files\nevidence E\d+ · picture .*architecture\.svg and /,
    );
    expect((await graph({ action: 'draw', what: 'impact', symbol: 'a1' })).text).toMatch(
      /^impact of a1 {2}chain\.py:10\nevidence E\d+ · picture .*impact_a1_/,
    );
    expect((await graph({ action: 'draw', what: 'impact', symbol: 'a9' })).text).toContain('no symbol "a9"');
    expect(await graph({ action: 'draw', what: 'impact' })).toEqual({
      text: expect.stringContaining('wants the argument symbol'),
      isError: true,
    });
  });

  it('a damaged canvas is set aside and reported, its numbers are not given again', async () => {
    const { place } = await shop.json('status');
    const dir = dirname(String(place));
    writeFileSync(join(dir, 'canvas.json'), '{"version":1,"evidence":[{"id":"E41"');
    expect((await canvas({ action: 'read' })).text).toMatch(
      /\nthe canvas was damaged and is kept as \S+canvas\.json\.damaged-\d+\nevidence: 0$/,
    );
    const aside = readdirSync(dir).filter((name) => name.startsWith('canvas.json.damaged-'));
    expect(aside.map((name) => readFileSync(join(dir, name), 'utf8'))).toEqual([
      '{"version":1,"evidence":[{"id":"E41"',
    ]);
    expect((await canvas({ action: 'impact', symbol: 'a1' })).text).toContain('evidence E42');
    writeFileSync(join(dir, 'canvas.json'), '{"version":2}');
    expect((await canvas({ action: 'read' })).text).toContain(
      'written by a later version of fairlead and is left as it is',
    );
    expect((await canvas({ action: 'impact', symbol: 'a1' })).text).toMatch(/nothing could be drawn: .*\nstable$/);
    expect(readFileSync(join(dir, 'canvas.json'), 'utf8')).toBe('{"version":2}');
  });
});
