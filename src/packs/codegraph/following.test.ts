import { afterEach, describe, expect, it } from 'vitest';
import type { RuleGraph, RuleSymbol } from '../../engine/rule.ts';
import { ask, EXPLORE, grep, INDEXED, NUDGE, openIndexed, seen, setCareful, shell } from '../nudge.fixture.ts';
import type { World } from '../world.fixture.ts';

let world: World;
afterEach(() => world.close());

const outcomes = () =>
  Object.fromEntries(
    ['followed', 'ignored', 'moot'].map((name) => [name, world.cells(name)['codegraph/search-nudge']]),
  );
const quiet = (count: number) =>
  Promise.all(Array.from({ length: count }, () => world.before('Read', { file_path: 'x' })));
/** One turn in which the note is ignored. */
async function ignoreOnce(): Promise<string> {
  await world.prompt('next');
  const answer = seen(await grep(world));
  await grep(world);
  await world.event('Stop', {});
  return answer;
}

/** Puts a built-in graph into the workspace, which knows these symbols. */
function withGraph(
  symbols: readonly RuleSymbol[],
  state: RuleGraph['state'] = 'stable',
  whenStable: RuleGraph['whenStable'] = () => undefined,
): void {
  const { engine } = world;
  const graph: RuleGraph = {
    state,
    symbols(name, max) {
      const known = symbols.filter((one) => one.name === name);
      return { total: known.length, items: known.slice(0, max) };
    },
    impactOf: () => undefined,
    symbolsIn: () => [],
    symbolAt: () => undefined,
    testsReaching: () => [],
    isTest: () => false,
    filesBelow: () => [],
    whenCurrent: () => undefined,
    whenStable,
    recheck: () => {},
  };
  world.engine = {
    ...engine,
    locate: async (event, project) => {
      const place = await engine.locate(event, project);
      return { ...place, workspace: { ...place.workspace, graph } };
    },
  };
}

/** As the graph tells of a function without callers. */
const NAMED = {
  name: 'parseConfig',
  qualified: 'parseConfig',
  kind: 'function',
  callers: { total: 0, roles: {}, items: [] },
  use: { places: {}, implementers: 0, unresolved: 0 },
};

describe('the text', () => {
  it('asks for the words of the search that are names', async () => {
    world = await openIndexed();
    const { note } = await grep(world, { pattern: 'function\\s+parseConfig\\(' });
    expect(note).toContain('{"query":"parseConfig"}');
    expect(note.length).toBeLessThanOrEqual(400);
  });

  it.each<[pattern: string, maxChars: number]>([
    ['alphaBravoCharlie|deltaEchoFoxtrot|golfHotelIndia|julietKiloLima', 400],
    ['alphaBravoCharlie|deltaEchoFoxtrot|golfHotelIndia|julietKiloLima', 220],
    ['alphaBravoCharlie|deltaEchoFoxtrot|golfHotelIndia|julietKiloLima', 150],
    ['parseConfig', 9_999],
  ])('%s fits in %i characters and four lines, and is the same every time', async (pattern, maxChars) => {
    world = await openIndexed({
      files: { ...INDEXED, [`${'long/'.repeat(20)}a.ts`]: 'x' },
      config: `packs: { codegraph: { enabled: true, maxChars: ${maxChars} } }`,
    });
    const path = 'long/'.repeat(20);
    const { note } = await grep(world, { pattern, path });
    expect(note.startsWith(NUDGE)).toBe(true);
    expect(note).toContain('"query":"');
    expect(note.length).toBeLessThanOrEqual(Math.min(maxChars, 400));
    expect(note.split('\n').length).toBeLessThanOrEqual(4);
    await world.prompt('next');
    expect((await grep(world, { pattern, path })).note).toBe(note);
  });

  it('says nothing where not even the call fits', async () => {
    world = await openIndexed({ config: 'packs: { codegraph: { enabled: true, maxChars: 60 } }' });
    expect(seen(await grep(world))).toBe('pass');
  });

  it('repeats no secret and no character that steers a terminal', async () => {
    world = await openIndexed();
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const { note } = await grep(world, { pattern: `loadToken|${key}|password=hunter22|\u202eparse\u001b[31mConfig` });
    expect(note).toContain('loadToken');
    expect(note).not.toContain(key);
    expect(note).not.toContain('hunter22');
    expect(note).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
  });

  it('gives no orders', async () => {
    world = await openIndexed();
    expect((await grep(world)).note).not.toMatch(/\b(must|never|always|mandatory|IMPORTANT)\b|!/);
  });

  it('is said once in a turn', async () => {
    world = await openIndexed();
    expect([await grep(world), await shell(world, 'rg foo'), await grep(world)].map(seen)).toEqual([
      'note',
      'pass',
      'pass',
    ]);
  });
});

