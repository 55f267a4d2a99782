import { setTimeout as sleep } from 'node:timers/promises';
import { answerLine, resultLine } from '../../../src/packs/context/session.fixture.ts';
import {
  DAY,
  HOUR,
  CONTEXT,
  about,
  atLast,
  cell,
  go,
  holds,
  paused,
  relayed,
  speaksAt,
  tokens,
  unset,
} from './context.parts.ts';
import { PASS, event, note, prompt, showing, within, seen } from './rows.ts';
import type { Row, Step } from './rows.ts';

const NOTICE: Step = [event('UserPromptSubmit', { prompt: '<task-notification>done</task-notification>' }), PASS];

const size = about('5.7', 'check-context-size');
const WINDOW = { window: { size: 200_000 } };
const at = (count: number, held: number): readonly Step[] => [cell('context.prompts', count), tokens(held)];
const wrapped = (age: number): Step => cell('context.wrapped_up', { at: Date.now() - age }, 'workspace');
const CHECKPOINT = note('fairlead context wrap-up', /100k/, /50 %/);
const full = note('85 %', '170k', 'fairlead context wrap-up');
const grown: Step = (stage) => void stage.put(stage.transcript, answerLine(130_000) + answerLine(184_000));
const sizes: readonly Row[] = [
  size('1', 'prompt 20', [...at(19, 100_000), go(showing(/┌/, CHECKPOINT)), relayed('checkpoint')], {
    options: WINDOW,
  }),
  size(
    '2 3 4',
    'between',
    [14, 16, 30].flatMap((count): Step[] => [...at(count, 100_000), go()]),
    { options: WINDOW },
  ),
  size('5', 'nearly full', [...at(32, 170_000), go(full), relayed('window')], { options: WINDOW }),
  size('6', 'prompt 35', [...at(34, 100_000), go(CHECKPOINT)], { options: WINDOW }),
  size(
    '6 size.exclusive_bands',
    'prompt 35 where the bands do not overlap',
    [...at(34, 100_000), go(), go(CHECKPOINT)],
    { options: { ...WINDOW, size: { exclusive_bands: true } } },
  ),
  size('7', 'prompt 5, nearly full', [...at(4, 170_000), go()], { options: WINDOW }),
  size('7 size.trigger', 'at the first crossing as well', [...at(4, 170_000), go(full), go()], {
    options: { ...WINDOW, size: { trigger: 'both' } },
  }),
  size('size.trigger', 'by percent', [...at(0, 130_000), go(note()), go(), grown, go(note())], {
    options: { ...WINDOW, size: { trigger: 'percent' } },
  }),
  size('size.window_pct', 'another limit', [...at(32, 100_000), go(note('50 %')), relayed('window')], {
    options: { ...WINDOW, size: { window_pct: 50 } },
  }),
  size(
    '8 billing_token_warn',
    'billing, although work was saved',
    [tokens(120_000), wrapped(HOUR), go(note('120k', '100k')), go(), relayed('billing')],
    { options: { ...WINDOW, billing_token_warn: 100_000 } },
  ),
  size('9 wrap_up.hours', 'saved two hours ago', [...at(19, 100_000), wrapped(2 * HOUR + 60_000), go(CHECKPOINT)], {
    options: WINDOW,
  }),
  size('wrap_up.hours', 'saved a moment ago', [...at(19, 100_000), wrapped(60_000), go()], { options: WINDOW }),
  size('10', 'paused, for a few prompts', [
    cell('context.prompts', 7),
    paused(2),
    go(within(300, note('paused'))),
    holds('context.prompts', 7),
  ]),
  size('11', 'paused, for many', [
    cell('context.prompts', 7),
    paused(7),
    go(note('8', 'fairlead resume')),
    holds('context.prompts', 7),
  ]),
  size('pause.short_turns', 'many by another count', [paused(2), go(note('3', 'fairlead resume'))], {
    options: { pause: { short_turns: 1 } },
  }),
  size(
    '12',
    'a large result behind the usage',
    [
      ...at(19, 88_000),
      (stage) => void stage.put(stage.transcript, answerLine(88_000) + resultLine(200 << 10)),
      go(note('88k')),
    ],
    { options: WINDOW },
  ),
  size('13 2.2', 'a notification', [cell('context.prompts', 19), NOTICE, holds('context.prompts', 19)]),
  size(
    'stats',
    'a line for each prompt',
    [
      ...at(19, 100_000),
      go(note()),
      async (stage) => seen((await stage.fairlead('stats', '--session', stage.session)).out).toMatch(/checkpoint/),
    ],
    { options: WINDOW },
  ),
];

const persist = about('5.14', 'check-persistence');
const stretch = (count: number, lastNudge: number, age = HOUR) =>
  cell('context.persist', { count, lastNudge, lastMtime: Date.now() - age, persistedAt: Date.now() - age });
