import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Payload } from '../daemon-home.ts';
import { PASS, bash, before, edited, note, row, start, within, without } from './rows.ts';
import type { Expected, Row } from './rows.ts';
import { servers, INDEXED, EXPLORE, TURN, grep, NUDGE, inIndexed, CODE } from './search-nudge.parts.ts';

export const glob = (pattern: string, more: object = {}): Payload => before('Glob', { pattern, ...more });
export const one = (id: string, what: string, call: Payload, expected: Expected): Row =>
  row(id, what, [TURN, [call, expected]]);
/** A turn for each. */
const shells = (id: string, expected: Expected, ...commands: readonly string[]): readonly Row[] =>
  commands.map((command) => one(id, command, bash(command), expected));
const shapes: readonly Row[] = [
  one('14.2 2.2 3.read', 'a source file is read', before('Read', { file_path: 'src/a.ts' }), PASS),
  one('14.3 2.10 3.grep', 'a directory is searched', grep(), NUDGE),
  one('14.4', 'a file is searched', grep({ path: 'src/a.ts' }), PASS),
  one('14.5 3.glob', 'files are listed by a wildcard', glob('**/*.ts'), NUDGE),
  one('14.6', 'a name is looked up', glob('package.json'), PASS),
  one('14.52', 'braces alone', glob('src/{a,b}.ts'), PASS),
  one('14.9 14.11 14.16', 'nothing was asked in this turn', grep(), NUDGE),
  one('14.20', 'the transcript is not there', grep({}, { transcript_path: '/nowhere/t.jsonl' }), NUDGE),
  one('14.37', 'a file by its relative path', grep({ path: 'foo.txt' }), PASS),
  one('2.1', 'a tool that searches nothing', before('WebFetch', { url: 'https://example.org' }), PASS),
  one(
    '14.25 8.1',
    'context and no decision',
    grep(),
    within(400, note(/^\[codegraph\/search-nudge\].*covers src.*\n/)),
  ),
  one(
    '14.40 5.routes',
    'the one tool that the server offers is named',
    grep(),
    without(note(EXPLORE), 'codegraph_context'),
  ),
  one(
    '14.54 8.4',
    'the words of the pattern that are names',
    grep({ pattern: 'function\\s+parseConfig\\(' }),
    within(400, note('{"query":"parseConfig"}')),
  ),
  one(
    '8.6',
    'no secret of a pattern is repeated',
    grep({ pattern: 'loadToken|password=hunter22' }),
    without(note('loadToken'), 'hunter22'),
  ),
  one('8.2', 'no orders', grep(), without(note(EXPLORE), /\b(must|never|always|IMPORTANT)\b|!/)),
  ...shells(
    '14.46 3.rg 3.grep-program 3.git-grep 3.names 3.find 3.ls',
    NUDGE,
    'rg foo',
    'grep -rn foo src',
    'git grep foo',
    `find . -name '*.ts'`,
    'fd -e ts',
    'ls -R',
    'tree',
  ),
  ...shells('14.47', PASS, 'rg foo src/a.ts', 'grep foo foo.txt', 'find . -name package.json', 'ls src', 'tree -L 1'),
  ...shells(
    '14.48 3.others',
    PASS,
    'ps aux | grep node',
    'npm test 2>&1 | grep FAIL',
    'git log --grep=fix',
    'git diff src',
  ),
  ...shells('3.reads', PASS, 'cat src/a.ts', 'head -5 src/a.ts', `sed -n 1,9p src/a.ts`, `awk '{print}' src/a.ts`),
  ...shells(
    '14.49',
    PASS,
    'echo "rg foo"',
    'git commit -m "use grep -r"',
    `cat > notes.md <<'END'\nfind . -name '*'\nEND`,
  ),
  ...shells(
    '14.50 3.wrappers',
    NUDGE,
    'cd src && rg foo',
    `find . -name '*.ts' | xargs grep foo`,
    `bash -c 'rg foo'`,
    'env A=1 timeout 5 rg foo',
  ),
  ...shells('14.51', PASS, 'rg "parseConfig'),
  row('14.35 5.walk', 'an index above the place', [TURN, [grep({ path: undefined }, { cwd: undefined }), NUDGE]]),
  row(
    '14.53 4.outside 4.dependency 4.filter 4.terms 2.6',
    'what no graph has',
    [
      TURN,
      [grep({ path: 'node_modules' }), PASS],
      [grep({ path: '/usr/include' }), PASS],
      [grep({ glob: '*.md' }), PASS],
      [grep({ pattern: '[0-9]+' }), PASS],
    ],
    { files: { 'node_modules/x/index.js': 'parseConfig' } },
  ),
  row(
    '4.off 13.relevance',
    'without that question every broad search counts',
    [TURN, [grep({ pattern: '[0-9]+' }), NUDGE]],
    {
      settings: { packs: { codegraph: { relevance: 'off' } } },
    },
  ),
  row(
    '14.19',
    'without any program',
    [TURN, [grep(), NUDGE], [grep({ path: 'src/a.ts' }), PASS], [glob('package.json'), PASS]],
    { env: { PATH: '/nowhere' } },
  ),
  row('14.55 2.8 9.once', 'three searches get one note', [
    TURN,
    [grep(), NUDGE],
    [bash('rg foo'), PASS],
    [grep(), PASS],
  ]),
  row('2.10 13.mode', 'in shadow nothing is said', [TURN, [grep(), PASS]], {
    settings: { packs: { codegraph: 'shadow' } },
  }),
  row('13.mode', 'off', [TURN, [grep(), PASS]], { settings: { packs: { codegraph: 'off' } } }),
  row('13.maxChars', 'a lower limit holds, a higher one does not', [TURN, [grep(), within(150, note('query'))]], {
    settings: { packs: { codegraph: { maxChars: 150 } } },
  }),
];
const ALL_SERVERS = servers('codegraph', 'repowise', 'graphify');
export const index = (
  id: string,
  what: string,
  files: Readonly<Record<string, string>>,
  dirs: readonly string[],
  expected: Expected,
): Row =>
  row(
    id,
    what,
    [(stage) => dirs.forEach((dir) => mkdirSync(join(stage.root, dir), { recursive: true })), TURN, [grep(), expected]],
    {
      files: { ...CODE, '.mcp.json': ALL_SERVERS, ...files },
    },
  );
