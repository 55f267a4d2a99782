import { agentNameIn, agentWordIn, readAgentWords } from './agent-words.ts';
import type { Import, SourceFile, Use } from './source.ts';

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly what: string;
}

/** Path → text of a made-up repository. */
export type Snippet = Readonly<Record<string, string>>;

export interface Check {
  readonly name: string;
  /** The files this check is about; one that is about none proves nothing. */
  readonly covers: (file: SourceFile) => boolean;
  readonly find: (files: readonly SourceFile[]) => readonly Violation[];
  readonly bad: readonly Snippet[];
  /** Looks like a breach and is none. */
  readonly fine: readonly Snippet[];
}

const under =
  (...places: readonly string[]) =>
  (path: string): boolean =>
    places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));

const isTest = (path: string): boolean => /\.(test|fixture)\.ts$|[/-]contract\.ts$/.test(path);
const isGenerated = (path: string): boolean => path.endsWith('.generated.ts');
const inProduct = (file: SourceFile): boolean => file.path.startsWith('src/') && !isTest(file.path);
const isCore = under('src/event/', 'src/engine/', 'src/decision/');
const isEntryPoint = under('src/hook.ts', 'src/daemon.ts', 'src/cli/');
const isOutside = (target: string): boolean => !target.startsWith('src/');

/** What adapters may know. */
const ADAPTER_WORLD = under('src/adapters/', 'src/event/', 'src/platform/', 'node:path');
/** What rules of every pack may use beside the rule API and their own pack. */
const RULE_WORLD = under(
  'src/engine/rule.ts',
  'src/jobs/job.ts',
  'src/telemetry/observer.ts',
  'src/event/',
  'src/shell/',
  'src/effects/',
  'src/text/',
  'src/git/',
  'node:path',
);
/** The folders that only compute, and what each may use. */
const PURE = [
  ['src/shell/', under('src/shell/', 'unbash')],
  ['src/effects/', under('src/effects/', 'src/shell/', 'src/event/', 'src/engine/glob.ts', 'node:path')],
  ['src/text/', under('src/text/')],
  ['src/git/', under('src/git/', 'node:path')],
] as const;
/** Beside `shell/`, which says what a command would do: takes the functions and calls out of whole scripts. */
const SCRIPT_READER = 'src/graph/languages/shell.ts';
/** Node's modules that compute and touch nothing. */
const PURE_NODE = under('node:path', 'node:url', 'node:util', 'node:crypto', 'node:buffer');
const leadsOut = (target: string): boolean =>
  target === '@photostructure/sqlite' || (target.startsWith('node:') && !PURE_NODE(target));
const WORLD_GLOBALS = new Set('process performance setTimeout setInterval setImmediate require fetch'.split(' '));
const CORE_GLOBALS = new Set([...WORLD_GLOBALS, 'Buffer', 'console']);
const PRINTS_OR_EXITS = /^(console\b|process\.(stdout|stderr|exit|exitCode|abort|kill|reallyExit)\b)/;
/** Dynamic imports, and why each is one. */
const LOADS_LATE = new Map([
  [
    /^src\/packs\/([^/]+\/)?index\.generated\.ts$/,
    "the body of a rule loads when an event reaches it, a pack's jobs and observer when they are needed",
  ],
  [/^src\/cli\/commands\.ts$/, 'a verb loads itself and no other'],
  [/^src\/hook\.ts$/, 'the way an event takes: the daemon, or an engine of its own'],
  [/^src\/open-engine\.ts$/, 'what a rule in force may need: the parts of user rules, the reader of effects'],
  [/^src\/facts\/facts\.ts$/, 'what reads keys and the settings of agents, needed by one rule once a day'],
  [/^src\/platform\/outside\.ts$/, 'where slow facts come from, needed when a rule asks for one'],
  [
    /^src\/relay\/relay\.ts$/,
    'what sends records, where somebody subscribed to them, and what names messages that do not fit',
  ],
  [/^src\/graph\/languages\/known-languages\.ts$/, 'the extractor and the grammar of a language that the project has'],
  [/^src\/workspace\/config\/layer\.ts$/, 'the YAML parser, needed only when a configuration changed'],
]);
/** The one timer outside `platform/`: a rule's deadline, by a function that every JavaScript runtime has. */
const TIMER = { path: 'src/engine/run.ts', chain: 'setTimeout' };
/** The one process that is ended outside entry points: a command that a job started, at its limit. */
const endsChild = ({ path }: SourceFile, { chain }: Use): boolean =>
  path === 'src/platform/run-command.ts' && chain === 'process.kill';
