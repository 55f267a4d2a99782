import { asPath, defineRule, joined, marker, own } from '../../engine/rule.ts';
import type { MessageValue } from '../../engine/rule.ts';
import { quote } from '../../shell/quote.ts';

const MAX_CHARS = 200;
const LIKELY = 3;

export default defineRule({
  id: 'autocontext/directory-read',
  pack: 'autocontext',
  summary: 'A directory was read as if it were a file: says how to list it, and which of its files are likely meant.',
  on: [
    { event: 'tool.failed', tool: ['read'], words: ['EISDIR', 'directory'] },
    { event: 'tool.after', tool: ['read'], words: ['EISDIR', 'directory'] },
  ],
  mode: 'advise',
  priority: 30,
  state: { told: marker('autocontext.directories') },
  messages: { directory: '{place} is a directory; `ls {listed}` lists it.{more}' },
  examples: {
    pass: [
      { event: 'tool.failed', tool: 'read', path: 'src/none.ts', error: 'ENOENT: no such file or directory' },
      { event: 'tool.failed', tool: 'read', path: 'src/none.ts', error: 'too large' },
    ],
  },
  check(event, { workspace, files, state, note, pass }) {
    const { tool } = event;
    const [path] = tool?.paths ?? [];
    if (path === undefined || (event.name === 'tool.after' && tool?.failed !== true)) return pass('nothing failed');
    // Errors of other kinds speak of directories as well.
    if (files.stat(path)?.kind !== 'dir') return pass('the target is no directory');
    const { graph } = workspace;
    const isRoot = path === workspace.root;
    const relative = (below: string) => workspace.relative(below);
    const place = isRoot ? own('the project') : asPath(relative(path));
    const listed = asPath(quote(event.cwd !== workspace.root ? path : isRoot ? '.' : relative(path)));
    const likely = graph?.filesBelow(path, LIKELY).map(relative) ?? [];
    const fitting = wordings(place, listed, graph ? likely : undefined)
      .map((words) => note('directory', words))
      .find(({ text = '' }) => text.length <= MAX_CHARS);
    if (!fitting) return pass('does not fit');
    return state.told.first(path) ? fitting : pass('told before');
  },
});

interface Words {
  readonly place: MessageValue;
  readonly listed: MessageValue;
  readonly more: MessageValue;
}

/** Longest first. */
function wordings(place: MessageValue, listed: MessageValue, likely: readonly string[] | undefined): Words[] {
  const more = likely?.map(
    (_, left) => own` Likely: ${joined(likely.slice(0, likely.length - left).map(asPath), ', ')}`,
  ) ?? [PENDING];
  return [...more, own('')].flatMap((rest) => [
    { place, listed, more: rest },
    { place: own('this'), listed, more: rest },
  ]);
}

const PENDING = own(' Nothing is indexed here yet: that starts with the first source file.');
