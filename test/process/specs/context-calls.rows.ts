import { join } from 'node:path';
import { plantRepository } from '../../../src/git/repository.fixture.ts';
import {
  CONTEXT,
  SUB,
  about,
  cell,
  holds,
  isSet,
  only,
  paused,
  read,
  relayed,
  speaksAt,
  unset,
} from './context.parts.ts';
import {
  PASS,
  ask,
  bash,
  before,
  deny,
  edited,
  failed,
  note,
  prompt,
  ran,
  row,
  start,
  within,
  without,
  wrote,
  seen,
} from './rows.ts';
import type { Expected, Row, Step } from './rows.ts';

const load = about('5.1', 'context-load-gate');
const PACKET = without(note('Tests pass before a commit.', 'TASKS.md', /2 open/), 'Parse the file');
const big = (tokens: number): string =>
  `# Architecture\n\n${Array.from({ length: tokens / 10 }, (_, at) => `## Part ${at}\n\nwords of this part here\n`).join('\n')}`;
const loads: readonly Row[] = [
  load('1', 'the first call', [[read(), PACKET], isSet('context.loaded'), relayed('packet')]),
  load('2', 'the second', [
    [read(), note()],
    [bash('ls'), PASS],
  ]),
  load('3', 'without DECISIONS.md', [[read(), PASS], (stage) => seen(stage.exists('.context/TASKS.md')).toBe(false)], {
    files: { '.context/TASKS.md': null, '.context/DECISIONS.md': null },
  }),
  load('4', 'paused', [paused(), [read(), PASS], unset('context.loaded')]),
  load('5', 'a sub-agent', [[read(SUB), PASS], unset('context.loaded'), [read(), PACKET]]),
  load('6', 'a file too large', [[read(), within(9_300, note('ARCHITECTURE.md', '## Part 0'))]], {
    files: { '.context/ARCHITECTURE.md': big(7_000) },
  }),
  load('7', 'far too large', [[read(), note()], isSet('context.oversize')], {
    files: { '.context/ARCHITECTURE.md': big(30_000) },
  }),
  load('8', 'after a compaction', [[read(), note()], [start('compact')], [read(), PACKET]]),
  load('max_chars', 'a lower limit', [[read(), within(1_400, note('Tests pass'))]], {
    options: { load: { max_chars: 1_200 } },
    files: { '.context/ARCHITECTURE.md': big(3_000) },
  }),
  load('profile', 'two files', [[read(), without(note('Tests pass'), 'Architecture')]], {
    options: { load: { profile: 'minimal' } },
    files: { '.context/ARCHITECTURE.md': '# Architecture\n\nAll of it.\n' },
  }),
  load(
    'when',
    'at the start of a session',
    [
      [start(), note('Tests pass')],
      [read(), PASS],
    ],
    { options: { load: { when: 'session_start' } } },
  ),
  load('rearm_on', 'never again', [[read(), note()], [start('compact')], [read(), PASS]], {
    options: { load: { rearm_on: [] } },
  }),
  load('trust', 'text that only came with a repository', [[read(), PASS]], {
    isTrusted: false,
    gap: 'not driven: the settings that switch the pack on here are those of the project, which is not trusted',
  }),
];

const path = about('5.2', 'block-non-path-ctx');
const DOT = deny('ctx', /PATH/);
const paths: readonly Row[] = [
  path('1', 'a local build', [[bash('./ctx status'), DOT], relayed('dot-slash')]),
  path('2', 'also where nothing is initialised, and paused', [paused(), [bash('cd x && ./dist/ctx agent'), DOT]], {
    files: { '.context/DECISIONS.md': null },
  }),
  path('3', 'go run', [[bash('go run ./cmd/ctx status'), DOT], relayed('go-run')]),
  path('4', 'by an absolute path', [[bash('a && /var/x/ctx'), DOT], relayed('absolute-path')]),
  path(
    '5 6 7 8 9',
    'what is none',
    ['/usr/local/bin/ctx status', '/tmp/ctx-test/ctx x', 'echo ./ctx', './ctxx', 'cat ./ctx/main.go'].map(
      (command) => [bash(command), PASS] as const,
    ),
  ),
  path(
    '10 11 12',
    'whatever it is wrapped in',
    [`bash -c './ctx status'`, 'env A=1 ./ctx', 'x=$(./ctx v)'].map((command) => [bash(command), DOT] as const),
  ),
  path('13', 'nothing at all', [[bash(''), PASS]]),
  path(
    'binaries',
    'another program',
    [
      [bash('./tool run'), deny('tool')],
      [bash('./ctx run'), PASS],
    ],
    { options: { binaries: ['tool'] } },
  ),
  path(
    'system_dirs test_prefixes allow',
    'other places that are fine',
    [
      [bash('/srv/bin/ctx x'), PASS],
      [bash('/srv/test/ctx x'), PASS],
      [bash('./dist/ctx x'), PASS],
    ],
    { options: { system_dirs: ['/srv/bin'], test_prefixes: ['/srv/test'], allow: ['dist/*'] } },
  ),
];

