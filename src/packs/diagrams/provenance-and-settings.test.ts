import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readBreakers } from '../../cli/breakers.ts';
import type { ViewData } from '../../cli/pack-parts.ts';
import { BREAKER_LIMITS } from '../../engine/limits/breaker.ts';
import { readTold, readRows } from '../../ledger/read.ts';
import type { Database } from '../../platform/database.ts';
import { readTelemetry } from '../../telemetry/read.ts';
import type { World } from '../world.fixture.ts';
import { B, OTHER, page, PANEL, PRINTED, source, TREE } from './drawings.fixture.ts';
import { ON, withOptions, world, write, written, ran } from './pack-world.fixture.ts';
import { stats as view } from './cli/stats.ts';

const flags = (of: World) => Object.values(of.cells('diagrams.flag'));
const DRAW = 'graph-easy --as=boxart in.txt';

describe('what a program printed', () => {
  it('passes minutes later, twice, and indented in a list; the flag stays', async () => {
    const here = world({ config: withOptions('freshFor: 1h') });
    await ran(here, DRAW, `\u001b[1m${PRINTED}\u001b[0m\n`);
    await here.pass(10 * 60_000);
    const inList = `- item\n\n  \`\`\`\n${PRINTED.replaceAll(/^/gm, '  ')}\n  \`\`\`\n`;
    expect((await write(here, page(PRINTED), 'docs/a.md', { tool_use_id: 'w1' })).stdout).toBe('');
    expect((await written(here, page(PRINTED), 'w1')).note).toContain('no source');
    expect((await write(here, inList, 'docs/b.md')).stdout).toBe('');
    expect(flags(here)).toEqual([expect.not.objectContaining({ reserved: expect.anything() as unknown })]);
  });

  it('the file that the tool wrote counts as well', async () => {
    const here = world();
    here.put('out.txt', PRINTED);
    await ran(here, 'graph-easy in.txt --output=out.txt', '');
    await here.pass(60_000);
    expect((await write(here, page(PRINTED))).stdout).toBe('');
  });

  const names = ['Oslo', 'Rome', 'Bern', 'Riga', 'Kyiv', 'Lviv', 'Bonn', 'Cork', 'Gent', 'Nice'];
  const chain = (labels: readonly string[]) =>
    labels.map((label) => `┌──────┐\n│ ${label} │\n└──┬───┘\n   │`).join('\n');

  it('one label of ten may differ, half of them may not', async () => {
    const here = world();
    await ran(here, DRAW, chain(names));
    await here.pass(60_000);
    expect((await write(here, page(chain(names.with(3, 'Ruse'))))).action).toBe('pass');
    const half = names.map((name, at) => (at % 2 === 0 ? name : name.toUpperCase()));
    const { action, reason } = await write(here, page(chain(half)), 'docs/b.md');
    expect(action).toBe('deny');
    expect(reason).toContain('5 lines of it came from no tool');
  });

  it.each([
    ['require, and a drawing by hand', 'provenance: require', B, 1_000, 'deny'],
    ['require, and the very output', 'provenance: require', PRINTED, 60_000, 'pass'],
    ['off, and the very output too late', 'provenance: off', PRINTED, 60_000, 'deny'],
    ['off, and a drawing by hand in time', 'provenance: off', B, 1_000, 'pass'],
  ])('%s', async (_, options, text, later, action) => {
    const here = world({ config: withOptions(options) });
    await ran(here, DRAW, PRINTED);
    await here.pass(later);
    expect((await write(here, page(text))).action).toBe(action);
  });

  it('a panel of a test runner may be quoted', async () => {
    const here = world();
    await ran(here, 'npm test', `> test\n\n${PANEL}\n`);
    expect((await write(here, page(PANEL), 'docs/a.md', { tool_use_id: 'w1' })).stdout).toBe('');
    expect((await written(here, page(PANEL), 'w1')).stdout).toBe('');
    expect((await write(here, page(PANEL), 'docs/b.md', { session_id: 'session-2' })).action).toBe('deny');
  });

  it('what stands in the command proves nothing', async () => {
    const here = world();
    await ran(here, `cat <<'EOF'\n${B}\nEOF`, B);
    expect((await write(here, page(B))).action).toBe('deny');
    await ran(here, `graph-easy in.txt; cat <<'EOF'\n${OTHER}\nEOF`, `${PRINTED}\n${OTHER}`);
    await here.pass(60_000);
    expect((await write(here, page(OTHER))).action).toBe('deny');
  });

  it('keeps fifty outputs', async () => {
    const here = world();
    for (let at = 0; at < 53; at += 1) await ran(here, 'report', PANEL.replace('12', String(100 + at)));
    expect(Object.keys(here.cells('diagrams.output'))).toHaveLength(50);
    expect((await write(here, page(PANEL.replace('12', '152')))).action).toBe('pass');
    await ran(here, 'report', PANEL.replace('12', '152'));
    expect(here.cells('diagrams.outputs')).toEqual({ 'session-1': 53 });
  });
});

