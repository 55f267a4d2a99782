import { applyEdits } from '../../event/apply-edits.ts';
import { asPath, counter, defineRule, own, stamp } from '../../engine/rule.ts';
import type { Effect, MessageValue, Verdict } from '../../engine/rule.ts';
import { completionFacts, describeOpen, idOf } from './completion.ts';
import { readTexts } from './increments.ts';
import { parsePath, SPECWEAVE } from './layout.ts';
import { readMetadata } from './metadata.ts';
import { DEFAULTS, readOptions } from './options.ts';

const STATE_FILES = [`**/${SPECWEAVE}/increments/*/metadata.json`];
/** What a command names when it writes such a file: all that a search finds, or the directory that it goes to. */
const REACHED = [...STATE_FILES, 'metadata.json', `**/${SPECWEAVE}/increments/*`];
const DONE = 'completed';
/** Denials of the same content; after that a person decides. */
const MOST_DENIALS = 2;

export default defineRule({
  id: 'increments/completion-guard',
  pack: 'increments',
  summary: 'An increment is completed when its tasks are done and its criteria are ticked.',
  on: [
    { event: 'tool.before', tool: ['write', 'edit'], paths: STATE_FILES },
    // Through a link.
    { event: 'tool.before', tool: ['write', 'edit'], effect: ['write'], paths: STATE_FILES, words: [DONE] },
    { event: 'tool.before', tool: ['shell', 'mcp', 'other'], effect: ['write'], paths: REACHED, words: [DONE] },
  ],
  needs: { entry: SPECWEAVE },
  mode: 'enforce',
  guard: true,
  onError: 'block',
  priority: 60,
  options: DEFAULTS,
  state: { denials: counter('increments.denials') },
  messages: {
    open: '{increment} is not complete: {open}.\n{next}`fairlead increment done {increment}` completes it once nothing is open.',
    byCommand:
      '{increment} is completed by `fairlead increment done {increment}`, which checks its tasks and criteria.',
    order:
      '{increment} is {status}, and goes through ready_for_review before it is completed.\nThe next step is to set that status.',
    shell:
      'This call writes the state of {increment} and speaks of completion.\n`fairlead increment done {increment}` checks the tasks and criteria first and says what is open.',
    several:
      'This call writes the state of increments and speaks of completion.\n`fairlead increment done <id>` checks the tasks and criteria of one first and says what is open.',
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
    if (tool?.kind !== 'write' && tool?.kind !== 'edit') {
      const written = context.effects.filter((effect) => writesState(effect, context.workspace.nearest(SPECWEAVE)));
      if (written.length === 0) return context.pass('writes no state of an increment');
      const ids = new Set(written.map(({ path = '' }) => parsePath(path)?.increment));
      const [increment] = ids;
      return ids.size > 1 || increment === undefined
        ? context.ask('several')
        : context.ask('shell', { increment: asPath(increment) });
    }
    // A call may edit several files, or one by another name; the first that stands in the way speaks for all.
    const paths = new Set([...tool.paths, ...context.effects.flatMap(({ path }) => path ?? [])]);
    const verdicts = [...paths].map((path) => judge(path));
    return verdicts.find(({ kind }) => kind !== 'pass') ?? verdicts[0] ?? context.pass('no increment');

    function judge(path: string): Verdict {
      const parsed = parsePath(path);
      if (!tool || parsed?.increment === undefined || parsed.file !== 'metadata.json')
        return context.pass('no increment');
      const { root, increment } = parsed;
      const options = readOptions(context.options);
      const before = context.files.readText(path);
      const edits = tool.paths.length === 1 ? tool.edits : tool.edits.filter((edit) => edit.path === path);
      const after = applyEdits(before, edits);
      if (after === undefined) return context.pass('the edit does not apply');
      const was = before === undefined ? undefined : readMetadata(before)?.status;
      if (readMetadata(after)?.status !== DONE || was === DONE) return context.pass('completes nothing');

      const refuse = (variant: 'open' | 'byCommand' | 'order', values: Record<string, MessageValue>) => {
        const said = { increment: asPath(increment), open: own(''), next: own(''), status: own(''), ...values };
        const times = context.state.denials.next(1, stamp([path, after]));
        return times > MOST_DENIALS ? context.ask(variant, said) : context.deny(variant, said);
      };
      if (options.guard.require === 'command') return refuse('byCommand', {});
      if (options.guard.transitions && was !== 'ready_for_review')
        return refuse('order', { status: was ?? own('without a status') });
      const facts = completionFacts(readTexts(context.files, root, increment), options.completeWhen);
      if (facts.isComplete) return context.pass('nothing is open');
      const [first] = facts.openTasks;
      const title = first === undefined || first.title === '' ? own('') : own` (${first.title})`;
      const next = first ? own`Next is ${idOf(first.id)}${title}. ` : own('');
      return refuse('open', { open: describeOpen(facts), next });
    }
  },
});

/** What such effects do to a path leaves the files in it as they are. */
const SPARES: ReadonlySet<string | undefined> = new Set(['moved-away', 'mkdir']);
const STATE_FILE = /\/\.specweave\/increments\/[^_/][^/]*\/metadata\.json$/;
const DIRECTORY = /\/\.specweave\/increments\/[^_/][^/]*$/;
/** What a search finds is named by the place where it begins. */
const SEARCHED = /\/\.specweave(?:\/increments)?\/metadata\.json$/;

function writesState({ path = '', how, recursive, road, seen }: Effect, root = ''): boolean {
  if (SPARES.has(how)) return false;
  if (recursive === true || STATE_FILE.test(path) || SEARCHED.test(path)) return true;
  if (DIRECTORY.test(path)) return how === 'archive' || /metadata\.json|\brsync\b/.test(seen);
  const isFound = road.some((step) => /find|xargs/.test(step));
  return isFound && `${root}/`.startsWith(path.slice(0, path.lastIndexOf('/') + 1));
}
