import { setTimeout as sleep } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plantRepository } from '../../../src/git/repository.fixture.ts';
import { until } from '../../patience.ts';
import { DAY, HOUR, about, atLast, go, isSet, old, relayed, tokens, unset } from './context.parts.ts';
import { PASS, note, prompt, row, seen } from './rows.ts';
import type { Row, Step } from './rows.ts';

const ceremony = about('5.8', 'check-ceremonies');
export const journal = (...texts: readonly string[]) =>
  Object.fromEntries(
    texts.map((text, n) => [
      `.context/journal/2026-03-0${n + 1}-0900-aaaaaaa${n}.md`,
      `---\nenriched: true\n---\n${text}\n`,
    ]),
  );
const BEGAN = 'It ran fairlead context remember.';
const ENDED = 'It ran fairlead context wrap-up.';
const ceremonies: readonly Row[] = [
  ceremony('1', 'neither', [go(note()), isSet('context.day.ceremonies'), relayed('both')], {
    files: journal('a', 'b', 'c'),
  }),
  ceremony('2', 'the end is missing', [go(note('fairlead context wrap-up')), relayed('wrapup')], {
    files: journal(BEGAN, 'b', 'c'),
  }),
  ceremony('3', 'the start is missing', [go(note('fairlead context remember')), relayed('remember')], {
    files: journal(ENDED, 'b', 'c'),
  }),
  ceremony('4', 'both, in two entries', [go(), unset('context.day.ceremonies')], { files: journal(BEGAN, ENDED) }),
  ceremony('5', 'no journal', [go()]),
  ceremony('6', 'once a day', [go(note()), go()], { files: journal('a', 'b') }),
  ceremony('7', 'this very prompt', [[prompt('/ctx-remember'), PASS], isSet('context.day.ceremonies'), go()], {
    files: journal('a', 'b'),
  }),
  ceremony('lookback', 'fewer entries', [go(note())], {
    files: journal(`${BEGAN} ${ENDED}`, 'b'),
    options: { ceremonies: { lookback: 1 } },
  }),
  ceremony('names', 'other words', [go()], {
    files: journal('hello', 'goodbye'),
    options: { ceremonies: { start: ['hello'], end: ['goodbye'] } },
  }),
];

const fresh = about('5.9', 'check-freshness');
export const aging = (...paths: readonly string[]) => ({
  freshness: {
    files: paths.map((path) => ({ path, desc: `facts of ${path}`, review_url: `https://example.org/${path}` })),
  },
});
const PRICES = { 'prices.md': 'old', 'limits.md': 'old' };
const freshness: readonly Row[] = [
  fresh('1', 'no files named', [go()]),
  fresh(
    '2',
    'older than half a year',
    [
      old('prices.md', 183 * DAY),
      go(note('prices.md', '183', 'facts of', 'fairlead context reviewed')),
      isSet('context.day.freshness'),
      relayed('stale'),
    ],
    { files: PRICES, options: aging('prices.md') },
  ),
  fresh('3', 'not older', [old('prices.md', 182 * DAY - HOUR), go()], { files: PRICES, options: aging('prices.md') }),
  fresh(
    '4',
    'two',
    [
      old('prices.md', 200 * DAY),
      old('limits.md', 300 * DAY),
      go(note('prices.md', 'limits.md', 'example.org/prices.md', 'example.org/limits.md')),
    ],
    { files: PRICES, options: aging('prices.md', 'limits.md') },
  ),
  fresh(
    '5',
    'reviewed',
    [
      old('prices.md', 200 * DAY),
      async (stage) => seen((await stage.fairlead('context', 'reviewed', 'prices.md')).code).toBe(0),
      (stage) => stage.settled(),
      go(),
    ],
    { files: PRICES, options: aging('prices.md') },
  ),
  fresh('6', 'missing', [go()], { options: aging('none.md') }),
  fresh('7', 'once a day', [old('prices.md', 200 * DAY), go(note()), go()], {
    files: PRICES,
    options: aging('prices.md'),
  }),
  fresh('max_age_days', 'another age', [old('prices.md', 20 * DAY), go(note('prices.md'))], {
    files: PRICES,
    options: { freshness: { ...aging('prices.md').freshness, max_age_days: 10 } },
  }),
];

const journals = about('5.10', 'check-journal');
const ENTRY = (enriched: boolean, n: number) =>
  [
    `.context/journal/2026-03-0${n}-0900-bbbbbbb${n}.md`,
    `---\nenriched: ${String(enriched)}\n---\nA session.\n`,
  ] as const;
const session =
  (name: string): Step =>
  (stage) =>
    void stage.put(
      join(dirname(stage.transcript), `${name}.jsonl`),
      `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'Go.' } })}\n`,
    );
const exported =
  (enriched: boolean, ...n: readonly number[]): Step =>
  (stage) =>
    n.forEach((each) => stage.put(...ENTRY(enriched, each), DAY));
