import { resolve } from 'node:path';
import { defineRule } from '../../engine/rule.ts';
import type { Event, RuleContext } from '../../engine/rule.ts';
import { beat, MEMORY, SESSIONS } from './memory.ts';
import { isHere, overlapsOf, pathOf } from './overlaps.ts';
import type { ShellCommand } from '../../shell/command.ts';
import { readShell } from '../../shell/read.ts';

type Workspace = Pick<RuleContext['workspace'], 'nameOf' | 'home' | 'root'>;

/** Programs that show what is in the files that they are given. */
const SHOWS: ReadonlySet<string> = new Set(
  'cat bat batcat tac nl head tail less more view sed awk gawk grep egrep fgrep rg ag ack diff cut sort jq yq strings od xxd'.split(
    ' ',
  ),
);
const GIT_SHOWS: ReadonlySet<string> = new Set(['diff', 'show', 'blame', 'grep']);
/** With one of these a program tells of the files, and nothing that is in them. */
const TELLS_ABOUT =
  /^(?:--(?:stat|shortstat|numstat|name-only|name-status|summary|quiet|silent|count|files-with-matches|files-without-match)\b|-[a-zA-Z]*[qlLc])/;
const GREPS: ReadonlySet<string> = new Set('git grep egrep fgrep rg ag ack'.split(' '));

/** The files that a session has seen the text of, from the root. */
function readBy(event: Event, workspace: Workspace): readonly string[] {
  const { tool, prompt, cwd } = event;
  const paths =
    tool?.command === undefined
      ? [...(tool?.paths ?? []), ...mentionedIn(prompt?.text ?? '', cwd)]
      : readShell(tool.command, { cwd: tool.dir ?? cwd, home: workspace.home, root: workspace.root }).commands.flatMap(
          shownBy,
        );
  const names = paths.map((path) => workspace.nameOf(path)).filter((name) => name !== undefined && name !== '');
  return [...new Set(names)] as string[];
}

function shownBy({ program, words, input, dir }: ShellCommand): readonly string[] {
  const isShown = program === 'git' ? showsOf(words) : SHOWS.has(program);
  if (!isShown || dir === undefined) return [];
  if (GREPS.has(program) && words.some(({ value }) => TELLS_ABOUT.test(value))) return [];
  const given = input?.kind === 'file' ? [...words.slice(1), input.target] : words.slice(1);
  return given
    .filter(({ known, glob, value }) => known && !glob && /^[^-]/.test(value))
    .map(({ value }) => resolve(dir, value));
}

function showsOf(words: ShellCommand['words']): boolean {
  const verb = words.slice(1).find(({ value }) => !value.startsWith('-'))?.value ?? '';
  return GIT_SHOWS.has(verb) || (verb === 'log' && words.some(({ value }) => /^(?:-p|-u|--patch)$/.test(value)));
}

/** A person attaches files to a prompt by their names. */
function mentionedIn(text: string, cwd: string): readonly string[] {
  return [...text.matchAll(/(?:^|\s)@([^\s@]{1,400})/g)]
    .slice(0, MOST_MENTIONS)
    .map(([, path = '']) => resolve(cwd, path));
}

const MOST_MENTIONS = 20;

export default defineRule({
  id: 'peers/reads',
  pack: 'peers',
  summary: 'Keeps in mind which changes of others a session has read.',
  on: [
    { event: 'tool.after', tool: ['read', 'shell', 'mcp', 'other'] },
    { event: 'prompt.submit', words: ['@'] },
  ],
  needs: { session: true, others: SESSIONS },
  mode: 'advise',
  whilePaused: true,
  priority: 10,
  state: MEMORY,
  messages: {},
  examples: { pass: [{ event: 'tool.after', tool: 'read', path: 'src/app.ts' }] },
  check(event, { workspace, machine, state, now, pass }) {
    const { session } = event;
    const view = { session, tree: workspace.root, machine };
    beat(state, session, now);
    for (const name of readBy(event, workspace))
      for (const { change } of overlapsOf(state, { name }, view))
        if (isHere(change, view)) state.seen.set(now, pathOf(change, name));
    return pass('kept in mind');
  },
});
