import { defineRule, marker } from '../../engine/rule.ts';
import { plain } from '../../text/plain.ts';
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
  messages: { directory: '[autocontext/directory-read] {place} is a directory; `ls {listed}` lists it.{more}' },
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
    const relative = (below: string) => plain(workspace.relative(below));
    const place = isRoot ? 'the project' : relative(path);
    const listed = quote(event.cwd !== workspace.root ? plain(path) : isRoot ? '.' : relative(path));
    const likely = graph?.filesBelow(path, LIKELY).map(relative) ?? [];
    const fitting = wordings(place, listed, graph ? likely : undefined)
      .map((words) => note('directory', words))
      .find(({ text = '' }) => text.length <= MAX_CHARS);
    if (!fitting) return pass('does not fit');
    return state.told.first(path) ? fitting : pass('told before');
  },
});

interface Words {
  readonly place: string;
  readonly listed: string;
  readonly more: string;
}

/** Longest first. */
function wordings(place: string, listed: string, likely: readonly string[] | undefined): Words[] {
  const more = likely?.map((_, left) => ` Likely: ${likely.slice(0, likely.length - left).join(', ')}`) ?? [PENDING];
  return [...more, ''].flatMap((rest) => [
    { place, listed, more: rest },
    { place: 'this', listed, more: rest },
  ]);
}

const PENDING = ' Nothing is indexed here yet: that starts with the first source file.';