const qa = about('5.3', 'qa-reminder');
const SCRIPTS = { 'package.json': '{"scripts":{"lint":"oxlint","test":"vitest run"}}' };
const one = { prompt_id: 'one' };
const gate: Step = [bash('git status', one), note('context/qa-reminder')];
const qas: readonly Row[] = [
  qa('1', 'a git command', [gate, relayed('gate')], { files: SCRIPTS }),
  qa(
    '2',
    'the next of the same prompt',
    [gate, [bash('git -C sub commit -m x', one), within(160, note('context/qa-reminder'))], relayed('gate-short')],
    { files: SCRIPTS },
  ),
  qa(
    '3 4 5',
    'no git',
    [
      [bash('cat .gitignore'), PASS],
      [bash('echo digit'), PASS],
      [bash('echo "git push"'), PASS],
    ],
    { files: SCRIPTS },
  ),
  qa(
    '6',
    'a check that passed and one that did not run',
    [
      [edited('src/a.ts')],
      [ran('npm test')],
      [bash('git commit -m x', one), note(/[Tt]ests?\b.*passed/, /[Ll]int\b.*not seen/, /npm run lint/)],
    ],
    { files: SCRIPTS },
  ),
  qa('7', 'paused', [paused(), [bash('git push'), PASS]], { files: SCRIPTS }),
  qa('8', 'not initialised', [[bash('git push'), PASS]], { files: { ...SCRIPTS, '.context/DECISIONS.md': null } }),
  qa(
    '9 qa.mode',
    'as a gate',
    [
      [edited('src/a.ts')],
      [bash('git commit -m x', one), deny(/test/)],
      [bash('git commit -m y', one), deny()],
      (stage) => stage.send(bash('git commit -m z', one)).then(({ verdict }) => seen(verdict).not.toBe('deny')),
    ],
    { files: SCRIPTS, options: { qa: { mode: 'gate' } } },
  ),
  qa(
    '10 qa.when',
    'at commits alone',
    [
      [bash('git log'), PASS],
      [bash('git commit -m x'), note()],
    ],
    { files: SCRIPTS, options: { qa: { when: 'commit' } } },
  ),
  qa(
    'qa.repeat',
    'in full each time',
    [gate, (stage) => stage.send(bash('git status', one)).then(({ said }) => seen(said.length).toBeGreaterThan(120))],
    { files: SCRIPTS, options: { qa: { repeat: 'full' } } },
  ),
  qa('qa.repeat', 'once', [gate, [bash('git log', one), PASS]], {
    files: SCRIPTS,
    options: { qa: { repeat: 'silent' } },
  }),
];

const plan = about('5.4', 'specs-nudge');
const enter = (more = {}) => before('EnterPlanMode', {}, more);
const PLAN = note('specs/');
const plans: readonly Row[] = [
  plan('1', 'planning starts', [[enter(one), PLAN]]),
  plan('2', 'at another prompt', [[enter(one), PLAN], [prompt()], [enter({ prompt_id: 'two' }), PLAN]]),
  plan('3 4', 'by key, and then by the tool', [
    [prompt('a', { prompt_id: 'k1' })],
    [prompt('b', { prompt_id: 'k2', permission_mode: 'plan' }), PLAN],
    [enter({ prompt_id: 'k2', permission_mode: 'plan' }), PASS],
  ]),
  plan('5', 'still planning', [
    [prompt('a', { permission_mode: 'plan' })],
    [prompt('b', { permission_mode: 'plan' }), PASS],
  ]),
  plan('6', 'paused', [paused(), [enter(), PASS]]),
  plan('7', 'another tool', [[read(), PASS]]),
  plan('specs.dir', 'another place', [[enter(), note('plans/')]], { options: { specs: { dir: 'plans/' } } }),
  plan('specs.on_mode_switch', 'by the tool alone', [[prompt('a')], [prompt('b', { permission_mode: 'plan' }), PASS]], {
    options: { specs: { on_mode_switch: false } },
  }),
];

