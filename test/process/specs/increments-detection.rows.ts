import { setTimeout as sleep } from 'node:timers/promises';
import { rmSync } from 'node:fs';
import { SPEC, TASKS, metadata, tick } from '../../../src/packs/increments/increment.fixture.ts';
import { nodeFiles } from '../../../src/platform/files.ts';
import { clearSwitch, writeSwitch } from '../../../src/state/switch.ts';
import { until } from '../../patience.ts';
import { PASS, after, before, deny, edited, event, failed, ran, row, seen } from './rows.ts';
import type { Row, Step } from './rows.ts';
import {
  TASKS_FILE,
  SPEC_FILE,
  STATE_FILE,
  STATUS_FILE,
  HOUR,
  first,
  options,
  WIDE,
  counts,
  countsScan,
  marks,
  pending,
  changes,
  becomes,
  current,
  begins,
  complete,
  inDemo,
  did,
} from './increments.parts.ts';

const NO_PATH = [after('Edit', {}, {}), PASS] as const;
const UNREAD: Step = [before('Edit', {}), PASS];
const inert: readonly Row[] = [
  row('12.1 3.kill', 'the switch is off for all', [
    (stage) => writeSwitch(nodeFiles, stage.home.state, { since: Date.now() }),
    (stage) => until('it is off', async () => (await stage.send(complete)).verdict === 'pass'),
    ...did(TASKS_FILE, tick(TASKS)),
    marks(0),
    (stage) => void clearSwitch(nodeFiles, stage.home.state),
    (stage) => until('it is on again', async () => (await stage.send(complete)).verdict !== 'pass'),
  ]),
  row('12.2', 'a switch whose time is over', [
    (stage) => writeSwitch(nodeFiles, stage.home.state, { since: Date.now() - 2 * HOUR, until: Date.now() - HOUR }),
    ...did(TASKS_FILE, tick(TASKS)),
    becomes(SPEC_FILE, tick(SPEC)),
    (stage) => void clearSwitch(nodeFiles, stage.home.state),
  ]),
  row(
    '12.3 3.environment',
    'inert by SPECWEAVE_DISABLE_HOOKS',
    [...did(TASKS_FILE, tick(TASKS)), [complete, PASS], marks(0)],
    { env: { SPECWEAVE_DISABLE_HOOKS: '1' } },
  ),
  row('3.environment', 'inert by FAIRLEAD_DISABLED, which the client sees', [
    async (stage) => seen(await stage.byClient(complete, { FAIRLEAD_DISABLED: '1' })).toBe(''),
    async (stage) => seen(await stage.byClient(complete, {})).toContain('"deny"'),
  ]),
  row('12.3 3.depth', 'an agent that we started', [...did(TASKS_FILE, tick(TASKS)), [complete, deny()], marks(0)], {
    env: { FAIRLEAD_DEPTH: '1' },
    differs: 'nothing is noticed there, but the guard holds for such agents too (docs/packs/increments.md)',
  }),
  row('11.enabled', 'switched off', [...did(TASKS_FILE, tick(TASKS)), marks(0)], {
    settings: { packs: { increments: 'off' } },
  }),
];
const bare: readonly Row[] = [
  row(
    '12.4 2.root',
    'without .specweave',
    [begins('src/a.ts'), [edited('src/a.ts'), PASS], (stage) => seen(stage.exists('.specweave')).toBe(false)],
    { files: { 'src/a.ts': 'a' } },
  ),
];
const tiers: readonly Row[] = [
  row('12.5 4.0', 'no path: tier 0', [
    UNREAD,
    counts({ 'exit.before.0': 1, 'args.claude-code/PreToolUse.without': 1 }),
  ]),
  row('12.6 4.1', 'elsewhere: tier 1', [begins('src/init.ts'), counts({ 'exit.before.1': 1 }), marks(0)]),
  row('12.7 4.2', 'another file of .specweave: tier 2', [
    begins('.specweave/config.json'),
    counts({ 'exit.before.2': 1 }),
  ]),
  row('12.8', 'a completed increment: tier 2', [begins(TASKS_FILE), counts({ 'exit.before.2': 1 }), marks(0)], {
    files: { [STATE_FILE]: metadata('completed') },
  }),
  row('12.9 2.archive', 'an archived one: tier 2', [
    begins('.specweave/increments/_archive/0051-x/spec.md'),
    counts({ 'exit.before.2': 1 }),
  ]),
  row('12.10 2.active', 'active by its front matter: tier 3', [
    (stage) => rmSync(`${stage.root}/${STATE_FILE}`),
    begins(SPEC_FILE),
    counts({ 'exit.before.3': 1 }),
  ]),
  row('12.54', 'metadata goes before the front matter', [begins(TASKS_FILE), counts({ 'exit.before.2': 1 })], {
    files: { [STATE_FILE]: metadata('paused') },
  }),
  row('11.active_statuses', 'other statuses are active', [begins(TASKS_FILE), counts({ 'exit.before.3': 1 })], {
    files: { [STATE_FILE]: metadata('paused') },
    ...options({ active_statuses: ['paused'] }),
  }),
  row('12.11 5.signal 4.3', 'the first half signals', [
    begins(TASKS_FILE, { tool_use_id: 'a' }),
    pending(1),
    ...did(TASKS_FILE, first(TASKS), PASS, { tool_use_id: 'a' }),
    pending(0),
    counts({ 'detect.signal.hit': 1, 'exit.after.3': 1 }),
  ]),
  row('12.12', 'two at once, ended in another order', [
    begins(TASKS_FILE, { tool_use_id: 'a' }),
    begins(SPEC_FILE, { tool_use_id: 'b' }),
    [edited(SPEC_FILE, { tool_use_id: 'b' }), PASS],
    [edited(TASKS_FILE, { tool_use_id: 'a' }), PASS],
    pending(0),
    counts({ 'detect.signal.hit': 2 }),
  ]),
  row('12.13', 'a call that fails', [
    begins(TASKS_FILE, { tool_use_id: 'a' }),
    pending(1),
    [failed('Edit', { file_path: TASKS_FILE }, 'no', { tool_use_id: 'a' })],
    pending(0),
    marks(0),
  ]),
  row('12.14 5.payload', 'without a signal', [...did(TASKS_FILE, first(TASKS)), counts({ 'detect.payload.hit': 1 })]),
  row(
    '12.15 5.mtime 11.scan.window_ms',
    'without a path',
    [changes(TASKS_FILE, first(TASKS), 500), NO_PATH, countsScan],
    options(WIDE),
  ),
  row('12.16', 'too long ago', [
    changes(TASKS_FILE, first(TASKS), 2_500),
    NO_PATH,
    counts({ 'detect.none': 1 }),
    marks(0),
  ]),
  row(
    '12.17',
    'two increments have changed',
    [
      changes(SPEC_FILE, `${SPEC}\n`, 1_000),
      changes('.specweave/increments/0002-more/spec.md', '# More\n', 1_000),
      NO_PATH,
      becomes(STATUS_FILE, /0001-demo[^]*0002-more/),
    ],
    { ...options(WIDE), files: { '.specweave/increments/0002-more/metadata.json': metadata('active', '0002-more') } },
  ),
  row('12.18 3.own', 'what a job wrote', [
    ...did(TASKS_FILE, tick(TASKS)),
    becomes(SPEC_FILE, tick(SPEC)),
    current({ completed: 2, acsCompleted: 2 }),
    changes(TASKS_FILE, tick(TASKS), HOUR),
    [after('Edit', {}, {})],
    counts({ 'detect.none': 1 }),
  ]),
  row(
    '12.19 4.bash',
    'commands with a hint and without',
    [
      changes(TASKS_FILE, first(TASKS), 500),
      [ran('ls'), PASS],
      counts({ 'exit.after.0': 1 }),
      [ran(`sed -i s/a/b/ ${TASKS_FILE}`), PASS],
      countsScan,
    ],
    options(WIDE),
  ),
  row('12.53', 'a long command', [
    changes(TASKS_FILE, first(TASKS), 50_000),
    [ran(`long-run ${TASKS_FILE}`, '', { duration_ms: 600_000 }), PASS],
    countsScan,
  ]),
  row(
    '11.watch 5.watch',
    'a change outside of the agent',
    [
      async (stage) =>
        void (await stage.send(event('FileChanged', { file_path: `${stage.root}/${TASKS_FILE}`, event: 'change' }))),
      counts({ 'detect.watch.hit': 1 }),
    ],
    options({ watch: true }),
  ),
];
const SOURCE = 'claude-code/PreToolUse';
/** Set until it stays: what an event before it leaves may be written a moment later. */
const ring =
  (bits: string, state: string): Step =>
  (stage) =>
    until('the ring is set', async () => {
      await stage.setCell('user', 'increments.ring', { bits, state, since: 1 }, SOURCE);
      await sleep(200);
      return (stage.cells('increments.ring')[SOURCE] as { bits: string }).bits === bits;
    });
