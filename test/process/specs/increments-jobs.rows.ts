import { rmSync, statSync } from 'node:fs';
import { SPEC, TASKS, metadata, tick } from '../../../src/packs/increments/increment.fixture.ts';
import { until } from '../../patience.ts';
import { PASS, ask, bash, before, deny, edit, edited, note, prompt, ran, row, write, wrote, seen } from './rows.ts';
import type { Expected, Row, Step } from './rows.ts';
import {
  TASKS_FILE,
  SPEC_FILE,
  STATE_FILE,
  STATUS_FILE,
  DOCS,
  HOUR,
  DONE,
  first,
  options,
  WIDE,
  QUICK,
  counts,
  countsOf,
  changes,
  becomes,
  current,
  same,
  begins,
  complete,
  inDemo,
  did,
} from './increments.parts.ts';

const hears = (expected: Expected): Step => [before('Read', { file_path: 'README.md' }), expected];
const storm: readonly Step[] = Array.from({ length: 20 }, (_, at): readonly Step[] => [
  begins(TASKS_FILE, { tool_use_id: `s${at}` }),
  ...did(TASKS_FILE, at === 19 ? tick(TASKS) : `${TASKS}\n${at}\n`, PASS, { tool_use_id: `s${at}` }),
]).flat();
const jobs: readonly Row[] = [
  row('12.24', 'edits elsewhere start nothing', [
    ...[1, 2, 3].flatMap((): Step[] => [begins('src/init.ts'), [edited('src/init.ts'), PASS]]),
    counts({ 'exit.after.1': 3 }),
    (stage) => seen(stage.exists('.specweave/state')).toBe(false),
  ]),
  row('12.25 7.coalescing 7.burst', 'twenty edits', [
    ...storm,
    becomes(SPEC_FILE, tick(SPEC)),
    current({ completed: 2, acsCompleted: 2 }),
    (stage) => until('nothing waits', () => Object.keys(stage.cells('increments.dirty')).length === 0),
    (stage) => until('runs are counted', () => (countsOf(stage)['jobs.run'] ?? 0) > 0),
    (stage) => seen(countsOf(stage)['jobs.run']).toBeLessThanOrEqual(24),
    counts({ 'detect.signal.hit': 20 }),
  ]),
  row(
    '12.27 12.28 7.breaker 11.breaker',
    'a job that fails is given up and taken up',
    [
      changes('.specweave/state', 'in the way'),
      async (stage) => {
        let at = 0;
        await until('one line', async () => {
          stage.put(TASKS_FILE, `${TASKS}\n${(at += 1)}\n`);
          const { verdict, shown } = await stage.send(edited(TASKS_FILE));
          seen(['pass', 'warn']).toContain(verdict);
          return /status-line/.test(shown);
        });
        rmSync(`${stage.root}/.specweave/state`);
      },
      current({ id: '0001-demo' }),
    ],
    options({ jobs: QUICK, breaker: { failures: 2, window_s: 600, recovery_s: 1, successes: 1 } }),
  ),
  row(
    '12.30 11.dirty',
    'killed with work that is due',
    [...did(TASKS_FILE, tick(TASKS)), (_, seed) => seed.restart(), becomes(SPEC_FILE, tick(SPEC))],
    options({ jobs: { quiet_ms: 300, max_wait_ms: 600 } }),
  ),
  row('12.31 8.2', 'one of two tasks', [
    ...did(TASKS_FILE, first(TASKS)),
    current({ completed: 1, total: 2, acsCompleted: 0, acsTotal: 2 }),
    same(SPEC_FILE, SPEC),
  ]),
  row('12.32 8.2-tick 8.told', 'both', [
    ...did(TASKS_FILE, tick(TASKS)),
    becomes(SPEC_FILE, tick(SPEC)),
    same(SPEC_FILE, tick(SPEC)),
    becomes(STATE_FILE, 'acSyncEvents'),
    (stage) =>
      until('the agent is told', async () =>
        /AC-US1-01, AC-US1-02[^]*spec\.md/.test((await stage.send(before('Read', { file_path: 'x' }))).said),
      ),
    hears(PASS),
  ]),
  row(
    '12.33 8.2-conflict',
    'a conflict',
    [
      ...did(TASKS_FILE, first(TASKS)),
      (stage) =>
        until('the agent is told', async () =>
          /AC-US1-02/.test((await stage.send(before('Read', { file_path: 'x' }))).said),
        ),
      ...did(TASKS_FILE, `${first(TASKS)}\n`),
      current({ completed: 1 }),
      hears(PASS),
      becomes(SPEC_FILE, '- [x] **AC-US1-02'),
    ],
    { files: { [SPEC_FILE]: SPEC.replace('- [ ] **AC-US1-02', '- [x] **AC-US1-02') } },
  ),
  row('12.34', 'a criterion that the spec has not', [
    ...did(TASKS_FILE, `${TASKS}\n## T-003: More\n\n**AC**: AC-US9-09\n- [x] done\n`),
    current({ total: 3, completed: 1 }),
    becomes(STATE_FILE, 'AC-US9-09'),
    same(SPEC_FILE, SPEC),
  ]),
  row(
    '12.35',
    'capital ticks, a priority, CRLF',
    [
      ...did(TASKS_FILE, TASKS.replaceAll('- [ ]', '- [X]')),
      becomes(SPEC_FILE, (text) => text === tick(SPEC).replaceAll('**:', '** (P1):').replaceAll('\n', '\r\n')),
    ],
    { files: { [SPEC_FILE]: SPEC.replaceAll('**:', '** (P1):').replaceAll('\n', '\r\n') } },
  ),
  row('12.36 8.1', 'a box in code', [
    ...did(TASKS_FILE, `${tick(TASKS)}\n\`\`\`\n- [ ] no task\n\`\`\`\n`),
    becomes(SPEC_FILE, tick(SPEC)),
  ]),
  row('12.37', 'a status line and an open box', [
    ...did(TASKS_FILE, `${tick(TASKS)}- [ ] more\n**Status**: [x]\n`),
    current({ completed: 1, total: 2 }),
  ]),
  row(
    '12.37 11.tasks.complete_when',
    'where the status decides',
    [...did(TASKS_FILE, `${tick(TASKS)}- [ ] more\n**Status**: [x]\n`), current({ completed: 2 })],
    options({ tasks: { complete_when: 'status' } }),
  ),
  row(
    '12.39',
    'nothing has changed',
    [
      ...did(TASKS_FILE, tick(TASKS)),
      current({ acsCompleted: 2 }),
      [edited(TASKS_FILE), PASS],
      (stage) => until('it was looked at', () => (countsOf(stage)['jobs.run'] ?? 0) >= 6),
      (stage) => seen(Date.now() - statSync(`${stage.root}/${SPEC_FILE}`).mtimeMs).toBeGreaterThan(HOUR / 2),
    ],
    { files: DONE },
  ),
  row('12.43 8.4', 'a new spec brings its pages', [
    changes(SPEC_FILE, `${SPEC}\n### US-002: Write settings\n\n- [ ] **AC-US2-01**: It is written.\n`),
    [wrote(SPEC_FILE, ''), PASS],
    becomes(`${DOCS}/_features/FS-001/FEATURE.md`, 'US-002'),
    becomes(`${DOCS}/shop/FS-001/README.md`, /FEATURE\.md/),
    becomes(`${DOCS}/shop/FS-001/us-001-read-settings.md`, 'fairlead:begin'),
    becomes(`${DOCS}/shop/FS-001/us-002-write-settings.md`, 'AC-US2-01'),
  ]),
  row(
    '12.44 8.4-blocks',
    'text of people stays',
    [
      ...did(SPEC_FILE, `${SPEC}\n`),
      becomes(
        `${DOCS}/_features/FS-001/FEATURE.md`,
        (text) => text.includes('fairlead:begin') && text.includes('By hand.'),
      ),
    ],
    { files: { [`${DOCS}/_features/FS-001/FEATURE.md`]: '# Mine\n\nBy hand.\n' } },
  ),
  row(
    '12.52',
    'a completed increment leaves the line',
    [
      ...did(TASKS_FILE, `${tick(TASKS)}\n`),
      current({ id: '0001-demo' }),
      [edit(STATE_FILE, '"active"', '"completed"', { tool_use_id: 'm' }), PASS],
      changes(STATE_FILE, metadata('completed')),
      [edited(STATE_FILE, { tool_use_id: 'm' })],
      current(null),
      becomes(`${DOCS}/_features/FS-001/FEATURE.md`, 'completed'),
    ],
    { files: DONE },
  ),
  row(
    '11.ac_sync',
    'no ticking',
    [
      ...did(TASKS_FILE, tick(TASKS)),
      current({ completed: 2 }),
      becomes(`${DOCS}/_features/FS-001/FEATURE.md`, '0001'),
      same(SPEC_FILE, SPEC),
    ],
    options({ ac_sync: { enabled: false } }),
  ),
  row(
    '11.status_line',
    'no status line',
    [
      ...did(TASKS_FILE, tick(TASKS)),
      becomes(SPEC_FILE, tick(SPEC)),
      becomes(`${DOCS}/_features/FS-001/FEATURE.md`, '0001'),
      (stage) => seen(stage.exists(STATUS_FILE)).toBe(false),
    ],
    options({ status_line: { enabled: false } }),
  ),
  row(
    '11.living_docs',
    'pages elsewhere',
    [
      ...did(TASKS_FILE, tick(TASKS)),
      becomes('handbook/_features/FS-001/FEATURE.md', '0001'),
      (stage) => seen(stage.exists(DOCS)).toBe(false),
    ],
    options({ living_docs: { root: 'handbook' } }),
  ),
  row(
    '11.living_docs',
    'no pages',
    [
      ...did(TASKS_FILE, tick(TASKS)),
      becomes(SPEC_FILE, tick(SPEC)),
      current({ acsCompleted: 2 }),
      (stage) => seen(stage.exists(DOCS)).toBe(false),
    ],
    options({ living_docs: { enabled: false } }),
  ),
  row(
    '11.on_change 7.children',
    'a command of the person',
    [...did(TASKS_FILE, tick(TASKS)), becomes('changed.txt', '0001-demo')],
    options({ on_change: { command: ['sh', '-c', 'echo $FAIRLEAD_SUBJECT > changed.txt'] } }),
  ),
];
const statusline =
  (holds: RegExp, words: readonly string[] = []): Step =>
  async (stage) => {
    const { code, out, err } = await stage.fairlead('statusline', ...words);
    seen({ code, err }).toEqual({ code: 0, err: '' });
    seen(out).toMatch(holds);
    const own = out.trimEnd().slice(Math.max(0, out.indexOf('[')));
    seen(own.length).toBeLessThanOrEqual(120);
  };