it('searches of one message get one note between them', async () => {
  world = await openIndexed();
  const answers = await Promise.all([grep(world), shell(world, 'rg foo'), grep(world), grep(world)]);
  expect(answers.map(seen).toSorted()).toEqual(['note', 'pass', 'pass', 'pass']);
});

describe('the answer first', () => {
  /** As indexed, of a file that has changed since. */
  const AGO = { column: 1, size: 0, mtimeMs: 0 };
  const caller = (name: string, line: number) => ({ name, path: `${world.root}/src/b.ts`, line, ...AGO });
  const symbol = (line: number): RuleSymbol => ({
    ...NAMED,
    path: `${world.root}/src/a.ts`,
    line,
    ...AGO,
    callers: {
      total: 4,
      roles: { production: 3, test: 1 },
      items: [caller('gone', 9), caller('load', 2), caller('start', 4), caller('stop', 6)],
    },
  });

  const open = async () => {
    world = await openIndexed();
    world.put('src/a.ts', '// config\nexport function parseConfig() {}\n');
    world.put('src/b.ts', 'function load() {\n  parseConfig();\n}\nconst start = parseConfig;\n');
  };

  it('has the definition, the callers, and the query', async () => {
    await open();
    withGraph([symbol(2)]);
    const { note } = await grep(world);
    expect(note.startsWith(`${NUDGE} src/a.ts:2 defines function "parseConfig"`)).toBe(true);
    expect(note).toContain('3 callers in production, 1 in tests, among them "load" (src/b.ts:2), "start" (src/b.ts:4)');
    expect(note).toContain('\nfairlead graph callers parseConfig\n');
    expect(note.length).toBeLessThanOrEqual(400);
  });

  it('says that the index is behind', async () => {
    await open();
    withGraph([symbol(2)], 'initialised');
    expect((await grep(world)).note).toContain(', says the Fairlead index, which is being brought up to date.\n');
  });

  it('is not lost to the wait for an index that is being brought up to date', async () => {
    await open();
    const afterAll = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
    withGraph([symbol(2)], 'initialised', afterAll);
    expect((await grep(world)).note).toContain('src/a.ts:2 defines function "parseConfig"');
  });

  it.each<[what: string, line: number, config?: string]>([
    ['a line that has something else', 1],
    ['a line that is not there', 77],
    ['an answer nobody wants', 2, 'packs: { codegraph: { enabled: true, answerFirst: off } }'],
  ])('%s is left out', async (_, line, config) => {
    world = await openIndexed(config === undefined ? {} : { config });
    world.put('src/a.ts', '// config\nexport function parseConfig() {}\n');
    withGraph([symbol(line)]);
    const { note } = await grep(world);
    expect(note).toContain('fairlead graph callers parseConfig');
    expect(note).not.toMatch(/:\d/);
  });

  it('a search for files is about no symbol, not even one without a name', async () => {
    await open();
    world.put('src/a.ts', 'const units = {\n  "": 1,\n};\n');
    withGraph([{ ...symbol(2), name: '' }]);
    const { note } = await world.before('Glob', { pattern: '**/*.ts' });
    expect(note).toContain('\nfairlead graph files --language typescript\n');
    expect(note).not.toContain('defines');
  });

  it('a word that is no symbol gets no note', async () => {
    await open();
    withGraph([]);
    expect((await grep(world)).note).toBe('');
    await world.prompt('next');
    expect((await world.before('Glob', { pattern: '**/*.ts' })).note).toContain(
      '\nfairlead graph files --language typescript\n',
    );
  });
});

