import { applyEdits } from '../../event/apply-edits.ts';
import { counter, defineRule, stamp } from '../../engine/rule.ts';
import type { Verdict } from '../../engine/rule.ts';
import { completionFacts, describeOpen } from './completion.ts';
import { incrementFile, placeOf, SPECWEAVE } from './layout.ts';
import { readMetadata } from './metadata.ts';
import { DEFAULTS, readOptions } from './options.ts';

const STATE_FILES = [`**/${SPECWEAVE}/increments/*/metadata.json`];
const DONE = 'completed';
/** Denials of the same content; after that a person decides. */
const MOST_DENIALS = 2;

export default defineRule({
  id: 'increments/completion-guard',
  pack: 'increments',
  summary: 'An increment is completed when its tasks are done and its criteria are ticked.',
  on: [
    { event: 'tool.before', tool: ['write', 'edit'], paths: STATE_FILES },
    { event: 'tool.before', tool: ['shell'], effect: ['write'], paths: STATE_FILES, words: [DONE] },
  ],
  needs: { entry: SPECWEAVE },
  mode: 'enforce',
  guard: true,
  onError: 'block',
  priority: 60,
  options: DEFAULTS,
  state: { denials: counter('increments.denials') },
  messages: {
    open: '{increment} is not complete: {open}. {next}`fairlead increment done {increment}` completes it once nothing is open. The person at this session can let this edit through with `fairlead allow-once`.',
    byCommand:
      '{increment} is completed by `fairlead increment done {increment}`, which checks its tasks and criteria. The person at this session can let this edit through with `fairlead allow-once`.',
    order:
      '{increment} is {status}, and goes through ready_for_review before it is completed. The next step is to set that status. The person at this session can let this edit through with `fairlead allow-once`.',
    shell:
      'This command writes the state of {increment} and speaks of completion. `fairlead increment done {increment}` checks the tasks and criteria first and says what is open.',
  },
  examples: {
    ask: [
      `jq '.status="completed"' m.json > .specweave/increments/0001-demo/metadata.json`,
      `sed -i 's/active/completed/' .specweave/increments/0001-demo/metadata.json`,
    ].map((command) => ({ tool: 'shell' as const, command })),
    pass: [
      { tool: 'write', path: '.specweave/increments/0001-demo/metadata.json', new: '{"status": "active"}' },
      { tool: 'shell', command: 'echo completed > notes.txt' },
      { tool: 'shell', command: 'cat .specweave/increments/0001-demo/metadata.json | grep completed' },
    ],
  },
  check(event, context) {
    const { tool } = event;
    if (tool?.kind === 'shell') {
      const target = context.effects.map(({ path = '' }) => placeOf(path)?.increment).find((id) => id !== undefined);
      return context.ask('shell', { increment: target ?? 'the increment' });
    }
    // A call may edit several files; the first that stands in the way speaks for all.
    const verdicts = (tool?.paths ?? []).map((path) => judge(path));
    return verdicts.find(({ kind }) => kind !== 'pass') ?? verdicts[0] ?? context.pass('no increment');

    function judge(path: string): Verdict {
      const place = placeOf(path);
      if (!tool || place?.increment === undefined || place.file !== 'metadata.json')
        return context.pass('no increment');
      const { root, increment } = place;
      const options = readOptions(context.options);
      const before = context.files.readText(path);
      const edits = tool.paths.length === 1 ? tool.edits : tool.edits.filter((edit) => edit.path === path);
      const after = applyEdits(before, edits);
      if (after === undefined) return context.pass('the edit does not apply');
      const was = before === undefined ? undefined : readMetadata(before)?.status;
      if (readMetadata(after)?.status !== DONE || was === DONE) return context.pass('completes nothing');

      const refuse = (variant: 'open' | 'byCommand' | 'order', values: Record<string, string>) => {
        const said = { increment, open: '', next: '', status: '', ...values };
        const times = context.state.denials.next(1, stamp([path, after]));
        return times > MOST_DENIALS ? context.ask(variant, said) : context.deny(variant, said);
      };
      if (options.guard.require === 'command') return refuse('byCommand', {});
      if (options.guard.transitions && was !== 'ready_for_review')
        return refuse('order', { status: was ?? 'without a status' });
      const textOf = (file: 'tasks.md' | 'spec.md') => context.files.readText(incrementFile(root, increment, file));
      const facts = completionFacts({ tasks: textOf('tasks.md'), spec: textOf('spec.md') }, options.completeWhen);
      if (facts.isComplete) return context.pass('nothing is open');
      const [first] = facts.openTasks;
      const next = first ? `Next is ${first.id}${first.title === '' ? '' : ` (${first.title})`}. ` : '';
      return refuse('open', { open: describeOpen(facts), next });
    }
  },
});