const journalRows: readonly Row[] = [
  journals('1', 'two sessions', [
    exported(true, 1),
    session('s1'),
    session('s2'),
    atLast('2', 'fairlead journal export'),
    relayed('unexported'),
  ]),
  journals('2', 'three entries', [
    exported(false, 1, 2, 3),
    tokens(5),
    go(note('3', 'journal enrich')),
    relayed('unenriched'),
  ]),
  journals('3', 'both', [exported(false, 1), session('s1'), atLast('fairlead journal export'), relayed('both')]),
  journals('4', 'the running session alone', [exported(true, 1), tokens(5), go(), go()]),
  journals('5', 'another project', [
    exported(true, 1),
    tokens(5),
    (stage) => void stage.put(join(dirname(stage.transcript), '../other/x.jsonl'), '{}\n'),
    go(),
    go(),
  ]),
  journals('6', 'no journal', [session('s1'), go(), go()]),
  journals('7', 'once a day', [exported(false, 1), tokens(5), go(note()), go()]),
];

const knowledge = about('5.11', 'check-knowledge');
export const entries = (count: number) =>
  Array.from({ length: count }, (_, n) => `## [2026-01-01-000${100 + n}] Title ${n}\n`).join('\n');
const lines = (count: number) => `${Array.from({ length: count }, (_, n) => `line ${n}`).join('\n')}\n`;
const knowledges: readonly Row[] = [
  knowledge(
    '1',
    '21 decisions',
    [go(note('DECISIONS.md', '21', '20')), isSet('context.day.knowledge'), relayed('warning')],
    { files: { '.context/DECISIONS.md': entries(21) } },
  ),
  knowledge('2', 'as many as may be', [go()], {
    files: {
      '.context/DECISIONS.md': entries(20),
      '.context/LEARNINGS.md': entries(30),
      '.context/CONVENTIONS.md': lines(200),
    },
  }),
  knowledge('3', 'two files', [go(note('LEARNINGS.md', 'CONVENTIONS.md'))], {
    files: { '.context/LEARNINGS.md': entries(31), '.context/CONVENTIONS.md': lines(201) },
  }),
  knowledge('4', 'no limits', [go()], {
    files: { '.context/DECISIONS.md': entries(99) },
    options: { knowledge: { decisions_max: 0, learnings_max: 0, conventions_max_lines: 0 } },
  }),
  knowledge('5', 'no limit for these', [go()], {
    files: { '.context/DECISIONS.md': entries(99) },
    options: { knowledge: { decisions_max: 0 } },
  }),
  knowledge('6', 'once a day', [go(note()), go()], { files: { '.context/DECISIONS.md': entries(21) } }),
];

const map = about('5.12', 'check-map-staleness');
const ran = (days: number, more = {}) => ({
  '.context/map-tracking.json': JSON.stringify({
    opted_out: false,
    last_run: new Date(Date.now() - days * DAY).toISOString(),
    ...more,
  }),
});
const history =
  (count: number, file: string): Step =>
  (stage) => {
    const repo = plantRepository(stage.root);
    for (let n = 0; n < count; n += 1) repo.commit(`Step ${n}`, Date.now() - DAY, file);
  };
/** Also when the history is known. */
const never: readonly Step[] = [go(), () => sleep(150), go(), go(), unset('context.day.map')];
const maps: readonly Row[] = [
  map(
    '1 6',
    'four commits',
    [
      history(4, 'src/a.ts'),
      atLast('since then: 4', 'src', 'fairlead context map done'),
      isSet('context.day.map'),
      relayed('stale'),
    ],
    { files: ran(31) },
  ),
  map('2', 'not old enough', [history(1, 'src/a.ts'), ...never], { files: ran(29) }),
  map('3', 'commits elsewhere', [history(1, 'docs/a.md'), ...never], { files: { ...ran(31), 'src/a.ts': 'x' } }),
  map('4', 'nobody wants it', [history(1, 'src/a.ts'), ...never], { files: ran(31, { opted_out: true }) }),
  map('5', 'no map, and a damaged one', [
    history(1, 'src/a.ts'),
    ...never,
    (stage) => void stage.put('.context/map-tracking.json', '{'),
    ...never,
  ]),
  map('7 map.paths', 'other places', [history(1, 'server/a.ts'), atLast('since then: 1', 'server')], {
    files: ran(31),
    options: { map: { paths: ['server/'] } },
  }),
  map('map.max_age_days', 'another age', [history(1, 'src/a.ts'), atLast('since then: 1')], {
    files: ran(11),
    options: { map: { max_age_days: 10 } },
  }),
];

const memory = about('5.13', 'check-memory-drift');
export const remembered =
  (text: string, age = 0): Step =>
  (stage) =>
    void stage.put(join(dirname(stage.transcript), 'memory/MEMORY.md'), text, age);
export const mirrored =
  (text: string): Step =>
  async (stage) => {
    stage.put('.context/memory/mirror.md', text, 2 * DAY);
    await stage.setCell('workspace', 'context.memory_hash', createHash('sha256').update(text).digest('hex'));
  };