const sight =
  (state: string): Step =>
  (stage) =>
    until(
      `the source is ${state}`,
      () => (stage.cells('increments.ring')[SOURCE] as { state: string }).state === state,
    );
const SEEING = ring('1'.repeat(100), 'sighted');
const relayed =
  (count: number): Step =>
  (stage) =>
    until(
      `${count} relays`,
      () => stage.relays().filter((each) => each.startsWith('increments/detect')).length === count,
    );
const tuning: readonly Row[] = [
  row('12.20 6.blind', '51 of 100 without', [
    ring('1'.repeat(50) + '0'.repeat(50), 'sighted'),
    UNREAD,
    sight('blind'),
    relayed(1),
    begins(TASKS_FILE),
    pending(0),
    SEEING,
  ]),
  row('12.22', 'what was long ago', [ring('0'.repeat(100), 'blind'), UNREAD, sight('blind'), relayed(0), SEEING]),
  row('12.23 6.learning', 'ten samples', [
    ring('0'.repeat(10), 'learning'),
    begins(TASKS_FILE),
    sight('learning'),
    pending(1),
    SEEING,
  ]),
  row(
    '11.tuning',
    'as few as the settings want',
    [ring('0'.repeat(4), 'learning'), UNREAD, sight('blind'), SEEING],
    options({ tuning: { ring: 5, min_samples: 5, majority: 50 } }),
  ),
  row('12.51 6.guard', 'a blind source does not silence the guard', [
    ring('0'.repeat(100), 'blind'),
    [complete, deny('0001-demo')],
    SEEING,
  ]),
];

/** Those without an increment, then those with one. */
export const INCREMENTS_DETECTION: readonly Row[] = [...bare, ...[...inert, ...tiers, ...tuning].map(inDemo)];
