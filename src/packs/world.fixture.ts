import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { recorded } from '../../test/fixtures/claude-code.ts';
import { adapterNamed } from '../adapters/registry.ts';
import type { Adapter } from '../adapters/adapter.ts';
import { handle } from '../handle.ts';
import { createJobs } from '../jobs/jobs.ts';
import { openEngine } from '../assembly/open-engine.ts';
import type { EngineOptions, OpenedEngine } from '../assembly/open-engine.ts';
import type { HookCall } from '../event/event.ts';
import type { Decision } from '../event/verdict.ts';
import type { Clock } from '../platform/clock.ts';
import type { FactSources } from '../platform/fact-sources.ts';
import { nodeFiles } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { homePaths } from '../platform/paths.ts';
import type { HomePaths } from '../platform/paths.ts';
import { gitCall } from '../platform/run-git.ts';
import { parseCellId, parseValue } from '../state/cells.ts';
import { acceptConfig } from '../workspace/config/accepted.fixture.ts';
import { acceptProject, listProject } from '../workspace/config/trust.ts';

/** What the agent was answered: nothing at all, or what it does and hears because of it. */
export interface Answer {
  readonly action: 'pass' | 'ask' | 'deny' | 'allow' | 'rewrite';
  readonly reason: string;
  /** Context for the model. */
  readonly note: string;
  /** A line for the person. */
  readonly warn: string;
  /** The bytes. */
  readonly stdout: string;
  /** What was decided; absent where nothing was. */
  readonly decision?: Decision;
}

type Fields = Readonly<Record<string, unknown>>;

export interface WorldOptions {
  /** Whose payloads are sent; what an answer says beside its decision is read as that of Claude Code. */
  readonly agent?: string;
  /** The person's config.yaml. */
  readonly config?: string;
  /** Files of the project, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** In the person's home directory. */
  readonly homeFiles?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly resident?: boolean;
  /** Slow facts of the machine; absent ones cannot be found out, but git is the real one. */
  readonly sources?: Partial<FactSources>;
  /** How long events wait for slow facts. As long as it takes when absent; 0 makes every fact late, and `pass` waits for it. */
  readonly factWaitMs?: number;
  /** Code graphs, as a process that stays has them; none when absent. */
  readonly createGraphs?: EngineOptions['createGraphs'];
  /** Reads transcripts, as a process that stays does; not when absent. */
  readonly createReceipts?: EngineOptions['createReceipts'];
}

/** How often files were looked at, by what was done. */
export type FileWork = Record<'stat' | 'open' | 'list' | 'write', string[]>;

/**
 * An engine as it runs in a home, on real files and a real database, told of events in the payloads of a real agent. Only
 * the clock, the timers and the environment are the test's own.
 */
export interface World {
  readonly home: string;
  readonly root: string;
  readonly paths: HomePaths;
  engine: OpenedEngine;
  now: number;
  readonly work: FileWork;
  put(path: string, text: string, at?: number): string;
  read(path: string): string;
  trust(): void;
  send(payload: unknown, call?: Partial<HookCall>): Promise<Answer>;
  /** Before a tool call; every call has an id of its own unless `more` names one. */
  before(tool: string, input: Fields, more?: Fields): Promise<Answer>;
  after(tool: string, input: Fields, response: unknown, more?: Fields): Promise<Answer>;
  failed(tool: string, input: Fields, error: string, more?: Fields): Promise<Answer>;
  prompt(text: string, more?: Fields): Promise<Answer>;
  event(name: string, fields?: Fields): Promise<Answer>;
  /** Lets time pass; what was due meanwhile runs at its moment. */
  pass(ms: number): Promise<void>;
  /** Ends the process, kindly or not, and starts another one on the same home. */
  restart(how?: 'killed'): void;
  /** Values of cells by the name of the cell, each as `owner key → value`. */
  cells(name: string): Record<string, unknown>;
  close(): void;
}

// Loaded ahead, so that no rule waits for it.
await import('../facts/home-facts.ts');

const START = Date.parse('2027-03-02T10:00:00Z');