describe('sources and markers', () => {
  const named = (path: string) => `<!-- diagram-source: ${path} -->`;
  it.each([
    ['a mermaid fence', '```mermaid\ngraph LR\n  A --> B\n```', 'pass'],
    ['a summary in other letters', source('D2').replace('source', 'Source'), 'pass'],
    ['a file of the workspace', named('d/a.d2'), 'pass'],
    ['a file beside it', named('b.d2'), 'pass'],
    ['a file that is missing', named('d/none.d2'), 'deny'],
    ['a file elsewhere', named('../../outside.d2'), 'deny'],
  ])('%s', async (_, text, action) => {
    const here = world({ files: { 'd/a.d2': 'a -> b', 'docs/b.d2': 'a -> b' } });
    here.put(`${here.home}/outside.d2`, 'a -> b');
    expect((await write(here, page(B, text))).action).toBe(action);
  });

  it.each([
    ['in the same section', page(B, source(), OTHER)],
    ['in another one', page(B, source(), `## Next${'\n\ntext'.repeat(30)}`, OTHER)],
  ])('one source serves one drawing, the other %s is named', async (_, text) => {
    const { action, reason } = await write(world(), text);
    expect(action).toBe('deny');
    const lines = text.split('\n');
    const first = lines.indexOf('┌─────────┐');
    expect(reason).toContain(`lines ${first}-${first + 8}:`);
    expect(reason).toContain('2 boxes');
  });

  it('box art that a tool reads is its own source', async () => {
    expect((await write(world(), `\`\`\`svgbob\n${B}\n\`\`\`\n`)).action).toBe('pass');
  });

  const fence = `\`\`\`\n${B}\n\`\`\``;
  it.each([
    ['with a reason', `<!-- fairlead: diagram-ok drawn by the author -->\n${fence}\n`, 'pass'],
    [
      'for the file',
      `<!-- fairlead: diagram-ok-file art of an old manual -->\n\n${'text\n\n'.repeat(9)}${fence}\n`,
      'pass',
    ],
    ['without a reason', `<!-- fairlead: diagram-ok -->\n${fence}\n`, 'deny'],
    ['with three letters', `<!-- fairlead: diagram-ok yes -->\n${fence}\n`, 'deny'],
    ['far away', `<!-- fairlead: diagram-ok drawn by the author -->\n${'text\n'.repeat(20)}${fence}\n`, 'deny'],
  ])('a marker %s', async (how, text, action) => {
    const here = world();
    const answer = await write(here, text);
    expect(answer.action).toBe(action);
    if (action === 'deny') expect(answer.reason.includes('the marker there')).toBe(!how.includes('far'));
    here.engine.memory.ledger.flush();
    const db = here.engine.memory.db as Database;
    const remarks = [...readTold(db, readRows(db)).values()].flatMap(({ remarks: left }) => left);
    const reason = text.includes('author') ? 'drawn by the author' : 'art of an old manual';
    const expected = { rule: 'diagrams/box-without-source', reason: `marked as meant: ${reason}` };
    expect(remarks).toEqual(action === 'pass' ? [expected] : []);
  });
});