const memories: readonly Row[] = [
  memory('1 2', 'it was edited, and told once', [
    mirrored('- old\n'),
    remembered('- new\n'),
    go(note('fairlead memory sync')),
    isSet('context.memory_nudged'),
    go(),
    relayed('nudge'),
  ]),
  memory('3', 'only touched', [mirrored('- old\n'), remembered('- old\n'), go(), unset('context.memory_nudged')]),
  memory('4', 'none', [go()]),
  memory('5', 'never mirrored', [
    remembered('- new\n'),
    go(note('fairlead memory sync')),
    relayed('first-sync'),
    [prompt('Go.', { session_id: 'two' }), PASS],
  ]),
  memory('6', 'without a transcript', [
    (stage) =>
      void stage.put(
        join(stage.person, '.claude/projects', stage.root.replaceAll(/[^A-Za-z0-9]/g, '-'), 'memory/MEMORY.md'),
        '- new\n',
      ),
    [prompt('Go.', { transcript_path: undefined }), note('fairlead memory sync')],
  ]),
  memory('first_sync_hint', 'not told of', [remembered('- new\n'), go()], {
    options: { memory: { first_sync_hint: false } },
  }),
];

const version = about('5.17', 'check-version');
const registered =
  (number: string): Step =>
  (stage) => {
    chmodSync(stage.put('tool/bin/fairlead', '#!/bin/sh\n'), 0o755);
    stage.put('tool/package.json', number === '' ? '{' : JSON.stringify({ name: 'fairlead', version: number }));
    const command = `'${stage.root}/tool/bin/fairlead' hook --agent claude-code --event UserPromptSubmit`;
    stage.put(
      '.claude/settings.json',
      JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] } }),
    );
  };
/** The same release but for its patch. */
const PATCH = `${(JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version.split('.').slice(0, 2).join('.')}.99`;
const key =
  (days: number): Step =>
  (stage) =>
    chmodSync(stage.put(join(stage.home.config, 'notify.key'), 'k'.repeat(32), days * DAY), 0o600);
const noKey: Step = (stage) => rmSync(join(stage.home.config, 'notify.key'));
/** It has looked, and said nothing. */
const isQuiet =
  (marker: string): Step =>
  (stage) =>
    until(`${marker} is set`, async () => {
      seen(await stage.send(prompt())).toMatchObject({ said: '' });
      return Object.keys(stage.cells(marker)).length > 0;
    });
const UNTOLD = 'nothing is told of another release in the settings of a project; in one process it is';
const versions: readonly Row[] = [
  version('1 6', 'hooks of another release, once a day', [registered('0.0.1'), go(), go()], { gap: UNTOLD }),
  version('2', 'another patch', [registered(PATCH), isQuiet('context.day.version')]),
  version('2 version.compare', 'another patch, where that counts', [registered(PATCH), go(), go()], {
    options: { version: { compare: 'patch' } },
    gap: UNTOLD,
  }),
  version('5', 'an old key', [key(95), atLast('95', 'fairlead notify rotate-key'), relayed('key-rotation'), noKey]),
  version('notify.key_rotation_days', 'a key that never gets old', [key(95), isQuiet('context.day.version'), noKey], {
    options: { notify: { key_rotation_days: 0 } },
  }),
  version('4', 'a manifest nobody can read', [registered(''), isQuiet('context.day.version')]),
];

const backup = about('5.20', 'check-backup-age');
const DONE = '.local/state/fairlead/last-backup';
const backedUp =
  (age: number): Step =>
  (stage) =>
    void stage.put(join(stage.person, DONE), '', age);
const notBackedUp: Step = (stage) => rmSync(join(stage.person, DONE), { force: true });
const backups: readonly Row[] = [
  backup('1', 'two days ago', [backedUp(2 * DAY + HOUR), go(note('2 days', 'fairlead context backup-done'))]),
  backup('2', 'not yet two days', [backedUp(2 * DAY - HOUR), go(), unset('context.day.backup')]),
  backup('max_age_days', 'another age', [backedUp(2 * DAY - HOUR), go(note('1 day'))], {
    options: { backup: { max_age_days: 1 } },
  }),
  backup('3', 'never', [
    notBackedUp,
    go(note(/never|no backup/i, 'fairlead context backup-done')),
    isSet('context.day.backup'),
    relayed('warning'),
  ]),
  backup('7', 'once a day', [notBackedUp, go(note()), go()]),
  backup('4 mount_path', 'a share that is not mounted', [backedUp(0), atLast('/mnt/of-nobody')], {
    options: { backup: { mount_path: '/mnt/of-nobody' } },
  }),
  backup('5', 'both', [notBackedUp, () => sleep(50), atLast(/never|no backup/i)], {
    options: { backup: { mount_path: '/mnt/of-nobody' } },
  }),
  backup('command', 'the command of the person', [notBackedUp, go(note('make backup'))], {
    options: { backup: { command: 'make backup' } },
  }),
  row('5.20.off', 'check-backup-age: off by itself', [go()], {
    settings: { packs: { context: 'on' }, rules: { 'context/check-resources': 'off' } },
    files: { '.context/CONSTITUTION.md': '# C\n' },
  }),
];

export const CONTEXT_DAILY: readonly Row[] = [
  ceremonies,
  freshness,
  journalRows,
  knowledges,
  maps,
  memories,
  versions,
  backups,
].flat();