const VAGUE_NAMES = /^(utils?|helpers?|misc|common|shared|manager)$/i;
const MAX_LINES = 400;

const at = (file: SourceFile, { line }: { line: number }, what: string): Violation => ({ path: file.path, line, what });

const importsWhere = (file: SourceFile, test: (each: Import) => boolean, why: string): Violation[] =>
  file.imports.filter(test).map((each) => at(file, each, `${why}: imports ${each.target || 'a computed name'}`));

const usesWhere = (file: SourceFile, test: (each: Use) => boolean, why: string): Violation[] =>
  file.uses.filter(test).map((each) => at(file, each, `${why}: uses ${each.chain}`));

const globalsWhere = (file: SourceFile, names: ReadonlySet<string>, why: string): Violation[] =>
  usesWhere(
    file,
    ({ chain, isGlobal }) =>
      isGlobal && names.has(chain.split('.')[0] ?? '') && !(file.path === TIMER.path && chain === TIMER.chain),
    why,
  );

function readsClock({ chain, form, args, isGlobal }: Use): boolean {
  if (!isGlobal) return false;
  return chain === 'Date.now' || (chain === 'Date' && (form === 'call' || (form === 'new' && args.length === 0)));
}

function printsOrExits({ chain, args, isGlobal }: Use): boolean {
  const [target, signal] = args;
  const asksWhetherAlive = chain === 'process.kill' && signal?.['value'] === 0;
  if (isGlobal && PRINTS_OR_EXITS.test(chain) && !asksWhetherAlive) return true;
  return /(^|\.)write(File)?Sync$/.test(chain) && (target?.['value'] === 1 || target?.['value'] === 2);
}

/** A check of each covered file by itself. */
function eachFile(
  covers: (file: SourceFile) => boolean,
  find: (file: SourceFile) => readonly Violation[],
): Pick<Check, 'covers' | 'find'> {
  return { covers, find: (files) => files.filter(covers).flatMap(find) };
}

/** What a file does beside computing with what `world` has. */
function impure(file: SourceFile, world: (path: string) => boolean): Violation[] {
  const why = 'it only reads what it is given';
  return [
    ...importsWhere(file, ({ target }) => !world(target), why),
    ...globalsWhere(file, CORE_GLOBALS, why),
    ...usesWhere(file, readsClock, why),
  ];
}

/** The core and all that it loads at run time, wherever that lies. */
function loadedByCore(files: readonly SourceFile[]): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set(files.filter((file) => inProduct(file) && isCore(file.path)));
  for (const file of reached) {
    for (const { kind, target } of file.imports) {
      const next = byPath.get(target);
      if (next && kind !== 'type') reached.add(next);
    }
  }
  return [...reached];
}

const NAMES: Snippet = {
  'src/adapters/claude-code/names.ts': `export const EVENTS = [row('PreToolUse', 'tool.before'), row('Stop', 'turn.stop')]`,
};