describe('settings', () => {
  it('a list of the repository counts once it is trusted', async () => {
    const here = world({ files: { '.fairlead/config.yaml': 'packs: { diagrams: { exempt: ["docs/legacy/**"] } }' } });
    expect((await write(here, page(B), 'docs/legacy/a.md')).action).toBe('deny');
    here.trust();
    await here.pass(5_000);
    await here.event('SessionStart', { source: 'startup' });
    expect((await write(here, page(B), 'docs/legacy/a.md')).action).toBe('pass');
    expect((await write(here, page(B), 'docs/b.md')).action).toBe('deny');
  });

  it.each([
    ['off', {}, 'pass'],
    ['shadow', {}, 'pass'],
    ['ask', {}, 'ask'],
    ['ask', { permission_mode: 'dontAsk' }, 'deny'],
    ['enforce', {}, 'deny'],
  ])('mode %s with %j: %s', async (mode, more, action) => {
    const here = world({ config: withOptions(`mode: ${mode}`) });
    const answer = await write(here, page(B), 'docs/a.md', { tool_use_id: 'w1', ...more });
    expect(answer.action).toBe(action);
    if (action === 'pass') expect(answer.stdout).toBe('');
    expect((await written(here, page(B), 'w1')).stdout).toBe('');
  });

  it('mode advise says it once the text is there', async () => {
    const here = world({ config: withOptions('mode: advise') });
    expect((await write(here, page(B), 'docs/a.md', { tool_use_id: 'w1' })).stdout).toBe('');
    const { action, note } = await written(here, page(B), 'w1');
    expect(action).toBe('pass');
    expect(note).toContain('docs/a.md, lines 3-7: 2 boxes drawn without a source');
    await write(here, page(OTHER), 'docs/b.md', { tool_use_id: 'w2' });
    expect((await here.failed('Write', {}, 'no', { tool_use_id: 'w2' })).stdout).toBe('');
  });

  it.each(['/tmp/notes.md', 'node_modules/x/README.md', 'vendor/x/README.md', 'src/a.txt', 'src/md'])(
    'nothing is said of %s',
    async (path) => {
      const here = world();
      const file_path = path.startsWith('/') ? path : `${here.root}/${path}`;
      expect((await here.before('Write', { file_path, content: page(B) })).stdout).toBe('');
    },
  );

  it('other endings may be set', async () => {
    const here = world({ config: withOptions('extensions: [rst, .MD]') });
    const actions = ['a.rst', 'a.RST', 'a.md', 'a.mdx'].map(async (path) => (await write(here, page(B), path)).action);
    expect(await Promise.all(actions)).toEqual(['deny', 'deny', 'deny', 'pass']);
    expect((await here.before('Bash', { command: `cat > a.rst <<'EOF'\n${B}\nEOF` })).action).toBe('deny');
  });

  it('settings that make no sense are the defaults', async () => {
    const here = world({
      config: withOptions('extensions: 3, threshold: many, tools: 1, freshFor: soon, coverage: 9'),
    });
    expect((await write(here, page(B))).action).toBe('deny');
    await ran(here, 'graph-easy in', 'done');
    expect((await write(here, page(B))).action).toBe('pass');
  });

  it('tools that are there are named, and the second refusal of a turn is short', async () => {
    const here = world({ env: { PATH: '/usr/bin:/bin' } });
    await here.prompt('Draw it.');
    const first = await write(here, page(B));
    const second = await write(here, page(B));
    await here.prompt('And now?');
    const third = await write(here, page(B));
    const own = ({ reason }: typeof first) => reason.slice(reason.indexOf('] ') + 2, reason.lastIndexOf('\n'));
    expect(own(second).length).toBeLessThan(own(first).length / 2);
    expect(second.reason).toContain('the user can decide');
    expect(own(third)).toBe(own(first));
    expect((await write(here, page(OTHER))).reason).toContain('Three ways on');
  });

  it.each([
    ['graph-easy', 'run `graph-easy` and paste its output'],
    ['other', 'none is installed here'],
  ])('with %s on the search path: %s', async (program, said) => {
    const here = world({ env: {} });
    chmodSync(here.put(`bin/${program}`, '#!/bin/sh\n'), 0o755);
    const there = world({ env: { PATH: `${here.root}/bin` } });
    expect((await write(there, page(B))).reason).toContain(said);
  });

  it('a long path is whole, and the rest of the message short', async () => {
    const path = `docs/${'a-long-directory/'.repeat(20)}a.md`;
    const { reason } = await write(world(), page(B), path);
    expect(reason).toContain(path);
    expect(reason.replace(path, '').length).toBeLessThanOrEqual(600);
  });
});

describe('what stats tells', () => {
  it('drawings that passed without a source are counted until they have one', async () => {
    const here = world();
    const told = async () => {
      await here.pass(60_000);
      const numbers = readTelemetry(here.engine.store, { pack: 'diagrams', since: 0, now: here.now });
      return view.show({ span: '24h', numbers } as ViewData);
    };
    await ran(here, DRAW, `${PRINTED}\n${OTHER}`);
    for (const [id, path, text] of [
      ['w1', 'docs/a.md', page(PRINTED)],
      ['w2', 'docs/b.md', page(OTHER)],
    ] as const) {
      await write(here, text, path, { tool_use_id: id });
      await written(here, text, id, path);
    }
    expect(await told()).toBe('2 drawings passed without a source in the last 24h; 2 still have none.\n');
    here.put('docs/b.md', page(OTHER, source()));
    await here.event('SessionEnd', { reason: 'other' });
    expect(await told()).toBe('2 drawings passed without a source in the last 24h; 1 still has none.\n');
  });
});