export function openWorld(options: WorldOptions = {}): World {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-pack-')));
  const root = join(home, 'project');
  const paths = homePaths({ HOME: home, FAIRLEAD_HOME: join(home, '.fairlead') }, 'linux');
  const spoken = adapterNamed(options.agent ?? 'claude-code') as Adapter;
  const last: { decision?: Decision } = {};
  const adapter: Adapter = { ...spoken, render: (made, event) => spoken.render((last.decision = made), event) };
  const work: FileWork = { stat: [], open: [], list: [], write: [] };
  const timers: { at: number; run(): void }[] = [];
  let calls = 0;

  const clock: Clock = {
    now: () => world.now,
    micros: () => Number(process.hrtime.bigint()) / 1_000,
    dayOf: (at) => new Date(at).toISOString().slice(0, 10),
  };
  let processes = 0;
  const open = (): OpenedEngine => {
    const self = (processes += 1);
    return openEngine({
      createJobs,
      ...(options.createGraphs && { createGraphs: options.createGraphs }),
      ...(options.createReceipts && { createReceipts: options.createReceipts }),
      paths,
      userHome: home,
      resident: options.resident ?? true,
      keeps: 'trial',
      factWaitMs: options.factWaitMs ?? Infinity,
      outside: {
        clock,
        files: watched(nodeFiles, work),
        env: { ...options.env },
        // A killed process does nothing any more.
        soon: (ms, run) => void (self === processes && timers.push({ at: world.now + ms, run })),
        sources: { git: gitAtOnce, resources: absent, isMounted: absent, ...options.sources },
        program: { version: 'source', dir: home },
      },
    });
  };

  const write = (path: string, text: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  write(join(root, 'package.json'), '{}');
  for (const [path, text] of Object.entries(options.files ?? {})) write(join(root, path), text);
  for (const [path, text] of Object.entries(options.homeFiles ?? {})) write(join(home, path), text);
  if (options.config !== undefined) {
    write(join(paths.config, 'config.yaml'), options.config);
    acceptConfig(options.config, paths);
  }

  const base = { session_id: 'session-1', transcript_path: join(home, 'session-1.jsonl'), cwd: root };
  const world: World = {
    home,
    root,
    paths,
    work,
    now: START,
    engine: undefined as unknown as OpenedEngine,
    put(path, text, at) {
      const full = write(path.startsWith('/') ? path : join(root, path), text);
      if (at !== undefined) utimesSync(full, at / 1_000, at / 1_000);
      return full;
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    trust() {
      const deps = { files: nodeFiles, state: paths.state, now: clock.now };
      acceptProject(listProject(root, deps), deps);
    },
    async send(payload, call = {}) {
      delete last.decision;
      const reply = await handle(
        { payload, cwd: root, home, depth: 0, projectDir: root, receivedAt: world.now, ...call },
        adapter,
        world.engine,
      );
      await world.engine.telemetry.finish();
      return { ...answerIn(reply.stdout), ...last };
    },
    before: (tool, input, more) =>
      world.send({ ...recorded('PreToolUse/bash.json'), ...base, ...called(tool, input), ...more }),
    after: (tool, input, response, more) =>
      world.send({
        ...recorded('PostToolUse/bash.json'),
        ...base,
        ...called(tool, input),
        tool_response: response,
        ...more,
      }),
    failed: (tool, input, error, more) =>
      world.send({
        ...recorded('PostToolUseFailure/bash.json'),
        ...base,
        ...called(tool, input),
        error,
        ...more,
      }),
    prompt: (text, more) =>
      world.send({
        ...base,
        hook_event_name: 'UserPromptSubmit',
        permission_mode: 'default',
        prompt_id: `prompt-${(calls += 1)}`,
        prompt: text,
        ...more,
      }),
    event: (name, fields) => world.send({ ...base, hook_event_name: name, ...fields }),
    async pass(ms) {
      const end = world.now + ms;
      await world.engine.jobs?.idle();
      if (options.factWaitMs !== undefined) await world.engine.facts.idle();
      for (;;) {
        const next = timers.toSorted((a, b) => a.at - b.at)[0];
        if (!next || next.at > end) break;
        timers.splice(timers.indexOf(next), 1);
        world.now = Math.max(world.now, next.at);
        next.run();
        await idle();
        await world.engine.jobs?.idle();
      }
      world.now = end;
      await idle();
    },
    restart(how) {
      timers.length = 0;
      if (how === undefined) world.engine.close();
      else world.engine.memory.db?.close();
      world.engine = open();
    },
    cells(name) {
      const { store } = world.engine;
      const found = ['session', 'turn', 'day', 'workspace', 'repository', 'user']
        .flatMap((scope) => store.list(scope, world.now))
        .map(({ id, value }) => ({ ...parseCellId(id), value: parseValue(value) }))
        .filter((cell) => cell.name === name);
      return Object.fromEntries(found.map(({ owner, key, value }) => [`${owner} ${key}`.trim(), value]));
    },
    close() {
      world.engine.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
  world.engine = open();
  return world;

  function called(tool: string, input: Fields): Fields {
    return { tool_name: tool, tool_input: input, tool_use_id: `call-${(calls += 1)}` };
  }
}

const absent = async () => undefined;

/** The real git, waited for in place: how fast the machine is does not show. */
const gitAtOnce: FactSources['git'] = async (dir, args) => {
  const call = gitCall(dir, args);
  if (!call) return undefined;
  const { status, stdout } = spawnSync(call.program, call.args, { env: call.env, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
};

/** Promises and immediates that a step has set off. */
async function idle(): Promise<void> {
  for (let round = 0; round < 3; round += 1)
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
}

function watched(files: Files, work: FileWork): Files {
  const note =
    <Args extends readonly [string, ...unknown[]], Result>(kind: keyof FileWork, call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      work[kind].push(args[0]);
      return call(...args);
    };
  return {
    ...files,
    stat: note('stat', files.stat),
    lstat: note('stat', files.lstat),
    exists: note('stat', files.exists),
    realpath: note('stat', files.realpath),
    readLink: note('stat', files.readLink),
    readBytes: note('open', files.readBytes),
    readText: note('open', files.readText),
    readRange: note('open', files.readRange),
    list: note('list', files.list),
    writeAtomic: note('write', files.writeAtomic),
    replace: note('write', files.replace),
    makeDirLikeParent: note('write', files.makeDirLikeParent),
    append: note('write', files.append),
    create: note('write', files.create),
    makeDir: note('write', files.makeDir),
    remove: note('write', files.remove),
  };
}

function answerIn(stdout: string): Answer {
  if (stdout === '') return { action: 'pass', reason: '', note: '', warn: '', stdout };
  const reply = JSON.parse(stdout) as {
    readonly systemMessage?: string;
    readonly decision?: string;
    readonly reason?: string;
    readonly hookSpecificOutput?: {
      readonly permissionDecision?: Answer['action'];
      readonly permissionDecisionReason?: string;
      readonly additionalContext?: string;
      readonly updatedInput?: unknown;
    };
  };
  const own = reply.hookSpecificOutput ?? {};
  const action = own.updatedInput === undefined ? own.permissionDecision : 'rewrite';
  return {
    action: action ?? (reply.decision === 'block' ? 'deny' : 'pass'),
    reason: own.permissionDecisionReason ?? reply.reason ?? '',
    note: own.additionalContext ?? '',
    warn: reply.systemMessage ?? '',
    stdout,
  };
}
