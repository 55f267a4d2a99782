import { join } from 'node:path';
import { readCareful, writeCareful } from '../../../src/engine/careful/book.ts';
import { Draft } from '../../../src/state/draft.ts';
import { plantRepository } from '../../../src/git/repository.fixture.ts';
import type { Payload } from '../daemon-home.ts';
import { EXPLORE, INDEXED, NUDGE, TURN, asked, grep } from './search-nudge.parts.ts';
import { PASS, ask, bash, before, deny, given, note, prompt, row, seen, sends, warn, write } from './rows.ts';
import type { Expected, Row, Step } from './rows.ts';
import type { Stage } from './stage.ts';

/** As the verb leaves it; for so many milliseconds, or until a person ends it. */
const careful =
  (lasts?: number): Step =>
  async (stage) => {
    stage.memory(({ store }) => {
      const since = Date.now();
      const draft = new Draft(store, since);
      const until = lasts === undefined ? {} : { until: since + lasts };
      writeCareful(draft, { on: { ...readCareful(draft).book.on, [stage.root]: { since, by: 'user', ...until } } });
      store.commit({ reads: draft.reads, changes: draft.changes, now: since });
    });
    await stage.settled();
  };
const bookOf = (stage: Stage) => stage.memory(({ store }) => readCareful(new Draft(store, Date.now())).book.on);
const isOn =
  (on: boolean): Step =>
  (stage) =>
    seen(Object.keys(bookOf(stage)).includes(stage.root)).toBe(on);

const each = (id: string, expected: Expected, ...commands: readonly string[]): readonly Row[] =>
  commands.map((command) => row(id, command, [careful(), TURN, [bash(command), expected]]));

/** With a branch `x` that alone has a commit, and a remote. */
const repository: Step = (stage) => {
  const repo = plantRepository(stage.root);
  repo.commit('Start', Date.now());
  repo.git('checkout', '-q', '-b', 'x');
  repo.commit('Step', Date.now());
  repo.git('checkout', '-q', 'main');
  repo.git('remote', 'add', 'origin', '/nowhere/shop.git');
};
const WORDS = 'git branch -D x\nrm -rf /\nrm --recursive --force /\nfind . -delete\ngit push origin +main\n';
const unattended: Payload = { permission_mode: 'bypassPermissions' };

/** A tracked file would be no loss to git; this one lies in no repository that could bring it back. */
const LOOSE = { 'data/only.txt': 'nowhere else\n' };

