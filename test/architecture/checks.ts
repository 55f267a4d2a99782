import { AGENT_CHECKS } from './agent-checks.ts';
import { LANGUAGE_CHECK } from './language-check.ts';
import { packWordFinder, readPackWords } from './pack-words.ts';
import type { Check, Snippet } from './parts.ts';
import {
  CORE_GLOBALS,
  HEAVY,
  LOADS_LATE,
  MAX_LINES,
  PAGE_SHAPES,
  PAGE_WORLD,
  PURE,
  RULE_WORLD,
  SCRIPT_READER,
  TOOL_SERVER,
  VAGUE_NAMES,
  WORLD_GLOBALS,
  answersEvents,
  asksIndexer,
  at,
  eachFile,
  endsChild,
  globalsWhere,
  importsWhere,
  impure,
  inBrowser,
  inProduct,
  isCore,
  isEntryPoint,
  isGenerated,
  isInsideGraph,
  isOutside,
  isPackCli,
  leadsOut,
  loadedFrom,
  printsOrExits,
  readsClock,
  usesWhere,
} from './parts.ts';
import { mayImport, roomOf } from './rooms.ts';
import type { Import } from './source.ts';

const MANIFESTS: Snippet = {
  'src/event/pack.ts': `type Setting = 'graph' | 'relay'`,
  'src/packs/guard/pack.ts': `export const pack = { on: true }`,
  'src/packs/codegraph/pack.ts': `export const pack = { variables: ['CODEGRAPH_DIR'], holds: ['graph'] }`,
  'src/packs/context/pack.ts': `export const pack = { dir: '.context', borrows: { program: 'ctx', settings: '.ctxrc' } }`,
};

