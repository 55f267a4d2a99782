import { asPath, defineRule, own, record } from '../../engine/rule.ts';
import { CONTEXT_DIR, contextPath } from './files.ts';
import { tell } from './nudge.ts';
import { readGroup } from './options.ts';
import { contextRoot } from './place.ts';

const DEFAULTS = { dir: 'specs/', on_mode_switch: true };
const PLANNING = 'plan';

interface PlanEntry {
  /** The agent's mode at the last prompt of the person; planning once the agent has gone over to it by itself. */
  readonly lastMode?: string;
  /** The prompt that was told. */
  readonly promptId?: string;
}

export default defineRule({
  id: 'context/specs-nudge',
  pack: 'context',
  summary: 'When planning starts, says where plans are kept.',
  on: [{ event: 'tool.before', tool: ['plan'] }, { event: 'prompt.submit' }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, main: true },
  nudge: 'always',
  priority: 60,
  state: { entry: record<PlanEntry>('context.plan_entry') },
  options: { specs: DEFAULTS },
  messages: {
    nudge:
      'Planning starts.\nA plan for new work is kept as a file of its own in {dir}; a quick fix needs none.\nNext: {next}\nProject context: {contextDir}',
  },
  expect: { paths: ['specs/**'], within: 40, until: 'session' },
  examples: { pass: [{ tool: 'plan' }, { prompt: 'Plan the import.' }] },
  check(event, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    const specs = readGroup(context.options.specs, DEFAULTS);
    const before = context.state.entry.get() ?? {};
    const promptId = event.promptId ?? `turn ${context.turn}`;
    if (event.name === 'prompt.submit') {
      if (event.prompt?.origin !== 'human') return context.pass('not typed by a person');
      const lastMode = event.permissionMode ?? '';
      const isEntry = lastMode === PLANNING && before.lastMode !== PLANNING && specs.on_mode_switch;
      if (!isEntry) {
        if (lastMode !== before.lastMode || before.promptId !== undefined) context.state.entry.set({ lastMode });
        return context.pass('planning does not start here');
      }
    } else if (before.promptId === promptId) return context.pass('said in this prompt');
    context.state.entry.set({ lastMode: PLANNING, promptId });
    const dir = `${specs.dir.replace(/\/+$/, '')}/`;
    return tell(context, {
      variant: 'nudge',
      values: { dir: asPath(dir), next: own`${asPath(dir)}<feature>.md`, contextDir: asPath(contextPath(root)) },
      relayed: { by: event.name === 'prompt.submit' ? 'person' : 'agent' },
    });
  },
});
