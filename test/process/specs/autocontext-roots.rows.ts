import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../patience.ts';
import { PASS, after, failed, note, ran, row, sends, start, within, seen } from './rows.ts';
import type { Row, Step } from './rows.ts';
import type { Plan } from './stage.ts';
import {
  CALLS,
  CARD,
  at,
  stateOf,
  isStable,
  noIndex,
  readOf,
  reads,
  LOAD,
  bare,
  repository,
  indexed,
} from './autocontext.parts.ts';

const reading: readonly Row[] = [
  row('1', 'the file of a read', [...indexed, reads(LOAD)], { files: CALLS }),
  row('2', 'a path that the result alone has', [
    bare,
    repository('repo'),
    [after('Write', {}, { filePath: 'repo/src/load.ts' }), PASS],
    isStable('repo'),
  ]),
  row(
    '3',
    'names in camel case',
    [
      ...indexed,
      sends(
        (stage) => ({
          hookEventName: 'PostToolUse',
          toolName: 'Read',
          toolInput: { filePath: at(stage, LOAD) },
          toolResponse: { type: 'text' },
          hook_event_name: 'PostToolUse',
        }),
        CARD,
      ),
    ],
    { files: CALLS },
  ),
  row(
    '4',
    'a path in the result, from the directory',
    [
      ...indexed,
      sends(
        (stage) => ({ ...after('Read', {}, undefined), tool_response: { file: { filePath: at(stage, LOAD) } } }),
        CARD,
      ),
    ],
    { files: CALLS },
  ),
  ...(
    [
      ['Grep', { pattern: 'x', path: 'repo' }],
      ['Glob', { pattern: '*', path: 'repo' }],
      ['Glob', { pattern: '*', folder: 'repo' }],
      ['LS', { path: 'repo' }],
      ['LS', { directory_path: 'repo' }],
    ] as const
  ).map(([tool, input]) =>
    row('5 26', `the place of ${tool} by ${Object.keys(input).join(' and ')}`, [
      bare,
      [start()],
      repository('repo'),
      [after(tool, input, {}), PASS],
      isStable('repo'),
    ]),
  ),
  row('6', 'the path of a notebook', [
    bare,
    repository('repo'),
    [after('NotebookEdit', { notebook_path: 'repo/n.ipynb', new_source: 'x' }, {}), PASS],
    isStable('repo'),
  ]),
  row('7', 'nothing that can be read', [
    [after('Read', null as never, null), PASS],
    [{ raw: '[1]', hook_event_name: 'PostToolUse' }, PASS],
    [{ raw: '{"a":1}', hook_event_name: 'PostToolUse' }],
  ]),
  row(
    '8 45',
    'a read that failed',
    [
      ...indexed,
      [after('Read', { file_path: LOAD }, { success: false, error: 'no' }), PASS],
      [failed('Read', { file_path: LOAD }, 'no'), PASS],
    ],
    { files: CALLS },
  ),
  row(
    '9',
    'blanks, letters of the world, an address',
    [
      ...indexed,
      reads('src/grüße an alle.ts'),
      sends(
        (stage) => readOf(`file://${encodeURI(at(stage, 'src/grüße an alle.ts'))}`, {}, { session_id: 'two' }),
        CARD,
      ),
    ],
    {
      files: {
        ...CALLS,
        'src/grüße an alle.ts': 'export function greet() {}\n',
        'src/x.ts': `import { greet } from './grüße an alle.ts';\nexport const hi = () => greet();\n`,
      },
    },
  ),
];
/** Whose root a file is. */
const rooted = (id: string, what: string, files: Plan, path: string, root: string, more: Partial<Row> = {}): Row =>
  row(
    id,
    what,
    [
      bare,
      ...Object.keys(files)
        .filter((each) => each.endsWith('.git/'))
        .map(
          (dir): Step =>
            (stage) =>
              void stage.put(`${dir}HEAD`, 'ref: refs/heads/main\n'),
        ),
      reads(path, PASS),
      isStable(root),
    ],
    { files: Object.fromEntries(Object.entries(files).filter(([each]) => !each.endsWith('/'))), ...more },
  );