describe('what it costs and how it fails', () => {
  it('the replies that let pass are empty', async () => {
    const here = world();
    expect((await write(here, page(TREE))).stdout).toBe('');
    expect((await write(here, page(B, source()))).stdout).toBe('');
    await ran(here, 'graph-easy in', 'done');
    expect((await write(here, page(B))).stdout).toBe('');
  });

  it('an edit that cannot apply is left to the agent', async () => {
    const here = world({ files: { 'docs/a.md': '# Page\n' } });
    const input = { file_path: `${here.root}/docs/a.md`, old_string: 'not there', new_string: B };
    expect((await here.before('Edit', input)).action).toBe('pass');
    const missing = { ...input, file_path: `${here.root}/docs/b.md` };
    expect((await here.before('Edit', missing)).action).toBe('pass');
    expect((await here.before('Edit', { ...missing, old_string: '' })).action).toBe('deny');
  });

  it('a text without box characters costs no access to a file that is known, one that has them one reading', async () => {
    const workFor = async (config: string, text: string) => {
      const here = world({ config, files: { 'docs/a.md': page(OTHER) } });
      await write(here, '# Nothing');
      for (const list of Object.values(here.work)) list.length = 0;
      const { action } = await write(here, text);
      const { stat, open: opened, list } = here.work;
      const stats = stat.map((path) => path.slice(here.root.length)).filter((path) => path.endsWith('.md'));
      return { action, stats, lists: list.length, opened: opened.map((path) => path.slice(here.root.length)) };
    };
    const plain = 'Plain — text → with “quotes”.\n'.repeat(7_000);
    expect(await workFor(ON, plain)).toEqual(await workFor('packs: { diagrams: off }', plain));

    const parts = Array.from({ length: 50 }, (_, at) => page(B.replace('Alpha', `Gat${10 + at}`)));
    const big = parts.join('text\n'.repeat(800));
    expect(big.length).toBeGreaterThan(180 * 1024);
    const off = await workFor('packs: { diagrams: off }', big);
    expect(await workFor(ON, big)).toEqual({
      ...off,
      action: 'deny',
      stats: [...off.stats, '/docs/a.md'],
      opened: ['/docs/a.md'],
    });
  });

  it('of a file of 3 MiB only the new part is judged', async () => {
    const here = world();
    here.put('docs/a.md', `${'text '.repeat(600_000)}\nhere\n${source()}\n`);
    here.work.open.length = 0;
    const edit = (old_string: string, new_string: string) =>
      here.before('Edit', { file_path: `${here.root}/docs/a.md`, old_string, new_string });
    expect((await edit('here', page(B))).action).toBe('deny');
    expect((await edit('here', page(B, source()))).action).toBe('pass');
    expect((await edit(page(B), page(B, 'text'))).action).toBe('pass');
    expect(here.work.open.filter((path) => path.endsWith('.md'))).toEqual([]);
  });

  const plain = page(B);
  it.each([
    ['CRLF', plain.replaceAll('\n', '\r\n')],
    ['tabs', plain.replaceAll('     ', '\t')],
    ['a byte order mark', `\uFEFF${plain}`],
    ['a quote', plain.replaceAll(/^/gm, '> ')],
    ['an unclosed fence', plain.replace(/```\n$/, '')],
  ])('%s changes nothing', async (_, text) => {
    expect((await write(world(), text)).action).toBe('deny');
  });

  it('an edit with plain line ends applies to a file without them', async () => {
    const here = world({ files: { 'docs/a.md': 'one\r\ntwo\r\n' } });
    const input = { file_path: `${here.root}/docs/a.md`, old_string: 'one\ntwo', new_string: B };
    expect((await here.before('Edit', input)).action).toBe('deny');
  });

  it('a failure inside lets the write pass, is counted, and shown by doctor', async () => {
    const here = world({ files: { 'docs/a.md': 'here' } });
    const input = { file_path: `${here.root}/docs/a.md`, old_string: 'here', new_string: B };
    expect((await here.before('Edit', input)).action).toBe('deny');
    Object.assign(here.engine.files, {
      readText: () => {
        throw new Error('the disk is gone');
      },
    });
    for (let time = 0; time < 5; time += 1) expect((await here.before('Edit', input)).action).toBe('pass');
    expect(readBreakers(here.engine.store, BREAKER_LIMITS, here.now)).toMatchObject([
      { rule: 'diagrams/box-without-source', state: 'open', error: 'the disk is gone' },
    ]);
  });
});
