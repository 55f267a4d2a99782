import { asPath, counter, defineRule, own } from '../../engine/rule.ts';
import type { OwnWords, RuleFiles } from '../../engine/rule.ts';
import { CONTEXT_DIR, contextPath } from './files.ts';
import { tell } from './nudge.ts';
import { readGroup } from './options.ts';
import { contextRoot } from './place.ts';
import { openTasks } from './tasks.ts';

const DEFAULTS = { interval: 5 };
const TASKS = 'TASKS.md';
const MAX_BYTES = 4 << 20;

export default defineRule({
  id: 'context/check-task-completion',
  pack: 'context',
  summary: 'Every few edits, recalls that finished tasks are ticked in the task list.',
  on: [{ event: 'tool.after', tool: ['edit', 'write'] }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR },
  priority: 40,
  state: { edits: counter('context.task_edits') },
  options: { task: DEFAULTS },
  messages: {
    nudge:
      'Edits since the task list was last mentioned: {editCount}. Open boxes in it: {openCount}.\n{firstOpen}Tasks that are done by now can be ticked.\nNext: {tasksPath}',
  },
  expect: [
    { tool: 'edit', paths: [TASKS], within: 10 },
    { tool: 'write', paths: [TASKS], within: 10 },
  ],
  examples: { pass: [{ event: 'tool.after', tool: 'edit', path: 'src/app.ts' }] },
  check(event, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    const { interval } = readGroup(context.options.task, DEFAULTS);
    if (interval <= 0) return context.pass('switched off by its interval');
    if (event.tool?.failed === true) return context.pass('nothing was edited');
    const { files, state } = context;
    const path = contextPath(root, TASKS);
    if (event.tool?.paths.some((edited) => isSameFile(files, edited, path)) === true) {
      state.edits.reset();
      return context.pass('the task list itself');
    }
    if (event.subagent) {
      // What is due waits for the main agent.
      if (state.edits.value() < interval) state.edits.add();
      return context.pass('a sub-agent');
    }
    const editCount = state.edits.next();
    if (editCount < interval) return context.pass(`${editCount} of ${interval} edits`);
    state.edits.reset();
    const open = openTasks(files.readText(path, MAX_BYTES) ?? '');
    return tell(context, {
      variant: 'nudge',
      values: { editCount, openCount: open.length, firstOpen: firstOf(open[0]), tasksPath: asPath(path) },
      relayed: { edits: editCount, open: open.length },
    });
  },
});

function isSameFile(files: Pick<RuleFiles, 'realpath'>, edited: string, path: string): boolean {
  if (edited === path) return true;
  return edited.endsWith(`/${TASKS}`) && files.realpath(edited) === files.realpath(path);
}

/** The words of the project stand apart from ours. */
function firstOf(title: string | undefined): OwnWords {
  return title === undefined ? own('') : own`The first one, as it stands there:\n> ${title}\n`;
}