/** In the order of the list in ARCHITECTURE.md. */
export const CHECKS: readonly Check[] = [
  {
    name: 'adapters import no rules, state or engine',
    ...eachFile(
      (file) => inProduct(file) && file.path.startsWith('src/adapters/'),
      (file) => importsWhere(file, ({ target }) => !ADAPTER_WORLD(target), 'an adapter only translates'),
    ),
    bad: [
      { 'src/adapters/a/parse.ts': `import { run } from '../../engine/run.ts'` },
      { 'src/adapters/a/parse.ts': `import type { Store } from '../../state/store.ts'` },
      { 'src/adapters/a/parse.ts': `export * from '../../packs/guard/rm.ts'` },
      { 'src/adapters/a/parse.ts': `const rules = () => import('../../packs/index.generated.ts')` },
      { 'src/adapters/a/parse.ts': `type Rule = import('../../engine/rule.ts').Rule` },
    ],
    fine: [
      { 'src/adapters/a/parse.ts': `import type { Event } from '../../event/event.ts'; // never ../../engine/run.ts` },
      { 'src/adapters/a/parse.test.ts': `import { run } from '../../engine/run.ts'` },
    ],
  },
  {
    name: 'the engine never names an agent',
    covers: (file) => inProduct(file) && !file.path.startsWith('src/adapters/') && !isEntryPoint(file.path),
    find(files) {
      const known = readAgentWords(files);
      return files.filter(this.covers).flatMap((file) =>
        file.words.flatMap((word) => {
          const name = agentNameIn(word, known);
          return name ? [at(file, word, `names the agent ${name}: ${word.value}`)] : [];
        }),
      );
    },
    bad: [
      { ...NAMES, 'src/engine/run.ts': `if (event.agent === 'claude-code') skip()` },
      { ...NAMES, 'src/decision/merge.ts': `const isClaude = true` },
      { ...NAMES, 'src/handle.ts': 'const home = `${root}/.claude/x`' },
    ],
    fine: [
      { ...NAMES, 'src/engine/run.ts': `/* Claude Code sends this twice */ const agent = event.agent` },
      { ...NAMES, 'src/hook.ts': `import { claudeCode } from './adapters/claude-code/index.ts'; claudeCode.parse(x)` },
    ],
  },
  {
    name: "no agent's words outside adapters",
    covers: (file) => inProduct(file) && !file.path.startsWith('src/adapters/'),
    find(files) {
      const known = readAgentWords(files);
      return files.filter(this.covers).flatMap((file) =>
        file.words.flatMap((word) => {
          const found = agentWordIn(word, known);
          return found ? [at(file, word, `a word of an agent: ${found}`)] : [];
        }),
      );
    },
    bad: [
      { ...NAMES, 'src/engine/run.ts': `if (event.agentEvent === 'PreToolUse') skip()` },
      { ...NAMES, 'src/engine/run.ts': `if (name === 'Stop') skip()` },
      { ...NAMES, 'src/cli/show.ts': 'print(`waits for PreToolUse events`)' },
      { ...NAMES, 'src/cli/show.ts': 'const reply = { hookSpecificOutput: {} }' },
      { ...NAMES, 'src/state/x.ts': 'if (/^PreToolUse$/.test(name)) skip()' },
    ],
    fine: [
      { ...NAMES, 'src/engine/run.ts': `// PreToolUse\nconst text = 'Stop here and read on'` },
      { ...NAMES, 'src/engine/run.ts': `interface Stop { readonly again: boolean }` },
      { ...NAMES, 'src/engine/run.test.ts': `const event = 'PreToolUse'` },
    ],
  },
  {
    name: 'event, engine and decision load nothing from Node and use none of its globals',
    covers: (file) => inProduct(file) && isCore(file.path),
    find: (files) =>
      loadedByCore(files).flatMap((file) => [
        ...importsWhere(file, ({ kind, target }) => kind !== 'type' && isOutside(target), 'the core runs anywhere'),
        ...globalsWhere(file, CORE_GLOBALS, 'the core runs anywhere'),
      ]),
    bad: [
      { 'src/engine/run.ts': `import { join } from 'node:path'` },
      { 'src/engine/run.ts': `import { parse } from 'yaml'` },
      { 'src/decision/merge.ts': `const size = Buffer.byteLength(text)` },
      { 'src/decision/merge.ts': `globalThis.process.env` },
      {
        'src/engine/run.ts': `export { flag } from '../state/cell.ts'`,
        'src/state/cell.ts': `import { readFileSync } from 'node:fs'`,
      },
    ],
    fine: [
      { 'src/engine/run.ts': `function run(process: () => void) { process(); return { Buffer: 1 }.Buffer }` },
      {
        'src/engine/run.ts': `import type { Store } from '../state/sqlite.ts'`,
        'src/state/sqlite.ts': `import { DatabaseSync } from '@photostructure/sqlite'`,
      },
    ],
  },
  {
    name: 'shell, effects, text and git are pure, and only shell knows the shell parser',
    ...eachFile(inProduct, (file) => {
      const world = PURE.find(([place]) => file.path.startsWith(place))?.[1];
      if (world) return impure(file, world);
      if (file.path === SCRIPT_READER) return [];
      return importsWhere(file, ({ target }) => target === 'unbash', 'shell/ reads commands');
    }),
    bad: [
      { 'src/shell/read.ts': `import type { Effect } from '../event/effect.ts'` },
      { 'src/shell/read.ts': `import { parse } from 'yaml'` },
      { 'src/shell/read.ts': `const home = process.env['HOME']` },
      { 'src/effects/files.ts': `import { nodeFiles } from '../platform/files.ts'` },
      { 'src/effects/files.ts': `import type { RuleContext } from '../engine/rule.ts'` },
      { 'src/effects/files.ts': `import { existsSync } from 'node:fs'` },
      { 'src/effects/files.ts': `import { parse } from 'unbash'` },
      { 'src/effects/files.ts': `const now = Date.now()` },
      { 'src/text/wrap.ts': `import { join } from 'node:path'` },
      { 'src/git/head.ts': `import { nodeFiles } from '../platform/files.ts'` },
      { 'src/engine/run.ts': `import type { Script } from 'unbash'` },
      { 'src/packs/guard/rm.ts': `import { parse } from 'unbash'` },
    ],
    fine: [
      { 'src/shell/read.ts': `import { parse } from 'unbash'; import type { Reading } from './command.ts'` },
      {
        'src/effects/files.ts': `import type { Effect } from '../event/effect.ts'; import { UNKNOWN } from '../shell/command.ts'; import { posix } from 'node:path'`,
      },
      { 'src/git/head.ts': `import { join } from 'node:path'; import { findRepository } from './repository.ts'` },
      { 'src/graph/languages/shell.ts': `import { parse } from 'unbash'` },
      { 'src/effects/files.test.ts': `import { testEngine } from '../engine/engine.fixture.ts'` },
    ],
  },
  {
    name: 'rules import only the rule API, their pack and the shared parts',
    ...eachFile(
      (file) => inProduct(file) && /^src\/packs\/[^/]+\//.test(file.path) && !isGenerated(file.path),
      (file) => {
        const pack = /^src\/packs\/[^/]+\//.exec(file.path)?.[0] ?? '';
        const foreign = ({ target }: Import): boolean => !RULE_WORLD(target) && !target.startsWith(pack);
        return importsWhere(file, foreign, 'a rule stands by itself');
      },
    ),
    bad: [
      { 'src/packs/guard/rm.ts': `import { readConfig } from '../../workspace/config.ts'` },
      { 'src/packs/guard/rm.ts': `import { count } from '../diagrams/count.ts'` },
      { 'src/packs/guard/rm.ts': `import { readFileSync } from 'node:fs'` },
      { 'src/packs/guard/rm.ts': `import { select } from '../../engine/rule-index.ts'` },
      { 'src/packs/increments/jobs.ts': `import { createQueue } from '../../jobs/queue.ts'` },
    ],
    fine: [
      {
        'src/packs/guard/rm.ts': `import { defineRule } from '../../engine/rule.ts'; import { list } from './list.ts'; import { parse } from '../../shell/parse.ts'`,
      },
      { 'src/packs/increments/jobs.ts': `import type { PackJobs } from '../../jobs/job.ts'` },
    ],
  },
  {
    name: 'only platform and entry points touch files, processes and the clock',
    ...eachFile(
      (file) => inProduct(file) && !file.path.startsWith('src/platform/') && !isEntryPoint(file.path),
      (file) => [
        ...importsWhere(file, ({ kind, target }) => kind !== 'type' && leadsOut(target), 'the way out is platform/'),
        ...globalsWhere(file, WORLD_GLOBALS, 'the way out is platform/'),
        ...usesWhere(file, readsClock, 'the way out is platform/'),
      ],
    ),
    bad: [
      { 'src/workspace/config.ts': `import { readFileSync } from 'node:fs'` },
      { 'src/workspace/config.ts': `const load = () => import('node:child_process')` },
      { 'src/ledger/row.ts': `const at = Date.now()` },
      { 'src/ledger/row.ts': `const at = new Date()` },
      { 'src/ledger/row.ts': `const home = process.env['HOME']` },
      { 'src/state/sqlite.ts': `setTimeout(flush, 10)` },
      { 'src/engine/run.ts': `setInterval(flush, 10)` },
    ],
    fine: [
      { 'src/ledger/row.ts': `const at = new Date(event.receivedAt); const day = clock.now()` },
      { 'src/platform/clock.ts': `export const now = () => Date.now()` },
      { 'src/workspace/config.ts': `import { join } from 'node:path'; import type { Stats } from 'node:fs'` },
    ],
  },
  {
    name: 'only entry points print or exit',
    ...eachFile(
      (file) => inProduct(file) && !isEntryPoint(file.path),
      (file) => [
        ...usesWhere(file, (use) => printsOrExits(use) && !endsChild(file, use), 'an entry point decides'),
        ...importsWhere(
          file,
          ({ target, names }) =>
            target === 'node:process' && names.some((name) => /^(stdout|stderr|exit|exitCode|default)$/.test(name)),
          'an entry point decides',
        ),
      ],
    ),
    bad: [
      { 'src/engine/run.ts': `console.error('late')` },
      { 'src/platform/files.ts': `process.exit(1)` },
      { 'src/platform/processes.ts': `process.kill(pid, 'SIGTERM')` },
      { 'src/platform/run-command.ts': `process.exit(1)` },
      { 'src/platform/files.ts': `process.exitCode = 1` },
      { 'src/platform/files.ts': `const out = process.stdout; out.write('x')` },
      { 'src/platform/files.ts': `import { stdout } from 'node:process'` },
      { 'src/platform/files.ts': `import * as fs from 'node:fs'; fs.writeSync(2, 'late')` },
    ],
    fine: [
      { 'src/cli/main.ts': `console.log('x'); process.exitCode = 1` },
      { 'src/platform/processes.ts': `process.kill(pid, 0)` },
      { 'src/platform/files.ts': `const here = process.cwd(); const tool = { stdout: '' }; reply.stdout` },
    ],
  },
  {
    name: 'rule bodies, commands and heavy optional parts are the only dynamic imports',
    ...eachFile(inProduct, (file) =>
      [...LOADS_LATE.keys()].some((place) => place.test(file.path))
        ? []
        : [
            ...importsWhere(file, ({ kind }) => kind === 'dynamic', 'loads late'),
            ...usesWhere(file, ({ chain, isGlobal }) => isGlobal && chain === 'require', 'loads late'),
          ],
    ),
    bad: [
      { 'src/engine/run.ts': `const { merge } = await import('../decision/merge.ts')` },
      { 'src/engine/run.ts': 'const load = (name: string) => import(`./${name}.ts`)' },
      { 'src/engine/run.ts': `const fs = require('fs')` },
    ],
    fine: [
      { 'src/packs/guard/index.generated.ts': `export const load = () => import('./guard/rm.ts')` },
      { 'src/engine/run.ts': `type Merge = typeof import('../decision/merge.ts'); const here = import.meta.url` },
    ],
  },
  {
    name: 'a file says in its name what is in it',
    ...eachFile(
      () => true,
      (file) =>
        file.path
          .split(/[/.]/)
          .filter((part) => VAGUE_NAMES.test(part))
          .map((part) => at(file, { line: 1 }, `"${part}" says nothing`)),
    ),
    bad: [{ 'src/engine/utils.ts': '' }, { 'src/helpers/time.ts': '' }, { 'test/common.test.ts': '' }],
    fine: [{ 'src/engine/common-prefix.ts': '' }],
  },
  {
    name: `no file is longer than ${MAX_LINES} lines`,
    ...eachFile(
      (file) => !isGenerated(file.path),
      (file) => (file.lines > MAX_LINES ? [at(file, { line: MAX_LINES }, `${file.lines} lines`)] : []),
    ),
    bad: [{ 'src/engine/run.ts': '\n'.repeat(MAX_LINES + 1) }],
    fine: [{ 'src/engine/run.ts': '\n'.repeat(MAX_LINES) }, { 'src/packs/index.generated.ts': '\n'.repeat(2000) }],
  },
];
