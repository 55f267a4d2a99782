import { defineRule, marker, own, record } from '../../engine/rule.ts';
import { CEREMONIES, runsOne } from './ceremony-use.ts';
import { LOOKED, lookAgain } from './daily.ts';
import { CONTEXT_DIR } from './files.ts';
import { ceremoniesIn, journalPath } from './journal.ts';
import { nudge } from './nudge.ts';
import { readGroup, textsIn } from './options.ts';
import { contextKey, contextRoot } from './place.ts';

export default defineRule({
  id: 'context/check-ceremonies',
  pack: 'context',
  summary: 'Once a day, says when sessions start without recall or end without wrap-up.',
  on: [
    { event: 'prompt.submit' },
    { event: 'tool.after', tool: ['shell'], optionWords: 'ceremonies.start' },
    { event: 'tool.after', tool: ['shell'], optionWords: 'ceremonies.end' },
  ],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR },
  nudge: 'deferrable',
  priority: 35,
  state: {
    today: marker('context.day.ceremonies', { scope: 'day' }),
    /** The last day on which one was run, by `start` and `end`: the journal hears of it later. */
    seen: record<string>('context.ceremony_seen', { scope: 'workspace' }),
    looked: LOOKED,
  },
  options: { ceremonies: CEREMONIES },
  messages: {
    both: 'The newest journal entries ({entries}) show neither a recall nor a wrap-up.\nA recall brings back open tasks, decisions and the last entry; a wrap-up shows what is not saved yet.\nNext: {remember} now, and {wrapUp} before this session ends',
    remember:
      'The newest journal entries ({entries}) show no recall at the start of a session.\nA recall brings back open tasks, decisions and the last entry.\nNext: {remember}',
    wrapup:
      'The newest journal entries ({entries}) show no wrap-up at the end of a session.\nA wrap-up shows what is not saved yet.\nNext: {wrapUp} before this session ends',
  },
  expect: {
    words: ['context remember', 'context wrap-up', 'ctx-remember', 'ctx-wrap-up'],
    within: 40,
    until: 'session',
  },
  examples: {
    pass: [{ prompt: 'Go on.' }, { prompt: '/ctx-remember' }, { event: 'tool.after', command: 'ctx-wrap-up' }],
  },
  check(event, context) {
    const { state, files, workspace } = context;
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    const key = contextKey(workspace, root);
    const group = readGroup(context.options.ceremonies, CEREMONIES);
    const words = { start: textsIn(group.start), end: textsIn(group.end) };
    const { prompt } = event;
    if (prompt && (prompt.origin !== 'human' || event.subagent)) return context.pass('not typed by a person');

    const place = { cwd: event.cwd, home: workspace.home, root: workspace.root };
    const run = (['start', 'end'] as const).filter((half) => runsOne(event, words[half], place));
    for (const half of run) state.seen.set(context.today, half);
    if (!prompt) return context.pass(run.length > 0 ? 'noted' : 'only mentioned');
    if (run.length > 0) {
      state.today.first(key);
      return context.pass('this prompt is one');
    }
    if (state.today.isSet(key)) return context.pass('said today');

    const look = lookAgain(context, 'ceremonies', [journalPath(root)]);
    if (!look.isDue) return context.pass('nothing has changed since the last look');
    const found = ceremoniesIn(files, root, { ...words, lookback: Math.max(0, group.lookback) });
    const lacks = (half: 'start' | 'end') =>
      words[half].length > 0 && !found[half] && state.seen.get(half) !== context.today;
    const missing = { start: lacks('start'), end: lacks('end') };
    if (found.entries === 0 || !(missing.start || missing.end)) {
      look.foundNothing();
      return context.pass(found.entries === 0 ? 'no journal entries' : 'the journal shows them');
    }
    state.today.first(key);
    const commands = { remember: own(commandIn(words.start)), wrapUp: own(commandIn(words.end)) };
    return nudge(context, root, {
      variant: variantFor(missing),
      values: { entries: found.entries, ...commands },
      relayed: { entries: found.entries },
    });
  },
});

function variantFor(missing: Readonly<Record<'start' | 'end', boolean>>): 'both' | 'remember' | 'wrapup' {
  if (!missing.start) return 'wrapup';
  if (!missing.end) return 'remember';
  return 'both';
}

/** The one that needs no other program, where it is among them. */
function commandIn(ceremonies: readonly string[]): string {
  return ceremonies.find((ceremony) => ceremony.startsWith('fairlead ')) ?? ceremonies[0] ?? '';
}
