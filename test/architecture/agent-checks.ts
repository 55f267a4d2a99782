import { agentNameIn, agentWordIn, readAgentWords } from './agent-words.ts';
import type { Check, Snippet } from './parts.ts';
import {
  ADAPTER_WORLD,
  CLIENT_WORLD,
  FIRST_AGENT,
  at,
  eachFile,
  importsWhere,
  inProduct,
  isGenerated,
  isOtherAgent,
  usesWhere,
} from './parts.ts';
import { IN_AGENT } from './rooms.ts';
import { onceEach } from './source.ts';

const NAMES: Snippet = {
  'src/adapters/claude-code/names.ts': `export const EVENTS = [row('PreToolUse', 'tool.before'), row('Stop', 'turn.stop')]`,
};

/** What is to hold of agents: the first of the list in ARCHITECTURE.md. */
export const AGENT_CHECKS: readonly Check[] = [
  {
    name: 'adapters import no rules, state or engine',
    ...eachFile(
      (file) => inProduct(file) && file.path.startsWith('src/adapters/'),
      (file) =>
        importsWhere(
          file,
          ({ target }) => !ADAPTER_WORLD(target) && !(IN_AGENT.test(file.path) && CLIENT_WORLD(target)),
          'an adapter only translates',
        ),
    ),
    bad: [
      { 'src/adapters/a/parse.ts': `import { run } from '../../engine/run.ts'` },
      { 'src/adapters/a/parse.ts': `import type { Store } from '../../state/store.ts'` },
      { 'src/adapters/a/parse.ts': `export * from '../../packs/guard/rm.ts'` },
      { 'src/adapters/a/parse.ts': `const rules = () => import('../../packs/index.generated.ts')` },
      { 'src/adapters/a/parse.ts': `type Rule = import('../../engine/rule.ts').Rule` },
      { 'src/adapters/a/parse.ts': `import { askDaemon } from '../../transport/ask-daemon.ts'` },
      { 'src/adapters/a/plugin/ask.ts': `import { run } from '../../../engine/run.ts'` },
    ],
    fine: [
      { 'src/adapters/a/parse.ts': `import type { Event } from '../../event/event.ts'; // never ../../engine/run.ts` },
      { 'src/adapters/a/parse.test.ts': `import { run } from '../../engine/run.ts'` },
      { 'src/adapters/a/plugin/ask.ts': `import { askDaemon } from '../../../transport/ask-daemon.ts'` },
    ],
  },
  {
    name: 'nothing outside adapters names an agent',
    covers: (file) => inProduct(file) && !file.path.startsWith('src/adapters/'),
    find(files) {
      const known = readAgentWords(files);
      const agentIn = onceEach((word) => agentNameIn(word, known));
      return files.filter(this.covers).flatMap((file) =>
        file.words.flatMap((word) => {
          const name = agentIn(word);
          return name ? [at(file, word, `names the agent ${name}: ${word.value}`)] : [];
        }),
      );
    },
    bad: [
      { ...NAMES, 'src/engine/run.ts': `if (event.agent === 'claude-code') skip()` },
      { ...NAMES, 'src/engine/decide/merge.ts': `const isClaude = true` },
      { ...NAMES, 'src/handle.ts': 'const home = `${root}/.claude/x`' },
      { ...NAMES, 'src/hook.ts': `const agent = 'claude-code'` },
    ],
    fine: [
      { ...NAMES, 'src/engine/run.ts': `/* Claude Code sends this twice */ const agent = event.agent` },
      { ...NAMES, 'src/engine/run.test.ts': `const agent = 'claude-code'` },
    ],
  },
  {
    name: 'no agent is imported outside its folder or taken for being the first',
    ...eachFile(
      (file) => inProduct(file) && !isGenerated(file.path),
      (file) => [
        ...importsWhere(file, ({ target }) => isOtherAgent(file.path, target), 'the registry knows the agents'),
        ...usesWhere(file, ({ chain }) => FIRST_AGENT.test(chain), 'ask, or find out, which agent is meant'),
      ],
    ),
    bad: [
      { 'src/cli/show.ts': `import { readStatus } from '../adapters/claude-code/statusline.ts'` },
      { 'src/cli/show.ts': `import type { Fields } from '../adapters/claude-code/fields.ts'` },
      { 'src/hook.ts': `const load = () => import('./adapters/claude-code/index.ts')` },
      { 'src/adapters/registry.ts': `import { claudeCode } from './claude-code/index.ts'` },
      { 'src/adapters/a/parse.ts': `import { names } from '../b/names.ts'` },
      { 'src/cli/show.ts': `const adapter = ADAPTERS[0]` },
      { 'src/cli/show.ts': `const name = ADAPTERS[0]?.name ?? ''` },
      { 'src/cli/show.ts': `const adapter = ADAPTERS.at(0)` },
      { 'src/cli/show.ts': `const [installer] = INSTALLERS as [Installer]` },
      { 'src/cli/show.ts': `const [{ agent }] = INSTALLERS` },
    ],
    fine: [
      { 'src/adapters/index.generated.ts': `import { claudeCode } from './claude-code/index.ts'` },
      { 'src/adapters/a/parse.ts': `import { names } from './names.ts'; import type { Adapter } from '../adapter.ts'` },
      { 'src/cli/show.test.ts': `import { claudeCode } from '../adapters/claude-code/index.ts'; ADAPTERS[0]` },
      { 'src/cli/show.ts': `const found = ADAPTERS.find(({ name }) => name === asked); const [first] = names` },
      { 'src/cli/show.ts': `import { ADAPTERS } from '../adapters/registry.ts'; const all = [...ADAPTERS]` },
    ],
  },
  {
    name: "no agent's words outside adapters",
    covers: (file) => inProduct(file) && !file.path.startsWith('src/adapters/'),
    find(files) {
      const known = readAgentWords(files);
      const wordIn = onceEach((word) => agentWordIn(word, known));
      return files.filter(this.covers).flatMap((file) =>
        file.words.flatMap((word) => {
          const found = wordIn(word);
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
];
