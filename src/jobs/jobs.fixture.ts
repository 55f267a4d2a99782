import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createJobs } from './jobs.ts';
import type { Jobs } from './jobs.ts';
import type { JobContext, JobResult, PackJobs } from './job.ts';
import { activeRule, NOW, policyOf, send, testEngine, toolEvent } from '../engine/engine.fixture.ts';
import type { TestEngine } from '../engine/engine.fixture.ts';
import type { RelayRecord } from '../event/follow-up.ts';
import type { Policy } from '../engine/engine.ts';
import type { Event } from '../event/event.ts';
import type { Decision, Mode } from '../event/verdict.ts';
import { nodeFiles } from '../platform/files.ts';
import { runCommand } from '../platform/run-command.ts';
import { parseCellId, parseValue } from '../state/cells.ts';
import { openMemory } from '../ledger/open.ts';
import type { Memory } from '../ledger/open.ts';

export type Work = (context: JobContext) => JobResult | Promise<JobResult>;

/** A pack with three kinds of jobs, an engine whose one rule marks them, and a process of its own on real files. */
export interface JobStage {
  readonly root: string;
  engine: TestEngine;
  jobs: Jobs;
  memory: Memory;
  /** What each kind does; the subject is the command of the event. */
  work: Record<'sync' | 'line' | 'docs', Work>;
  /** `subject:kind` of every run, in order. */
  readonly ran: string[];
  readonly counts: Record<string, number>;
  readonly peaks: Record<string, number>;
  readonly relayed: RelayRecord[];
  readonly failures: string[];
  /** Kinds that an event marks. */
  marks: readonly string[];
  edit(subject?: string, more?: Partial<Event>): Promise<Decision>;
  pass(ms: number): Promise<void>;
  /** Runs all timers whose time has come, without waiting for what they set off. */
  expire(): void;
  restart(how?: 'killed'): void;
  cells(name: string): Record<string, unknown>;
  setRule(options: Readonly<Record<string, unknown>>, mode?: Mode): void;
  put(name: string, text: string): string;
  read(name: string): string;
  close(): void;
}

const MESSAGES = { ticked: 'Ticked {what}.', disagrees: 'These disagree: {what}.', broken: 'Look at {what}.' };

export function openStage(): JobStage {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-jobs-')));
  const root = join(home, 'project');
  mkdirSync(root);
  const timers: { at: number; run(): void }[] = [];
  const nothing = (): JobResult => ({});
  let policy: Policy;
  let sessions = 0;
  let processes = 0;

  const kinds: PackJobs = (['sync', 'line', 'docs'] as const).map((kind) => ({
    kind,
    rule: 'test/marks',
    ...(kind === 'sync' ? {} : { after: ['sync'] }),
    run(context) {
      stage.ran.push(`${context.subject}:${kind}`);
      return stage.work[kind](context);
    },
  }));

  const stage: JobStage = {
    root,
    engine: undefined as unknown as TestEngine,
    jobs: undefined as unknown as Jobs,
    memory: undefined as unknown as Memory,
    work: { sync: nothing, line: nothing, docs: nothing },
    ran: [],
    counts: {},
    peaks: {},
    relayed: [],
    failures: [],
    marks: ['sync'],
    edit(subject = 'one', more = {}) {
      const tool = { kind: 'shell', name: 'shell', command: subject } as const;
      return send(stage.engine, toolEvent(tool, { receivedAt: stage.engine.now, ...more }));
    },
    async pass(ms) {
      const end = stage.engine.now + ms;
      for (;;) {
        await stage.jobs.idle();
        const next = timers.toSorted((a, b) => a.at - b.at)[0];
        if (!next || next.at > end) break;
        timers.splice(timers.indexOf(next), 1);
        stage.engine.now = Math.max(stage.engine.now, next.at);
        next.run();
      }
      stage.engine.now = end;
    },
    expire() {
      const due = timers.filter(({ at }) => at <= stage.engine.now);
      timers.splice(0, timers.length, ...timers.filter(({ at }) => at > stage.engine.now));
      for (const { run } of due) run();
    },
    restart(how) {
      timers.length = 0;
      if (how === 'killed') stage.memory.db?.close();
      else closeProcess();
      open(stage.engine.now);
    },
    cells(name) {
      const found = ['session', 'workspace']
        .flatMap((scope) => stage.memory.store.list(scope, stage.engine.now))
        .map(({ id, value }) => ({ ...parseCellId(id), value: parseValue(value) }))
        .filter((cell) => cell.name === name);
      return Object.fromEntries(found.map(({ key, value }) => [key, value]));
    },
    setRule(options, mode = 'advise') {
      const meta = { messages: MESSAGES, options };
      const rule = activeRule(
        'test/marks',
        (event, { later }) => {
          for (const kind of stage.marks) later.run(kind, event.tool?.command ?? '', root);
        },
        meta,
        mode,
      );
      policy = policyOf([rule]);
      stage.engine.policy = policy;
    },
    put(name, text) {
      writeFileSync(join(root, name), text);
      return join(root, name);
    },
    read: (name) => readFileSync(join(root, name), 'utf8'),
    close() {
      closeProcess();
      rmSync(home, { recursive: true, force: true });
    },
  };

  function closeProcess(): void {
    stage.jobs.close();
    stage.memory.close();
  }

  function open(now: number): void {
    const self = (processes += 1);
    const onFailure = (what: string, error: unknown) =>
      void stage.failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    const clock = () => stage.engine.now;
    stage.memory = openMemory({
      path: join(home, 'state.db'),
      busyMs: 1_000,
      resident: true,
      now: clock,
      random: Math.random,
      onFailure,
    });
    const engine = testEngine([], { store: stage.memory.store });
    stage.engine = engine;
    engine.now = now;
    stage.setRule({});
    stage.jobs = createJobs({
      packs: [{ pack: 'test', load: async () => kinds }],
      store: stage.memory.store,
      files: nodeFiles,
      env: { PATH: process.env['PATH'] },
      now: clock,
      // A killed process does nothing any more.
      soon: (ms, run) => void (self === processes && timers.push({ at: stage.engine.now + ms, run })),
      newSession: () => `own-${(sessions += 1)}`,
      run: runCommand,
      own: { argv: [process.execPath, '-e'], env: { FAIRLEAD_HOME: home } },
      policyAt: async () => policy,
      numbersOf: () => ({
        count: (name, by = 1) => void (stage.counts[name] = (stage.counts[name] ?? 0) + by),
        time: () => {},
        peak: (name, value) => void (stage.peaks[name] = Math.max(stage.peaks[name] ?? 0, value)),
      }),
      relay: (record) => void stage.relayed.push(record),
      isOff: () => engine.off,
      onFailure,
    });
    engine.after = stage.jobs.see;
    stage.jobs.start();
  }

  open(NOW);
  return stage;
}
