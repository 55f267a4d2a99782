import { asPath, defineRule, own } from '../../engine/rule.ts';
import type { OwnWords, RuleFiles } from '../../engine/rule.ts';
import { counted } from '../../text/counted.ts';
import { MEMORY, SESSIONS } from './memory.ts';
import type { Change } from './memory.ts';
import { isHere, overlapsOf, pathOf } from './overlaps.ts';
import type { Overlap } from './overlaps.ts';
import { changedBy, editedBy } from './targets.ts';

export default defineRule({
  id: 'peers/overlap',
  pack: 'peers',
  summary: 'Says that another live session has changed what this one is about to change and has not read since.',
  on: [
    { event: 'tool.before', tool: ['write', 'edit'] },
    { event: 'tool.before', tool: ['shell', 'mcp', 'other'], effect: ['write', 'delete', 'discard'], ifKnown: true },
  ],
  needs: { session: true, others: SESSIONS },
  mode: 'advise',
  priority: 70,
  state: MEMORY,
  messages: {
    stale:
      '{file} was changed {when} by another session ({who}): {what}. You have not read it since.\nRead it again before you change it: the text that you know may be gone.\nIf this change is meant to replace the other one, go on; each change is told once.',
    gone: '{file} was removed {when} by another session ({who}): {what}.\nFind out why before you bring it back: it may have been moved or given up.\nIf it is meant to be there again, go on; each change is told once.',
    apart:
      '{file} was changed {when} in another work tree of this repository by another session ({who}): {what}.\nLook at {there} before you go on: where both change the same lines, the branches conflict when they are merged.\nIf the two changes have nothing to do with each other, go on; each change is told once.',
    away: '{file} was changed {when} on {machine} by another session of the team ({who}): {what}.\nFetch and look at what it did before you go on: where both change the same lines, the branches conflict when they are merged.\nIf the two changes have nothing to do with each other, go on; each change is told once.',
  },
  expect: [
    { tool: 'read', within: 3 },
    {
      tool: 'shell',
      words: ['cat ', 'sed -n', 'head ', 'tail ', 'git diff', 'git show', 'git log', 'diff '],
      within: 3,
    },
  ],
  examples: {
    pass: [
      { tool: 'edit', path: 'src/app.ts', old: 'a', new: 'b' },
      { tool: 'shell', command: 'sed -i s/a/b/ src/app.ts' },
    ],
  },
  check(event, { effects, workspace, machine, state, files, now, note, pass }) {
    const view = { session: event.session, tree: workspace.root, machine };
    const isEdit = event.tool?.kind === 'edit' || event.tool?.kind === 'write';
    const targets = isEdit ? editedBy(event, workspace) : changedBy(effects, workspace);
    const found = targets
      .flatMap((target) => overlapsOf(state, target, view))
      .filter((overlap) => {
        const { change, name } = overlap;
        if (state.live.get(change.by) === undefined) return false;
        // What git ignores is never merged.
        return isHere(change, view) ? isSo(overlap, files) : !workspace.isIgnored(`${view.tree}/${name}`);
      });
    if (found.length === 0) return pass('nobody else has changed it unseen');
    for (const { change, name } of found) state.seen.say(now, pathOf(change, name));
    const of = (change: Change) => {
      if (isHere(change, view)) return change.how === 'deleted' ? 'gone' : 'here';
      return change.machine === machine ? 'beside' : 'away';
    };
    const [stale, gone, apart, away] = (['here', 'gone', 'beside', 'away'] as const).map((where) =>
      newest(found, (change) => of(change) === where),
    );
    return [
      ...(stale ? [note('stale', told(stale, now, view.session))] : []),
      ...(gone ? [note('gone', told(gone, now, view.session))] : []),
      ...(apart
        ? [note('apart', { ...told(apart, now, view.session), there: asPath(`${apart.change.tree}/${apart.name}`) })]
        : []),
      ...(away
        ? [
            note('away', {
              ...told(away, now, view.session),
              machine: away.change.machine ?? 'a machine without a name',
            }),
          ]
        : []),
    ];
  },
});

/** Whether the disk bears it out: what is gone was not changed, and of many files only those that were written meanwhile. */
function isSo({ change, name, isWide }: Overlap, files: RuleFiles): boolean {
  const there = files.stat(`${change.tree}/${name}`);
  if (name === '' || (there === undefined) !== (change.how === 'deleted')) return false;
  if (!isWide || !there) return !isWide;
  return change.since !== undefined && there.mtimeMs >= change.since && there.mtimeMs <= change.at;
}

interface Newest extends Overlap {
  /** How many files there are beside it. */
  readonly more: number;
}

function newest(found: readonly Overlap[], isMeant: (change: Change) => boolean): Newest | undefined {
  const meant = found.filter(({ change }) => isMeant(change)).sort((a, b) => b.change.at - a.change.at);
  const [first] = meant;
  return first && { ...first, more: new Set(meant.map(({ name }) => name)).size - 1 };
}

function told({ change, name, more }: Newest, now: number, session: string) {
  const { agent, by, at } = change;
  const file = more === 0 ? own`${asPath(name)}` : own`${asPath(name)}, with ${own(counted(more, 'other file'))},`;
  return {
    file,
    when: own(ago(now - at)),
    who: own`${own(agent)} ${shortId(by, session)}`,
    what: whatOf(change),
  };
}

const SHORT_ID = 8;

/** Enough to find the session in `fairlead log`, and to tell it from the one that reads this. */
function shortId(id: string, mine: string): string {
  let length = SHORT_ID;
  while (length < id.length && mine.startsWith(id.slice(0, length))) length += 1;
  return id.slice(0, length);
}

function whatOf({ how, what }: Change): OwnWords {
  if (what === undefined) return own(how === 'written' ? 'written anew' : how);
  return how === 'edited' ? own`edited near ${what}` : own`by \`${what}\``;
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute ago';
  return minutes < 120 ? `${counted(minutes, 'minute')} ago` : `${counted(Math.floor(minutes / 60), 'hour')} ago`;
}