export const CAREFUL: readonly Row[] = given({}, [
  row('14.14 2.7 10.deny', 'a nudge becomes a denial with its facts and both ways out', [
    careful(),
    TURN,
    [
      grep(),
      deny(
        'CodeGraph index covers src',
        /[Cc]areful mode/,
        `${EXPLORE} {"query":"parseConfig"}`,
        'fairlead careful off',
      ),
    ],
  ]),
  row('14.15', 'a record that has ended', [careful(-1), TURN, [grep(), NUDGE]]),
  row('2.2 10.reads', 'a read', [careful(), TURN, [before('Read', { file_path: 'src/a.ts' }), PASS]]),
  row('14.44', 'after a graph that failed', [
    careful(),
    TURN,
    [before(EXPLORE, { query: 'x' }, { tool_use_id: 'f' })],
    [
      {
        hook_event_name: 'PostToolUseFailure',
        tool_name: EXPLORE,
        tool_input: { query: 'x' },
        tool_use_id: 'f',
        error: 'broken',
      },
    ],
    [grep(), PASS],
  ]),
  row('10.graph', 'after a graph that answered', [careful(), TURN, [grep(), deny()], ...asked(), [grep(), PASS]]),
  row('14.70 10.lock-out', 'two denials in a turn, then a note', [
    careful(),
    TURN,
    [grep(), deny()],
    [grep(), deny()],
    [grep(), NUDGE],
    [prompt()],
    [grep(), deny()],
  ]),
  row('13.careful.maxDenials', 'as many as the settings say', [careful(), TURN, [grep(), deny()], [grep(), NUDGE]], {
    settings: { packs: { codegraph: { careful: { maxDenials: 1 } } } },
  }),
  row('14.69 10.expiry', 'it ends by itself and the person is told', [
    careful(3_600_000),
    TURN,
    [grep(), deny()],
    // Its time is over as soon as it is set.
    careful(0),
    [prompt(), warn(/careful mode has ended/i)],
    [grep(), NUDGE],
    isOn(false),
  ]),
  row('10.switch', 'a person switches it on, for a time', [
    async (stage) => {
      const { code } = await stage.fairlead('careful', 'on', '--for', '1h', '--reason', 'release day');
      seen(code).toBe(0);
      const { out } = await stage.fairlead('careful', 'status', '--json');
      seen(JSON.stringify(JSON.parse(out))).toMatch(/release day/);
      await stage.settled();
    },
    TURN,
    [grep(), deny()],
    // Without a terminal nobody who could be a person asks.
    async (stage) => seen((await stage.fairlead('careful', 'off')).code).not.toBe(0),
    isOn(true),
  ]),
  row('13.careful.defaultFor', 'four hours when nobody says for how long', [
    async (stage) => {
      seen((await stage.fairlead('careful', 'on')).code).toBe(0);
      const { until = 0, since } = bookOf(stage)[stage.root] ?? { since: 0 };
      seen(until - since).toBe(4 * 3_600_000);
    },
  ]),
  row('14.58 10.git', 'a branch that alone has a commit is deleted', [
    repository,
    careful(),
    TURN,
    [bash('git branch -D x'), deny(/branch/i)],
  ]),
  row('14.58', 'a branch that is not there', [careful(), TURN, [bash('git branch -D x'), PASS]], {
    differs: 'what loses nothing passes, in careful mode too (ADR 48)',
  }),
  row('14.61', 'a push that rewrites what a remote has', [
    repository,
    careful(),
    TURN,
    [bash('git push origin +main'), deny()],
  ]),
  ...each('14.59', deny(/(^|[\s`'"])\/([\s`'".,;:)]|$)/), 'rm -rf node_modules && rm -rf /'),
  ...each('14.60 10.file', deny(), 'rm  -rf /', 'rm --recursive --force /'),
  ...each('14.61', deny(), 'find . -delete'),
  ...each('10.database', deny(), `psql -c 'drop table users'`),
  ...each('10.process 10.permission', deny(), 'kill -9 1234', 'chmod 777 /etc/passwd'),
  ...each('14.62', PASS, 'rm -rf node_modules', 'ls -la'),
  ...each('14.63', PASS, 'npm run confirm -r', 'echo "drop table users"', 'git commit -m "no more rm -rf"'),
  ...each('14.64', PASS, 'rm -rf ./dist', 'git push --force-with-lease'),
  ...each('14.66', PASS, `cat > notes.md <<'END'\n${WORDS}END`),
  row('14.65', 'without it, a process ended by force is told', [TURN, [bash('kill -9 1234'), note(/1234/)]]),
  row('14.65', 'rights for everybody', [TURN, [bash('chmod 777 /etc/passwd'), note(/777/)]]),
  row('14.65', 'a forced push', [repository, TURN, [bash('git push --force origin x'), ask(/--force/)]]),
  ...['fairlead careful off', `env -u CLAUDECODE sh -c 'fairlead careful off'`].map((command) =>
    row('14.67 10.who', command, [
      careful(),
      TURN,
      [bash(command), ask(/careful/i)],
      [bash(command, unattended), deny()],
      isOn(true),
    ]),
  ),
  row('14.68 10.record', 'the record is out of reach', [
    careful(),
    TURN,
    sends((stage) => write(join(stage.home.state, 'careful.json'), '{}'), deny()),
    sends((stage) => bash(`echo '{}' > ${stage.home.state}/careful.json`), deny()),
    isOn(true),
  ]),
  row('14.17', 'a body that is no JSON', [[{ raw: '{"tool_name": "Gr', hook_event_name: 'PreToolUse' }, deny()]], {
    differs: 'it may be a tool call that must not run unseen, so it is stopped (ADR 46)',
  }),
  row('14.18', 'an empty body', [[{ raw: '', hook_event_name: 'PreToolUse' }, deny()]], {
    differs: 'as row 17 (ADR 46)',
  }),
]).map((each_) => ({ ...each_, files: { ...INDEXED, ...LOOSE, ...each_.files } }));