const providers: readonly Row[] = [
  index('14.1 2.4', 'no index', {}, [], PASS),
  index('14.38 5.codegraph', 'a directory without a database', {}, ['.codegraph'], PASS),
  index('14.39', 'a file where the directory should be', { '.repowise': 'x' }, [], PASS),
  index('14.39', 'a directory where the file should be', {}, ['graphify-out/graph.json'], PASS),
  index('14.39', 'an empty directory', {}, ['graphify-out'], PASS),
  index('5.repowise', 'of Repowise', {}, ['.repowise'], note('Repowise', 'mcp__repowise__')),
  index('5.graphify', 'of Graphify', { 'graphify-out/graph.json': '{}' }, [], note('Graphify', 'mcp__graphify__')),
  index(
    '5.preference',
    'one is spelled out, the others are named',
    { '.codegraph/codegraph.db': 'x', 'graphify-out/graph.json': '{}' },
    ['.repowise'],
    without(note(EXPLORE, /Repowise, Graphify/), 'mcp__repowise'),
  ),
  row('5.codegraph', 'a directory that the environment renames', [[start()], TURN, [grep(), NUDGE]], {
    files: { ...CODE, '.mcp.json': ALL_SERVERS, '.graph/codegraph.db': 'x' },
    env: { CODEGRAPH_DIR: '.graph' },
  }),
  row('5.routes', 'an index that nobody can ask', [TURN, [grep(), PASS]], {
    files: { ...CODE, '.codegraph/codegraph.db': 'x' },
    env: { PATH: '/nowhere' },
  }),
  row('13.providers', 'as the settings order them', [TURN, [grep(), note('mcp__graphify__')]], {
    files: { ...CODE, '.mcp.json': ALL_SERVERS, '.codegraph/codegraph.db': 'x', 'graphify-out/graph.json': '{}' },
    settings: { packs: { codegraph: { providers: { order: ['graphify'] } } } },
  }),
  row(
    '13.providers',
    'one more',
    [TURN, [grep(), note('Atlas index covers src', 'mcp__atlas__look {"query":"parseConfig"}')]],
    {
      files: { ...CODE, '.mcp.json': servers('atlas'), '.atlas/map.db': 'x' },
      settings: {
        packs: {
          codegraph: {
            providers: {
              extra: [{ id: 'atlas', name: 'Atlas', dir: '.atlas', file: 'map.db', server: 'atlas', tools: ['look'] }],
            },
          },
        },
      },
    },
  ),
  row(
    '14.56 5.worktrees',
    'the index of the main checkout is not a work tree’s',
    [
      (stage) => {
        const gitDir = dirname(stage.put('.git/worktrees/topic/gitdir', `${stage.root}/trees/topic/.git\n`));
        stage.put('.git/worktrees/topic/commondir', '../..\n');
        stage.put('trees/topic/.git', `gitdir: ${gitDir}\n`);
        stage.put('trees/topic/src/a.ts', 'parseConfig();\n');
      },
      TURN,
      [grep({ path: 'trees/topic/src' }), PASS],
    ],
    { files: INDEXED },
  ),
  row(
    '14.77 5.freshness',
    'an index that is older than an edit',
    [(stage) => stage.put('.codegraph/codegraph.db', 'x', 60_000), TURN, [edited('src/a.ts')], [grep(), PASS]],
    { files: INDEXED },
  ),
  row(
    '14.78 5.coexistence',
    'a prompt that brought context of the graph buys one search',
    [TURN, [grep(), PASS], [grep(), NUDGE]],
    {
      files: {
        ...INDEXED,
        '.claude/settings.json': JSON.stringify({
          hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'codegraph prompt-hook' }] }] },
        }),
      },
    },
  ),
];

export const SEARCH_NUDGE_SHAPES: readonly Row[] = [...shapes.map(inIndexed), ...providers];
