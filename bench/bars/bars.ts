// Every bar that the project publishes, and the benchmark that measures it. docs/bars.md is made of this and of what was measured.
import { ADAPTERS } from '../../src/adapters/registry.ts';

export type Unit = 'µs' | 'ms' | 'MB' | 'KiB' | 'bytes' | '%' | 'times' | '';

export interface Bar {
  /** Within its benchmark, which reports a figure by this name. */
  readonly name: string;
  readonly what: string;
  readonly unit: Unit;
  /** None is wanted of what is only told. */
  readonly limit?: number;
  readonly is: 'at most' | 'at least';
}

export interface Bench {
  readonly name: string;
  /** A script of the project and its arguments; with `--json` its last line has the figures. */
  readonly command: readonly [script: string, ...string[]];
  readonly bars: readonly Bar[];
}

const most = (name: string, limit: number, unit: Unit, what: string): Bar => ({
  name,
  what,
  unit,
  limit,
  is: 'at most',
});
const least = (name: string, limit: number, unit: Unit, what: string): Bar => ({
  name,
  what,
  unit,
  limit,
  is: 'at least',
});
const told = (name: string, unit: Unit, what: string): Bar => ({ name, what, unit, is: 'at most' });

const hook = (name: string, ...args: readonly string[]): Bench['command'] => ['scripts/bench-hook.mjs', name, ...args];
const inside = (name: string): Bench['command'] => ['scripts/bench.mjs', name];