const ONE = 'export const a = 1;\n';
const MARKERS = [
  'pyproject.toml',
  'setup.py',
  'package.json',
  'deno.json',
  'go.mod',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'Gemfile',
  'composer.json',
  'tsconfig.json',
  'CMakeLists.txt',
  'Makefile',
];
const roots: readonly Row[] = [
  rooted('10', 'hooks do not read the variable', { 'repo/.git/': '', 'repo/a.ts': ONE }, 'repo/a.ts', 'repo', {
    env: { CANVAS_PROJECT_DIR: '/tmp', FAIRLEAD_PROJECT_DIR: '/tmp' },
  }),
  rooted(
    '12',
    'deep below',
    { 'repo/.git/': '', [`repo/${'d/'.repeat(20)}a.ts`]: ONE },
    `repo/${'d/'.repeat(20)}a.ts`,
    'repo',
  ),
  ...MARKERS.map((marker) =>
    rooted(
      '13',
      `marked by ${marker}`,
      { [`p/${marker}`]: marker.endsWith('.json') ? '{}' : '\n', 'p/src/a.ts': ONE },
      'p/src/a.ts',
      'p',
    ),
  ),
  rooted(
    '13',
    'a weak mark below a project',
    { 'p/pyproject.toml': '', 'p/sub/Makefile': '', 'p/sub/a.py': 'x = 1\n' },
    'p/sub/a.py',
    'p',
  ),
  rooted(
    '14',
    'a repository of packages',
    { 'repo/.git/': '', 'repo/packages/a/package.json': '{}', 'repo/packages/a/a.ts': ONE },
    'repo/packages/a/a.ts',
    'repo',
  ),
  ...(['pnpm-workspace.yaml', 'go.work', 'lerna.json', 'nx.json', 'turbo.json'] as const).map((manifest) =>
    rooted(
      '15',
      `a workspace by ${manifest}`,
      {
        [`w/${manifest}`]: manifest.endsWith('.json') ? '{}' : '\n',
        'w/packages/a/package.json': '{}',
        'w/packages/a/a.ts': ONE,
      },
      'w/packages/a/a.ts',
      'w',
    ),
  ),
  rooted(
    '17',
    'a clone inside a repository',
    { 'repo/.git/': '', 'repo/inner/.git/': '', 'repo/inner/a.ts': ONE },
    'repo/inner/a.ts',
    'repo/inner',
  ),
  row('18', 'a file of the system', [bare, [readOf('/usr/lib/x.py'), PASS], noIndex()]),
  row(
    '19',
    'a dependency, and a repository among them',
    [
      bare,
      reads('node_modules/x/a.ts', PASS),
      reads('node_modules/y/a.ts', PASS),
      isStable('node_modules/y'),
      noIndex('node_modules/x'),
    ],
    {
      files: {
        'node_modules/x/package.json': '{}',
        'node_modules/x/a.ts': ONE,
        'node_modules/y/.git/HEAD': 'ref: refs/heads/main\n',
        'node_modules/y/a.ts': ONE,
      },
    },
  ),
  row(
    '20 22',
    'the file before the directory, there and back',
    [...indexed, reads('other/src/load.ts', PASS), isStable('other'), reads('other/src/load.ts'), reads(LOAD)],
    {
      files: {
        ...CALLS,
        'other/.git/HEAD': 'ref: refs/heads/main\n',
        'other/src/load.ts': CALLS[LOAD] ?? '',
        'other/src/run.ts': CALLS['src/run.ts'] ?? '',
      },
    },
  ),
  row('21', 'a directory without a mark', [...indexed, [ran('ls', '', { cwd: '/tmp' }), PASS], reads(LOAD, CARD)], {
    files: CALLS,
  }),
  row('23', 'the home directory', [
    bare,
    (stage) => void stage.put(join(stage.person, '.git/HEAD'), 'ref: refs/heads/main\n'),
    sends((stage) => readOf(stage.put(join(stage.person, 'a.ts'), ONE)), PASS),
    (stage) => seen(stateOf(stage, stage.person)).toBeUndefined(),
    (stage) => rmSync(join(stage.person, '.git'), { recursive: true }),
  ]),
  row(
    '24',
    'through a link',
    [
      ...indexed,
      (stage) => symlinkSync(stage.root, `${stage.root}-link`),
      sends((stage) => readOf(`${stage.root}-link/src/load.ts`), CARD),
    ],
    { files: CALLS },
  ),
];
const armed = within(200, note(/armed/));
const initialisation: readonly Row[] = [
  row('25', 'an empty directory', [bare, [start(), armed], noIndex()]),
  row('27', 'a clone in the directory of the session', [
    bare,
    [start(), armed],
    repository('repo'),
    [ran('git clone x repo'), PASS],
    isStable('repo'),
    (stage) => seen(stateOf(stage, at(stage, 'repo'))).toMatchObject({ reason: 'single-child' }),
  ]),
  row('28', 'two clones', [
    bare,
    [start(), armed],
    repository('one'),
    repository('two'),
    [ran('ls'), PASS],
    reads('two/src/load.ts', PASS),
    isStable('two'),
    noIndex('one'),
  ]),
  row('29', 'a repository without code', [
    [start()],
    noIndex(),
    (stage) => void stage.put('a.ts', ONE),
    reads('a.ts', PASS),
    isStable(),
  ]),
  row('30', 'a repository with code', [[start(), PASS], isStable()], { files: CALLS }),
  row(
    '31',
    'a session that goes on',
    [
      ...indexed,
      [start('resume'), PASS],
      [start('compact'), PASS],
      [start(), PASS],
      (stage) => seen(stateOf(stage, stage.root)).toMatchObject({ failures: 0 }),
    ],
    { files: CALLS },
  ),
  row('31', 'told once', [bare, [start(), armed], [start('resume'), PASS]]),
  row(
    '32',
    'twenty events at once',
    [
      async (stage) => {
        const all = await Promise.all(Array.from({ length: 20 }, () => stage.send(readOf(LOAD))));
        // The index may be there before the last of them is answered; then its card is shown, and once.
        const notes = all.filter(({ verdict }) => verdict === 'note');
        seen(all.filter(({ verdict }) => verdict === 'pass').length).toBe(all.length - notes.length);
        seen(notes.length).toBeLessThanOrEqual(1);
      },
      isStable(),
    ],
    { files: CALLS },
  ),
  row(
    '36',
    'a project that is gone',
    [
      ...indexed,
      (stage) => rmSync(stage.root, { recursive: true }),
      [readOf(LOAD), PASS],
      (stage) => until('it waits', () => stateOf(stage, stage.root)?.state === 'pending'),
    ],
    { files: CALLS },
  ),
  row(
    '35',
    'a project that was copied',
    [
      ...indexed,
      (stage) => cpSync(stage.root, `${stage.root}-copy`, { recursive: true }),
      sends((stage) => readOf(`${stage.root}-copy/src/load.ts`), PASS),
      (stage) => until('the copy is indexed', () => stateOf(stage, `${stage.root}-copy`)?.state === 'stable'),
    ],
    { files: CALLS },
  ),
];

export const AUTOCONTEXT_ROOTS: readonly Row[] = [...reading, ...roots, ...initialisation];