const aged: Step = (stage) => Object.keys(CONTEXT).forEach((path) => stage.put(path, stage.read(path), DAY));
const persists: readonly Row[] = [
  persist('1', 'the first prompt', [
    aged,
    go(),
    (stage) => seen(Object.values(stage.cells('context.persist'))[0]).toMatchObject({ count: 1 }),
  ]),
  persist('2', 'sixty prompts', [aged, speaksAt(60, [20, 35, 50])]),
  persist('3', 'a context file changed', [
    aged,
    stretch(18, 0),
    (stage) => void stage.put('.context/DECISIONS.md', '# Decisions\n\nMore.\n'),
    go(),
    (stage) => seen(Object.values(stage.cells('context.persist'))[0]).toMatchObject({ count: 19, lastNudge: 19 }),
  ]),
  persist('4', 'then fifteen prompts', [aged, stretch(19, 19), speaksAt(16, [15])]),
  persist('5', 'too early', [aged, stretch(10, 0), go()]),
  persist('6', 'paused', [
    aged,
    stretch(19, 0),
    paused(),
    go(),
    (stage) => seen(Object.values(stage.cells('context.persist'))[0]).toMatchObject({ count: 19 }),
  ]),
  persist('7 persist.require_edits', 'nothing was edited', [aged, stretch(19, 0), go()], {
    options: { persist: { require_edits: true } },
  }),
  persist('persist.early persist.late', 'other stretches', [aged, speaksAt(12, [4, 10])], {
    options: { persist: { early_min: 2, early_max: 5, early_interval: 4, late_interval: 6 } },
  }),
  persist('message', 'what is said', [aged, stretch(19, 0), go(note('20', 'fairlead context')), relayed('nudge')]),
];

const remind = about('5.15', 'check-reminders');
const day = (from: number): string =>
  new Date(Date.now() + from * DAY - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
export const reminders = (...after: readonly (string | null)[]) => ({
  '.context/reminders.json': JSON.stringify(
    after.map((each, n) => ({ id: n + 1, message: `Rotate key ${n + 1}`, created: '2026-03-01', after: each })),
  ),
});
export const DUE = note('Rotate key 1', 'fairlead remind dismiss');
const reminds: readonly Row[] = [
  remind('1 2', 'one that is due', [go(DUE), go(), relayed('reminders')], { files: reminders(null) }),
  remind('2 reminders.repeat', 'at every prompt', [go(DUE), go(DUE)], {
    files: reminders(null),
    options: { reminders: { repeat: 'always' } },
  }),
  remind('reminders.repeat', 'once a day', [go(DUE), [prompt('Go.', { session_id: 'two' }), PASS]], {
    files: reminders(null),
    options: { reminders: { repeat: 'daily' } },
  }),
  remind('3', 'tomorrow', [go()], { files: reminders(day(1)) }),
  remind('4', 'today', [go(DUE)], { files: reminders(day(0)) }),
  remind(
    '5',
    'another one',
    [
      go(DUE),
      (stage) => void stage.put('.context/reminders.json', reminders(null, null)['.context/reminders.json']),
      go(note('Rotate key 1', 'Rotate key 2')),
    ],
    { files: reminders(null) },
  ),
  remind('6', 'a damaged file', [go()], { files: { '.context/reminders.json': '[{' } }),
  remind('7 reminders.again_after', 'again', [speaksAt(42, [1, 21, 41])], { files: reminders(null) }),
  remind('reminders.again_after', 'again, sooner', [speaksAt(5, [1, 3, 5])], {
    files: reminders(null),
    options: { reminders: { again_after: 2 } },
  }),
];

const resource = about('5.16', 'check-resources');
export const QUIET = { memory: { danger: 0 }, swap: { danger: 0 }, load: { danger: 0 }, disk: { danger: 0 } };
const FULL = { ...QUIET, disk: { warn: 0.001, danger: 0.001 } };
const DISK = [/[Dd]isk/, 'fairlead context wrap-up'] as const;
const calm: readonly Step[] = [go(), () => sleep(150), go(), go()];
const resources: readonly Row[] = [
  resource('1 resources.danger', 'one in danger', [atLast(...DISK), relayed('alert')], {
    options: { resources: FULL },
  }),
  resource('2', 'none in danger', calm, { options: { resources: { ...QUIET, disk: { warn: 0.001, danger: 0 } } } }),
  resource('3', 'not initialised', [atLast(/[Dd]isk/, 'save what is not saved yet')], {
    options: { resources: FULL },
    files: { '.context/DECISIONS.md': null },
  }),
  resource('4', 'paused', [paused(), ...calm], { options: { resources: FULL } }),
  resource('5', 'said once', [atLast(...DISK), go(), go()], { options: { resources: FULL } }),
  resource('5 resources.repeat', 'said each time', [atLast(...DISK), atLast(...DISK)], {
    options: { resources: { ...FULL, repeat: 'always' } },
  }),
];

const beat = about('5.18', 'heartbeat');
const beats =
  (expected: object): Step =>
  (stage) =>
    seen(Object.values(stage.cells('context.heartbeat'))[0]).toMatchObject(expected);
const heartbeats: readonly Row[] = [
  beat('1 5', 'the first prompt', [aged, go(), beats({ count: 1 }), relayed('pulse')]),
  beat('2 3', 'a file that changed', [
    aged,
    go(),
    (stage) => void stage.put('.context/TASKS.md', '# Tasks\n'),
    go(),
    go(),
    beats({ count: 3 }),
  ]),
  beat('4', 'paused', [paused(), go(), unset('context.heartbeat')]),
];

export const CONTEXT_COUNTED: readonly Row[] = [sizes, persists, reminds, resources, heartbeats].flat();