const commit = about('5.5', 'post-commit');
/** The commit is made between the two events. */
const commits = (command: string, expected: Expected, where = '.', subject = 'Step'): readonly Step[] => [
  (stage) => plantRepository(join(stage.root, where)).commit('Start', Date.now()),
  [bash(command, { tool_use_id: 'c' }), PASS],
  (stage) =>
    void (
      subject === '' || plantRepository(join(stage.root, where)).git('commit', '-q', '--allow-empty', '-m', subject)
    ),
  [ran(command, '', { tool_use_id: 'c' }), expected],
];
const MADE = note('Step', 'fairlead context add');
const drift = { VERSION: '1.2.0\n', '.claude-plugin/plugin.json': '{"version":"1.1.0"}' };
const posts: readonly Row[] = [
  commit('1', 'a commit', [...commits('git commit -m Step', MADE), relayed('nudge')]),
  commit('2', 'in another repository', commits('cd a && git -C ../b commit -m Step', MADE, 'b'), {
    files: { 'b/x': 'x', 'a/x': 'x' },
  }),
  commit('3', 'none was made', commits('git commit -m x || true', PASS, '.', '')),
  commit('4', 'amended', commits('git commit --amend -m x', PASS)),
  commit('5', 'it failed', [
    [bash('git commit -m x', { tool_use_id: 'f' })],
    [failed('Bash', { command: 'git commit -m x' }, 'Exit code 1', { tool_use_id: 'f' }), PASS],
  ]),
  commit('6', 'no commit', [...commits('git commit-tree T', PASS), [ran('echo git commit'), PASS]]),
  commit(
    '7 version_sources',
    'versions that differ',
    [...commits('git commit -m Step', note('Step', '1.2.0', '1.1.0')), relayed('nudge', 'version-drift')],
    { files: drift },
  ),
  commit('aliases', 'an alias', commits('git ci -m Step', MADE), { options: { commit: { aliases: ['ci'] } } }),
];

const task = about('5.6', 'check-task-completion');
const editing = () => edited('src/a.ts');
const tasks: readonly Row[] = [
  task('1', 'the fourth', [cell('context.task_edits', 3), [editing(), PASS], holds('context.task_edits', 4)]),
  task('2', 'the fifth', [
    cell('context.task_edits', 4),
    [wrote('src/a.ts', 'x'), note('Parse the file', 'Open boxes in it: 2', '.context/TASKS.md')],
    unset('context.task_edits'),
  ]),
  task('3', 'twelve in a row', [speaksAt(12, [5, 10], editing)]),
  task('4 task.interval', 'never', [speaksAt(10, [], editing)], { options: { task: { interval: 0 } } }),
  task('task.interval', 'each second', [speaksAt(4, [2, 4], editing)], { options: { task: { interval: 2 } } }),
  task('5', 'a sub-agent at the fifth', [
    cell('context.task_edits', 4),
    [edited('src/a.ts', SUB), PASS],
    holds('context.task_edits', 5),
    [editing(), note('Parse the file')],
  ]),
  task('6', 'TASKS.md itself', [
    cell('context.task_edits', 4),
    [edited('.context/TASKS.md'), PASS],
    unset('context.task_edits'),
  ]),
  task('7', 'paused', [cell('context.task_edits', 4), paused(), [editing(), PASS], holds('context.task_edits', 4)]),
];

const danger = about('5.19', 'block-dangerous-commands');
const dangers: readonly Row[] = [
  danger(
    '1 2 3',
    'privileges',
    ['ls; sudo ls', 'a | sudo b', 'echo $(sudo id)'].map((command) => [bash(command), deny('sudo')] as const),
  ),
  danger('4', 'a push', [[bash('git push'), deny('git push')], relayed('git-push')]),
  danger(
    '5 danger.position',
    'a push in front, where only the middle counts',
    [
      [bash('git push'), PASS],
      [bash('a && git push'), deny()],
    ],
    { options: { danger: { position: 'mid' } } },
  ),
  danger('6', 'elsewhere, by force', [[bash('a && git -C r push -f'), deny('push')]]),
  danger('7 8', 'into directories of programs', [
    [bash('cp -r a b /usr/bin'), deny('/usr/bin')],
    [bash('mv x $HOME/go/bin/x'), deny('go/bin')],
    relayed('cp-to-bin'),
  ]),
  danger('9', 'by install', [[bash('install -m 755 a ~/.local/bin/'), deny('.local/bin')], relayed('install-to-bin')]),
  danger('10', 'the first of the cascade', [[bash('a && sudo cp x /usr/bin'), deny('sudo')], relayed('sudo')]),
  danger('11', 'also where nothing is initialised, and paused', [paused(), [bash('a && sudo b'), deny('sudo')]], {
    files: { '.context/DECISIONS.md': null },
  }),
  danger(
    '12 13 14 15',
    'what is none',
    ['git commit -m "then git push"', 'grep sudo f', 'cp a ./bin/', 'git push --dry-run'].map(
      (command) => [bash(command), PASS] as const,
    ),
  ),
  row('5.19.16', 'block-dangerous-commands: off', [[bash('sudo ls'), PASS]], { settings: only([]), files: CONTEXT }),
  danger(
    'danger.ask',
    'asked about',
    [
      [bash('git push'), ask('push')],
      [bash('sudo ls'), deny()],
    ],
    { options: { danger: { ask: ['git-push'] } } },
  ),
  danger(
    'danger.bin_dirs',
    'another directory',
    [
      [bash('cp a /srv/bin/'), deny('/srv/bin')],
      [bash('cp a /usr/bin'), PASS],
    ],
    { options: { danger: { bin_dirs: ['/srv/bin'] } } },
  ),
];

export const CONTEXT_CALLS: readonly Row[] = [loads, paths, qas, plans, posts, tasks, dangers].flat();