/** Of an engine by itself unless they say otherwise. Ratios are taken within one run, in turns, so that a busy machine is busy for both. */
export const BENCHES: readonly Bench[] = [
  {
    name: 'hook',
    command: hook('hook'),
    bars: [
      told('true-p50', 'ms', 'start and end of `true`'),
      told('allow-p50', 'ms', 'one hook call by command that passes'),
      told('deny-p50', 'ms', 'one hook call by command that is denied'),
      told('echo-p50', 'ms', 'a bare Node HTTP echo'),
      told('http-allow-p50', 'ms', 'one hook call by HTTP that passes'),
      told('http-deny-p50', 'ms', 'one hook call by HTTP that is denied'),
      told('jq-p50', 'ms', 'a hook of bash, three jq and a state file'),
      told('node-p50', 'ms', 'a hook that is a Node program'),
      told('peer-allow-p50', 'ms', 'cc-safety-net 2.4.5, passes'),
      told('peer-deny-p50', 'ms', 'cc-safety-net 2.4.5, denies'),
      most('allow', 1.25, 'times', 'command that passes, to `true`'),
      most('deny', 1.6, 'times', 'command that is denied, to `true`'),
      most('c-allow', 1.9, 'times', 'the same started from C, passes, to `true`'),
      most('c-deny', 3, 'times', 'the same started from C, denied, to `true`'),
      most('http-allow', 1.25, 'times', 'HTTP that passes, to the echo'),
      most('http-deny', 1.8, 'times', 'HTTP that is denied, to the echo'),
      least('peer-allow', 20, 'times', 'cc-safety-net, passes, to ours'),
      least('peer-deny', 20, 'times', 'cc-safety-net, denies, to ours'),
    ],
  },
  {
    name: 'compare',
    command: ['scripts/bench-compare.mjs'],
    bars: [
      most('list-pass', 0.55, 'times', 'list of the guard, passes, to the baseline'),
      most('list-answered', 0.35, 'times', 'list of the guard, answered, to the baseline'),
      most('list-cold-pass', 0.65, 'times', 'list of the guard, cold, passes, to the baseline'),
      most('denial', 0.6, 'times', "the engine bench's denial, to the baseline"),
      most('pass', 1.15, 'times', 'command that passes, to the baseline'),
      most('deny', 1.15, 'times', 'command that is denied, to the baseline'),
      most('one-shot', 1.15, 'times', 'one-shot, processor time, to the baseline'),
      most('one-shot-cpu', 50, 'ms', 'one-shot that passes, processor time'),
    ],
  },
  {
    name: 'guard',
    command: inside('guard'),
    bars: [
      most('all-p50', 60, 'µs', 'decision about a command, whole list, warm, p50'),
      most('all-p99', 2_000, 'µs', 'decision about a command, whole list, warm, p99'),
      told('pass-p50', 'µs', 'one that passes, warm, p50'),
      most('answered-p50', 250, 'µs', 'one that is answered, warm, p50'),
      told('cold-pass-p50', 'µs', 'one that passes, cold, p50'),
      told('cold-answered-p50', 'µs', 'one that is answered, cold, p50'),
      most('script-p50', 100, 'µs', 'one that starts a script of 10 kB, seen before, p50'),
    ],
  },
  {
    name: 'guard-score',
    command: ['scripts/guard-score.mjs'],
    bars: [
      most('missed', 0, '', 'catastrophes of our list that pass'),
      most('false', 0, '', 'look-alikes of our list that are stopped'),
    ],
  },
  {
    name: 'engine',
    command: inside('engine'),
    bars: [
      told('unheard-p50', 'µs', 'event that no rule wants, 100 rules, p50'),
      most('rejected-p50', 20, 'µs', 'event turned away by paths and words, p50'),
      most('rejected-p99', 200, 'µs', 'event turned away by paths and words, p99'),
      most('denied-p50', 100, 'µs', 'denial with its commit, p50'),
      told('noted-p50', 'µs', 'note with its commit, p50'),
      most('rules-unheard', 2, 'times', '1,000 rules to 10, nobody listens'),
      most('rules-rejected', 2, 'times', '1,000 rules to 10, turned away'),
      most('rules-fires', 2, 'times', '1,000 rules to 10, fires'),
    ],
  },
  {
    name: 'stalls',
    command: hook('stalls'),
    bars: [
      told('alone', 'ms', 'longest wait of a session beside a call that looks at nothing'),
      most('entries', 50, 'ms', 'longest wait of another session beside a call on 100,000 entries'),
      most('levels', 50, 'ms', 'the same beside a call on 3,000 levels'),
      most('path', 50, 'ms', 'the same beside a call on a path of 31 kB'),
    ],
  },
  {
    name: 'verbs',
    command: hook('verbs'),
    bars: [
      most('first', 5, 'times', 'first event of a new home, with a copy, to `node -e 0`'),
      most('log', 3, 'times', '`log`, processor time to `node -e 0`'),
      most('explain', 3, 'times', '`explain --last`, processor time to `node -e 0`'),
      most('undo', 3, 'times', '`undo list`, processor time to `node -e 0`'),
      most('callers', 3, 'times', '`graph callers`, processor time to `node -e 0`'),
      most('statusline', 3, 'times', 'status line, to `true`'),
      most('mcp', 150, 'ms', '`mcp` until its first answer, processor time'),
      most('memory', 130, 'MB', 'memory, all packs on, one session, index of 5,000 symbols, all processes'),
    ],
  },
  {
    name: 'load',
    command: hook('load'),
    bars: [
      least('mix', 0.45, 'times', 'throughput to the echo, one in ten changes state'),
      least('commits', 0.28, 'times', 'throughput to the echo, every event commits'),
      most('slowest', 3, 'times', 'slowest of a hundred to that of the echo, one in ten changes state'),
      most('flood', 2, 'ms', 'delay by a session that floods'),
      most('idle', 66, 'MB', 'memory of the engine, idle, every rule loaded'),
      most('grown', 1.3, 'times', 'memory after 100,000 events to idle'),
    ],
  },
  {
    name: 'page',
    command: hook('page'),
    bars: [most('p95', 1.1, 'times', 'hook call beside ten tabs of the page to one without, p95')],
  },
  {
    name: 'agents',
    command: hook('agents'),
    bars: ADAPTERS.flatMap(({ name }) => [
      told(`${name}-pass`, 'times', `${name}: call that passes, to its bare hook`),
      told(`${name}-deny`, 'times', `${name}: call that is denied, to its bare hook`),
    ]),
  },
  {
    name: 'agent',
    command: ['scripts/bench-agent.mjs'],
    bars: [
      told('command', 'ms', 'what a tool call of the real client pays by command'),
      told('http', 'ms', 'the same by HTTP'),
      told('node', 'ms', 'the same with a hook that is `node -e 0`'),
    ],
  },
  {
    name: 'context',
    command: inside('context'),
    bars: [
      most('due-p50', 3_000, 'µs', 'prompt at which all twelve rules are due, p50'),
      most('at-work-p95', 15_000, 'µs', 'prompt of a session at work, p95'),
    ],
  },
  {
    name: 'packs',
    command: inside('packs'),
    bars: [
      most('usual-p50', 300, 'µs', 'slowest of the usual events of codegraph and diagrams, p50'),
      most('large-p95', 5_000, 'µs', 'file of 50 drawings, denied, p95'),
    ],
  },
  {
    name: 'increments',
    command: inside('increments'),
    bars: [
      most('tiers', 1, 'times', 'slowest event of a tier, p95 to its budget'),
      most('storm-p95', 15, 'ms', '300 edits in 5 s from 3 sessions, both halves, p95'),
      most('storm-queue', 9, '', 'longest queue in that'),
      most('storm-breakers', 0, '', 'breakers open after that'),
      most('storm-processes', 0, '', 'processes started by that'),
      most('storm-heap', 32, 'MB', 'heap grown by that'),
      most('long-p95', 1.2, 'times', '100,000 events in 30 days: the last to those of a new engine, p95'),
      most('long-state', 1.05, 'times', 'size of the state, 30 days to 20'),
      most('long-cells', 1.05, 'times', "size of the pack's cells, 30 days to 20"),
    ],
  },
  {
    name: 'peers',
    command: inside('peers'),
    bars: [most('more', 10, 'µs', 'what the pack adds to an event that does not concern it, p50')],
  },
  {
    name: 'losses',
    command: inside('losses'),
    bars: [most('p95', 50, 'ms', 'slowest look for losses among 50,000 files, p95')],
  },
  {
    name: 'doctor',
    command: inside('doctor'),
    bars: [most('ms', 2_000, 'ms', '`doctor` with 200,000 events, the fastest of five')],
  },
  {
    name: 'sharing',
    command: inside('sharing'),
    bars: [most('p95', 1.15, 'times', 'command with a team to one without, p95')],
  },
  {
    name: 'team',
    command: inside('team'),
    bars: [
      told('commit', 'µs', 'of the server for a commit, by a machine alone'),
      told('batch', 'µs', 'of the server for a commit, 16 in a batch'),
      told('push', 'µs', 'of the server for a push to one more machine'),
      told('look', 'µs', 'of the server for a look whether the copy is whole'),
      told('anew', 'ms', 'of the server for 10,000 cells read anew'),
      told('connection', 'KiB', 'memory of a connection'),
      told('cell', 'bytes', 'memory of a cell'),
      told('mark', 'bytes', 'memory of a mark of a delivery'),
    ],
  },
  {
    name: 'graph',
    command: ['scripts/bench-graph.mjs'],
    bars: [
      most('cpu', 0.35, 'times', 'indexing the worst of three trees, processor time to CodeGraph'),
      most('memory', 0.5, 'times', 'the same, peak memory to CodeGraph'),
      most('store', 0.3, 'times', 'the same, size of the store to CodeGraph'),
      most('refresh', 15, 'ms', 'edited file in the graph, slowest kind of edit, processor time, p95'),
      most('open', 50, 'ms', 'opening an index of 40,000 symbols'),
      most('callers', 1, 'ms', 'callers of any symbol, p95'),
      most('impact', 5, 'ms', 'impact of any symbol, depth 3, p95'),
      most('card', 5, 'ms', 'read that gets a card, p95'),
      most('silent', 2, 'ms', 'read that gets none, p95'),
      most('start', 300, 'ms', "a session's start in a project without an index"),
      most('indexing', 2, 'times', 'reads while the index is made, to those with the pack off, p50'),
    ],
  },
  {
    name: 'graph-accuracy',
    command: ['scripts/graph-accuracy.mjs'],
    bars: [
      ...(['ts', 'py', 'go'] as const).flatMap((language) => accuracyOf(language, 98, 95)),
      ...accuracyOf('java', 95, 85),
      least('dispatch', 90, '%', 'implementations found, worst corpus of Go and Java'),
      least('definitions', 99, '%', 'definitions as the real parser has them, worst corpus'),
      least('sites', 99, '%', 'call sites as the real parser has them, worst corpus'),
      most('calibration', 5, '', "points between a reason's confidence and what was observed, worst"),
    ],
  },
];

function accuracyOf(language: 'ts' | 'py' | 'go' | 'java', precision: number, recall: number): Bar[] {
  const name = { ts: 'TypeScript', py: 'Python', go: 'Go', java: 'Java' }[language];
  return [
    least(`${language}-precision`, precision, '%', `call edges of ${name} that are right, worst corpus`),
    least(`${language}-recall`, recall, '%', `call edges of ${name} that are found, worst corpus`),
  ];
}

/** What is not a number was not measured, and meets nothing. */
export function isMet({ limit, is }: Bar, value: number): boolean {
  return limit === undefined || (is === 'at most' ? value <= limit : value >= limit);
}

export function benchNamed(name: string): Bench {
  const bench = BENCHES.find((one) => one.name === name);
  if (!bench) throw new Error(`no bench ${name}`);
  return bench;
}

export function limitOf(bench: string, bar: string): number {
  const limit = benchNamed(bench).bars.find(({ name }) => name === bar)?.limit;
  if (limit === undefined) throw new Error(`no limit of ${bench}/${bar}`);
  return limit;
}