const renderer: readonly Row[] = [
  row('12.40 8.3', 'one of two tasks', [
    ...did(TASKS_FILE, first(TASKS)),
    current({ completed: 1 }),
    statusline(/\[demo\] \| ████░░░░ \| 1\/2 tasks \| 0\/2 ACs/),
  ]),
  row(
    '11.statusline.ascii',
    'plain characters',
    [
      ...did(TASKS_FILE, first(TASKS)),
      current({ completed: 1 }),
      statusline(/^[\u0020-\u007E\n]*\[demo\][\u0020-\u007E]*1\/2 tasks/),
    ],
    options({ statusline: { ascii: true } }),
  ),
  row(
    '12.41',
    'three increments',
    [...did(TASKS_FILE, first(TASKS)), current({ completed: 1 }), statusline(/\(\+1 more\)/)],
    {
      differs:
        'the 120 columns are those of the increments; what Fairlead says of itself stands before them (docs/packs/increments.md)',
      files: {
        '.specweave/increments/0002-more/metadata.json': metadata('active', '0002-more'),
        '.specweave/increments/0002-more/tasks.md': TASKS,
        '.specweave/increments/0003-most/metadata.json': metadata('active', '0003-most'),
        '.specweave/increments/0003-most/tasks.md': TASKS,
      },
    },
  ),
  row('12.42', 'no file, no input', [statusline(/^Fairlead/)], {
    files: { [STATE_FILE]: metadata('completed') },
    differs: 'the line is for all of Fairlead, so it stays without an increment (docs/packs/increments.md)',
  }),
];
export const guard: readonly Row[] = [
  row('12.45 9.edit 9.reason', 'an edit that completes it', [
    [
      complete,
      deny(
        '0001-demo',
        '2 open tasks (T-001, T-002)',
        '2 unticked criteria (AC-US1-01, AC-US1-02)',
        'T-001',
        'fairlead increment done 0001-demo',
        'fairlead allow-once',
      ),
    ],
  ]),
  row('12.46 9.write', 'a whole new file', [[write(STATE_FILE, metadata('completed')), deny('0001-demo')]]),
  row(
    '12.47',
    'with all done',
    [
      [complete, PASS],
      [write(STATE_FILE, metadata('completed')), PASS],
    ],
    { files: DONE },
  ),
  row('12.48', 'another field of one that is completed', [[edit(STATE_FILE, '"feature"', '"bug"'), PASS]], {
    files: { [STATE_FILE]: metadata('completed') },
  }),
  row('9.invalid', 'no valid JSON', [[write(STATE_FILE, '{ "status": "completed"'), PASS]]),
  row('12.49 9.bash', 'by a command', [
    [bash(`jq '.status="completed"' m.json > ${STATE_FILE}`), ask('0001-demo')],
    [bash(`sed -i s/active/completed/ ${STATE_FILE}`), ask()],
    [bash(`cat ${STATE_FILE} | grep completed`), PASS],
  ]),
  row('12.50 9.third', 'the third time', [
    [complete, deny()],
    [edit(STATE_FILE, '"active"', '"completed"'), deny()],
    [edit(STATE_FILE, '"active"', '"completed"'), ask()],
  ]),
  row(
    '9.unbacked',
    'a status that got there by another road',
    [
      changes(STATE_FILE, metadata('completed'), 100),
      [ran(`node scripts/close.js ${STATE_FILE}`), note('0001-demo', '2 open tasks')],
      same(STATE_FILE, metadata('completed')),
    ],
    options(WIDE),
  ),
  row('9.require 11.guard', 'only by the command', [[complete, deny('fairlead increment done 0001-demo')]], {
    files: DONE,
    ...options({ guard: { require: 'command' } }),
  }),
  row('9.transitions', 'ready for review comes before', [[complete, deny('ready_for_review')]], {
    files: DONE,
    ...options({ guard: { transitions: true } }),
  }),
  row(
    '1.prompt-line',
    'the line at a prompt',
    [
      ...did(TASKS_FILE, first(TASKS)),
      current({ completed: 1 }),
      [prompt(), note('0001-demo', '1 of 2')],
      [prompt(), PASS],
    ],
    { settings: { rules: { 'increments/prompt-line': 'on' } } },
  ),
  row('1.prompt-line', 'which is off by itself', [
    ...did(TASKS_FILE, first(TASKS)),
    current({ completed: 1 }),
    [prompt(), PASS],
  ]),
  row('10.commands', 'the command says what is missing, then completes', [
    async (stage) => {
      const refused = await stage.fairlead('increment', 'done', '0001-demo');
      seen(refused.code).not.toBe(0);
      seen(refused.out + refused.err).toMatch(/T-001/);
      for (const [path, text] of Object.entries(DONE)) stage.put(path, text);
      seen((await stage.fairlead('increment', 'done', '0001-demo')).code).toBe(0);
      seen(stage.read(STATE_FILE)).toMatch(/"completed"/);
    },
  ]),
];

export const INCREMENTS_JOBS: readonly Row[] = [...jobs, ...renderer, ...guard].map(inDemo);