describe('what became of a note', () => {
  it('followed at the third call', async () => {
    world = await openIndexed();
    await grep(world);
    await quiet(2);
    await ask(world);
    expect(outcomes()).toEqual({ followed: 1, ignored: undefined, moot: undefined });
    expect(remarks()).toEqual([`followed at distance 3: codegraph, ${EXPLORE}, nudge`]);
  });

  it('ignored after eight calls with another broad search', async () => {
    world = await openIndexed();
    await grep(world);
    await quiet(4);
    await grep(world);
    await quiet(2);
    expect(outcomes()).toMatchObject({ ignored: undefined });
    await quiet(1);
    expect(outcomes()).toEqual({ followed: undefined, ignored: 1, moot: undefined });
    await ask(world);
    expect(outcomes()).toMatchObject({ followed: undefined, ignored: 1 });
  });

  it.each<[what: string, end: (at: World) => Promise<unknown>]>([
    ['Stop', (at) => at.event('Stop', {})],
    ['the next prompt', (at) => at.prompt('next')],
  ])('moot when %s comes at once', async (_, end) => {
    world = await openIndexed();
    await grep(world);
    await end(world);
    expect(outcomes()).toEqual({ followed: undefined, ignored: undefined, moot: 1 });
    expect(world.cells('codegraph.awaits')).toEqual({});
  });

  it('a notification does not end the wait', async () => {
    world = await openIndexed();
    await grep(world);
    await world.prompt('<task-notification>done</task-notification>');
    await ask(world);
    expect(outcomes()).toMatchObject({ followed: 1, moot: undefined });
  });

  it('a sub-agent’s calls count for its own note', async () => {
    world = await openIndexed();
    await grep(world);
    await ask(world, EXPLORE, { agent_id: 'agent-7' });
    expect(outcomes()).toEqual({ followed: undefined, ignored: undefined, moot: undefined });
    await ask(world);
    expect(outcomes()).toMatchObject({ followed: 1 });
  });

  it('a note that nobody hears is not judged', async () => {
    world = await openIndexed({ config: 'packs: { codegraph: shadow }' });
    await grep(world);
    expect(world.cells('codegraph.awaits')).toEqual({});
  });

  function remarks(): unknown[] {
    const { db } = world.engine.memory;
    world.engine.ledger.flush();
    const rows = db?.prepare('SELECT * FROM details').all() ?? [];
    return [...JSON.stringify(rows).matchAll(/"reason\\*":\\*"((?:followed|ignored|moot)[^"\\]*)/g)].map(
      (match) => match[1],
    );
  }
});

describe('when notes are not heeded', () => {
  it('two turns are held after two ignored notes, one more try, then silence', async () => {
    world = await openIndexed();
    const turns = [];
    for (let turn = 0; turn < 8; turn += 1) turns.push(await ignoreOnce());
    expect(turns).toEqual(['note', 'note', 'pass', 'pass', 'note', 'pass', 'pass', 'pass']);
    await world.prompt('next', { session_id: 'session-2' });
    expect(seen(await grep(world, {}, { session_id: 'session-2' }))).toBe('note');
    setCareful(world, undefined);
    expect(seen(await grep(world))).toBe('deny');
  });

  it('one that was followed clears the count', async () => {
    world = await openIndexed();
    expect(await ignoreOnce()).toBe('note');
    await world.prompt('next');
    await grep(world);
    await ask(world);
    expect([await ignoreOnce(), await ignoreOnce(), await ignoreOnce()]).toEqual(['note', 'note', 'pass']);
  });

  it('a workspace where hardly any is followed hears only answers, for two weeks', async () => {
    world = await openIndexed();
    for (let session = 0; session < 20; session += 1) {
      const own = { session_id: `many-${session}` };
      await world.prompt('go', own);
      expect(seen(await grep(world, {}, own))).toBe('note');
      await grep(world, {}, own);
      await world.event('Stop', own);
    }
    expect(seen(await grep(world))).toBe('pass');
    withGraph([{ ...NAMED, path: `${world.root}/src/a.ts`, line: 1, column: 17, size: 0, mtimeMs: 0 }]);
    expect((await grep(world)).note).toContain('src/a.ts:1');
    world.now += 14 * 86_400_000;
    world.restart();
    await world.prompt('next');
    expect(seen(await grep(world))).toBe('note');
    expect(world.cells('codegraph.judged')).toEqual({});
  });
});
