import { join } from 'node:path';
import { until } from '../../patience.ts';
import { DAY, CONTEXT, cell, go, isSet, old, only, paused, relayed, speaksAt, tokens } from './context.parts.ts';
import { PASS, edited, note, prompt, row, showing, without, seen } from './rows.ts';
import type { Row, Step } from './rows.ts';
import type { Plan, Stage } from './stage.ts';
import { DUE, QUIET, reminders } from './context-counted.rows.ts';
import { aging, entries, journal, mirrored, remembered } from './context-daily.rows.ts';

const MANY: Plan = {
  ...CONTEXT,
  ...reminders(null),
  ...journal('a', 'b'),
  '.context/DECISIONS.md': entries(21),
  '.context/memory/mirror.md': '- old\n',
};
const SIX = [
  'check-reminders',
  'check-memory-drift',
  'check-journal',
  'check-ceremonies',
  'check-knowledge',
  'check-freshness',
];
const days =
  (...names: readonly string[]) =>
  (stage: Stage) =>
    names.filter((name) => Object.keys(stage.cells(`context.day.${name}`)).length > 0);
const together: readonly Row[] = [
  row(
    '7.1 7.2 2.6',
    'three at a prompt, the others at the next',
    [
      old('prices.md', 300 * DAY),
      mirrored('- old\n'),
      remembered('- new\n'),
      tokens(5),
      go(note('Rotate key 1', 'fairlead memory sync')),
      (stage) => seen(days('ceremonies', 'knowledge', 'freshness', 'journal')(stage)).toHaveLength(1),
      go(note()),
      (stage) => seen(days('ceremonies', 'knowledge', 'freshness', 'journal')(stage)).toHaveLength(4),
    ],
    {
      files: {
        ...MANY,
        '.context/journal/2026-03-09-0900-aaaaaaa9.md': '---\nenriched: false\n---\nA session.\n',
        'prices.md': 'old',
      },
      settings: only(SIX, aging('prices.md')),
    },
  ),
  row(
    '2.6.attention',
    'one at a prompt',
    [go(without(note('Rotate key 1'), 'DECISIONS.md')), go(note('DECISIONS.md'))],
    {
      files: MANY,
      settings: only(['check-reminders', 'check-knowledge'], { attention: { max_nudges: 1 } }),
    },
  ),
  row('2.6.audience', 'the agent alone', [[prompt(), { ...note('Rotate key 1'), shows: /^$/ }]], {
    files: MANY,
    settings: only(['check-reminders'], { nudge: { audience: 'agent' } }),
  }),
  row('2.6.style', 'without a box', [[prompt(), showing(/^[^┌]*$/, note('Rotate key 1'))]], {
    files: MANY,
    settings: only(['check-reminders'], { nudge: { style: 'plain' } }),
  }),
  row('7.3 2.5', 'silence on purpose', [go(), isSet('context.day.knowledge'), relayed('warning')], {
    files: { ...MANY, '.fairlead/messages/context/check-knowledge/warning.md': ' \n' },
    settings: only(['check-knowledge']),
  }),
  row('7.4', 'a message of ctx that cannot be filled', [go(note('DECISIONS.md', '21')), relayed('template-error')], {
    files: { ...MANY, '.context/hooks/messages/check-knowledge/warning.txt': 'See {{.Nope}}' },
    settings: only(['check-knowledge']),
  }),
  row('7.5', 'the words of the project', [go(note('Our own words.'))], {
    files: { ...MANY, '.fairlead/messages/context/check-knowledge/warning.md': 'Our own words.' },
    settings: only(['check-knowledge']),
  }),
  row(
    '7.6 2.3',
    'a pause counts prompts',
    [
      paused(),
      go(note('paused')),
      go(note()),
      go(note()),
      (stage) => seen(Object.values(stage.cells('paused'))[0]).toMatchObject({ turns: 3 }),
    ],
    { files: CONTEXT, settings: { packs: { context: { enabled: true, resources: QUIET } } } },
  ),
  row(
    '7.7 2.1',
    'from a directory below',
    [
      go(DUE),
      (stage) => stage.send(prompt('Go.', { cwd: join(stage.root, 'src') })).then(({ said }) => seen(said).toBe('')),
    ],
    { files: { ...MANY, 'src/a.ts': '' }, settings: only(['check-reminders']) },
  ),
  row(
    '7.8',
    'two sessions',
    [
      [prompt(), note('21')],
      [prompt('Go.', { session_id: 'two' }), PASS],
      [prompt('Go.', { session_id: 'two' }), PASS],
    ],
    { files: MANY, settings: only(['check-knowledge']) },
  ),
  row(
    '7.9',
    'a cell of another shape',
    [cell('context.reminders_shown', 'what'), cell('context.persist', [7]), go(note('Rotate key 1'))],
    { files: MANY, settings: only(['check-reminders', 'check-persistence']) },
  ),
  row(
    '2.8',
    'a log of the project’s own',
    [
      go(note()),
      (stage) =>
        until(
          'the log',
          () =>
            stage.exists('.context/state/events.jsonl') &&
            stage.read('.context/state/events.jsonl').includes('check-knowledge'),
        ),
    ],
    { files: MANY, settings: only(['check-knowledge'], { event_log: true }) },
  ),
  row('2.11.ctxrc', 'settings of ctx', [speaksAt(4, [2, 4], () => edited('src/a.ts'))], {
    files: { ...CONTEXT, '.ctxrc': 'task_nudge_interval: 2\n' },
    settings: only(['check-task-completion']),
  }),
  row('2.11.ctxrc', 'which nobody reads', [speaksAt(4, [], () => edited('src/a.ts'))], {
    files: { ...CONTEXT, '.ctxrc': 'task_nudge_interval: 2\n' },
    settings: only(['check-task-completion'], { read_ctxrc: false }),
  }),
  row(
    '1.origin',
    'a prompt of nobody',
    [
      ...['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event'].map((source): Step => [
        prompt('Go.', { source }),
        PASS,
      ]),
      go(DUE),
    ],
    { files: MANY, settings: only(['check-reminders']) },
  ),
];

export const CONTEXT_TOGETHER: readonly Row[] = together;