/** In the order of the list in ARCHITECTURE.md. */
export const CHECKS: readonly Check[] = [
  ...AGENT_CHECKS,
  {
    name: 'event and engine load nothing from Node and use none of its globals',
    covers: (file) => inProduct(file) && isCore(file.path),
    find: (files) =>
      loadedFrom(files, (file) => inProduct(file) && isCore(file.path)).flatMap((file) => [
        ...importsWhere(file, ({ kind, target }) => kind !== 'type' && isOutside(target), 'the core runs anywhere'),
        ...globalsWhere(file, CORE_GLOBALS, 'the core runs anywhere'),
      ]),
    bad: [
      { 'src/engine/run.ts': `import { join } from 'node:path'` },
      { 'src/engine/run.ts': `import { parse } from 'yaml'` },
      { 'src/engine/merge.ts': `const size = Buffer.byteLength(text)` },
      { 'src/event/merge.ts': `globalThis.process.env` },
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
    name: 'shell, effects, text, git and what resolves a code graph are pure, and only shell knows the shell parser',
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
      { 'src/graph/resolve/scope.ts': `import { openStore } from '../store/facts-db.ts'` },
      { 'src/graph/resolve/scope.ts': `const started = Date.now()` },
      { 'src/engine/run.ts': `import type { Script } from 'unbash'` },
      { 'src/packs/guard/rm.ts': `import { parse } from 'unbash'` },
    ],
    fine: [
      { 'src/shell/read.ts': `import { parse } from 'unbash'; import type { Reading } from './command.ts'` },
      {
        'src/effects/files.ts': `import type { Effect } from '../event/effect.ts'; import { UNKNOWN } from '../shell/command.ts'; import { posix } from 'node:path'`,
      },
      { 'src/git/head.ts': `import { join } from 'node:path'; import { findRepository } from './repository.ts'` },
      { 'src/graph/languages/shell/extractor.ts': `import { parse } from 'unbash'` },
      { 'src/effects/files.test.ts': `import { testEngine } from '../engine/engine.fixture.ts'` },
    ],
  },
  {
    name: 'only the indexing process parses code and renders pictures',
    covers: asksIndexer,
    find: (files) =>
      loadedFrom(files, asksIndexer).flatMap((file) =>
        importsWhere(file, ({ kind, target }) => kind !== 'type' && HEAVY(target), 'the indexer is asked'),
      ),
    bad: [
      { 'src/daemon.ts': `import { createParser } from './graph/parse/parse-file.ts'` },
      { 'src/cli/main.ts': `const load = () => import('oxc-parser')` },
      {
        'src/hook.ts': `import { refresh } from './graph/refresh.ts'`,
        'src/graph/refresh.ts': `import { Parser } from 'web-tree-sitter'`,
      },
      { 'src/cli/main.ts': `const load = () => import('../platform/picture-renderer.ts')` },
    ],
    fine: [
      { 'src/indexer.ts': `import { createParser } from './graph/parse/parse-file.ts'` },
      { 'src/daemon.ts': `import type { Source } from './graph/languages/language.ts'` },
    ],
  },
  {
    name: 'the graph is imported through its doors',
    ...eachFile(
      (file) => !file.path.startsWith('src/graph/'),
      (file) => importsWhere(file, ({ target }) => isInsideGraph(file, target), 'graph/index.ts is the door'),
    ),
    bad: [
      { 'src/mcp/ask.ts': `import { askRoot } from '../graph/on-demand/ask-root.ts'` },
      { 'src/engine/engine.ts': `import type { Scope } from '../graph/store/scope.ts'` },
      { 'src/indexer.ts': `const load = () => import('./graph/indexer/drawing.ts')` },
      { 'src/cli/commands/graph.ts': `import { serveIndexing } from '../../graph/indexing.ts'` },
      { 'src/cli/commands/graph.ts': `import { openGraph } from '../../graph/graph.fixture.ts'` },
      { 'test/process/daemon.test.ts': `import { openGraph } from '../../src/graph/store/open-graph.ts'` },
      { 'bench/graph/queries.ts': `export * from '../../src/graph/query/ask-graph.ts'` },
    ],
    fine: [
      {
        'src/mcp/ask.ts': `import { askRoot } from '../graph/index.ts'; import type { Root } from '../cli/graph/root.ts'`,
      },
      { 'src/workspace/policy.ts': `import { graphWanted } from '../graph/settings.ts'` },
      { 'src/indexer.ts': `import { serveIndexing } from './graph/indexing.ts'` },
      { 'src/graph/query/impact.ts': `import { readScope } from '../store/scope.ts'` },
      { 'test/process/daemon.test.ts': `import { openGraph } from '../../src/graph/graph.fixture.ts'` },
    ],
  },
  LANGUAGE_CHECK,
  {
    name: 'whoever answers events loads nothing of the tool server',
    covers: answersEvents,
    find: (files) =>
      loadedFrom(files, answersEvents).flatMap((file) =>
        importsWhere(file, ({ kind, target }) => kind !== 'type' && TOOL_SERVER(target), 'it is a program of its own'),
      ),
    bad: [
      { 'src/hook.ts': `import { serveMcp } from './mcp/serve.ts'` },
      {
        'src/daemon.ts': `import { answer } from './graph/answer.ts'`,
        'src/graph/answer.ts': `const load = () => import('@modelcontextprotocol/server')`,
      },
    ],
    fine: [{ 'src/cli/commands/mcp.ts': `import { serveMcp } from '../../mcp/serve.ts'` }],
  },
  {
    name: 'what runs in the browser imports nothing of the product but the shapes of its data',
    ...eachFile(inBrowser, (file) =>
      importsWhere(
        file,
        ({ kind, target }) => !PAGE_WORLD(target) && !(kind === 'type' && target === PAGE_SHAPES),
        'it is served to a browser',
      ),
    ),
    bad: [
      { 'src/page/app.tsx': `import { readRows } from '../ledger/read.ts'` },
      { 'src/page/app.tsx': `import { createViews } from '../cli/page/views.ts'` },
      { 'src/page/now.tsx': `import { join } from 'node:path'` },
    ],
    fine: [
      { 'src/page/now.tsx': `import type { Now } from '../cli/page/shapes.ts'; import { useData } from './load.ts'` },
    ],
  },
  {
    name: 'rules import only the rule API, their pack and the shared parts; what packs have for the command line, no other pack',
    ...eachFile(
      (file) => inProduct(file) && /^src\/packs\/[^/]+\//.test(file.path) && !isGenerated(file.path),
      (file) => {
        const pack = /^src\/packs\/[^/]+\//.exec(file.path)?.[0] ?? '';
        const isOwn = (target: string): boolean => target.startsWith(pack);
        if (isPackCli(file.path)) {
          const isOthers = ({ target }: Import): boolean => /^src\/packs\/[^/]+\//.test(target) && !isOwn(target);
          return importsWhere(file, isOthers, 'a pack stands by itself');
        }
        const foreign = ({ target }: Import): boolean => isPackCli(target) || (!RULE_WORLD(target) && !isOwn(target));
        return importsWhere(file, foreign, 'a rule stands by itself');
      },
    ),
    bad: [
      { 'src/packs/guard/rm.ts': `import { readConfig } from '../../workspace/config.ts'` },
      { 'src/packs/guard/rm.ts': `import { count } from '../diagrams/count.ts'` },
      { 'src/packs/guard/rm.ts': `import { readFileSync } from 'node:fs'` },
      { 'src/packs/guard/rm.ts': `import { select } from '../../engine/match/rule-index.ts'` },
      { 'src/packs/increments/jobs.ts': `import { createQueue } from '../../jobs/queue.ts'` },
      { 'src/packs/guard/rm.ts': `import { show } from './cli/show.ts'` },
      { 'src/packs/guard/cli/commands/rm.ts': `import { count } from '../../../diagrams/count.ts'` },
    ],
    fine: [
      {
        'src/packs/guard/rm.ts': `import { defineRule } from '../../engine/rule.ts'; import { list } from './list.ts'; import { parse } from '../../shell/parse.ts'`,
      },
      { 'src/packs/increments/jobs.ts': `import type { PackJobs } from '../../jobs/job.ts'` },
      {
        'src/packs/guard/cli/commands/rm.ts': `import { list } from '../../list.ts'; import { settingsOf } from '../../../../workspace/policy.ts'`,
      },
    ],
  },
  {
    name: 'the core names no pack',
    covers: (file) => inProduct(file) && !file.path.startsWith('src/packs/') && !isGenerated(file.path),
    find(files) {
      const packWordIn = packWordFinder(readPackWords(files));
      return files.filter(this.covers).flatMap((file) => [
        ...importsWhere(
          file,
          ({ target }) => /^src\/packs\/[^/]+\//.test(target),
          'packs come by their generated lists',
        ),
        ...file.words.flatMap((word) => {
          const found = packWordIn(word, file.path);
          return found ? [at(file, word, `names the pack or what it declares: ${found}`)] : [];
        }),
      ]);
    },
    bad: [
      { ...MANIFESTS, 'src/cli/doctor/all.ts': `import { check } from '../../packs/guard/cli/doctor.ts'` },
      { ...MANIFESTS, 'src/cli/show.ts': `type Rule = import('../packs/guard/rm.ts').Rule` },
      { ...MANIFESTS, 'src/workspace/policy.ts': `const DEFAULT_PACKS = ['guard']` },
      { ...MANIFESTS, 'src/workspace/policy.ts': `const CONTEXT_PACK = name` },
      { 'src/packs/a/pack.ts': `const a = 'ctxrc'`, 'src/workspace/policy.ts': `if (readsCtxrc(settings)) use()` },
      { ...MANIFESTS, 'src/engine/careful.ts': `const RULE = 'guard/careful'` },
      { ...MANIFESTS, 'src/cli/careful.ts': 'print(`what packs.guard.careful says`)' },
      { ...MANIFESTS, 'src/cli/init.ts': `const suggestCodegraph = () => []` },
      { ...MANIFESTS, 'src/transport/answer.ts': `const dir = env['CODEGRAPH_DIR']` },
      { ...MANIFESTS, 'src/workspace/trust.ts': `const text = join(root, '.context')` },
      { ...MANIFESTS, 'src/cli/trust.ts': 'print(`messages for ctx in ${root}`)' },
    ],
    fine: [
      {
        ...MANIFESTS,
        'src/engine/run.ts': `// the guard pack\nfunction run(context: Context) { return context.guard }`,
      },
      {
        ...MANIFESTS,
        'src/engine/usage.ts': `const WINDOW = 'context.window'; const text = 'guards stay, the context is full'`,
      },
      { ...MANIFESTS, 'src/graph/query/answer.ts': `const answer = { is: 'context' }` },
      { ...MANIFESTS, 'src/workspace/policy.ts': `const graph = packsHolding('graph')[0]` },
      { ...MANIFESTS, 'src/packs/guard/rm.ts': `export default defineRule({ id: 'guard/rm', pack: 'guard' })` },
      { ...MANIFESTS, 'src/packs/index.generated.ts': `import { rules } from './guard/index.generated.ts'` },
      { ...MANIFESTS, 'src/cli/stats.test.ts': `import { stats } from '../packs/codegraph/cli/stats.ts'` },
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
      { 'src/engine/run.ts': `const { merge } = await import('./decide/merge.ts')` },
      { 'src/engine/run.ts': 'const load = (name: string) => import(`./${name}.ts`)' },
      { 'src/engine/run.ts': `const fs = require('fs')` },
    ],
    fine: [
      { 'src/packs/guard/index.generated.ts': `export const load = () => import('./guard/rm.ts')` },
      { 'src/engine/run.ts': `type Merge = typeof import('./decide/merge.ts'); const here = import.meta.url` },
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
  {
    name: 'no arrow leads from a lower room to a higher one',
    ...eachFile(inProduct, (file) => {
      const from = roomOf(file.path);
      if (from === undefined) return [at(file, { line: 1 }, 'it stands in no room of test/architecture/rooms.ts')];
      return file.imports.flatMap((each) => {
        const to = isOutside(each.target) ? from : roomOf(each.target);
        return to === undefined || mayImport(from, to) ? [] : [at(file, each, `${from} imports ${to}`)];
      });
    }),
    bad: [
      { 'src/state/prune.ts': `import { LIMITS } from '../workspace/settings.ts'` },
      { 'src/state/prune.ts': `import type { Seen } from '../engine/engine.ts'` },
      { 'src/git/head.ts': `type Command = import('../shell/command.ts').ShellCommand` },
      { 'src/effects/paths/place.ts': `export * from '../files/copies.ts'` },
      { 'src/engine/limits/guards.ts': `const load = () => import('../decide/run.ts')` },
      { 'src/homeless.ts': '' },
    ],
    fine: [
      { 'src/workspace/policy.ts': `import type { Seen } from '../engine/engine.ts'; import { one } from './one.ts'` },
      {
        'src/effects/files/copies.ts': `import { placeOf } from '../paths/place.ts'; import { join } from 'node:path'`,
      },
      { 'src/state/prune.test.ts': `import { openEngine } from '../assembly/open-engine.ts'` },
    ],
  },
];
