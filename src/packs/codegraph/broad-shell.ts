import type { ShellCommand } from '../../shell/command.ts';
import { readShell } from '../../shell/read.ts';
import { judgeContent, judgeGit } from './broad-content.ts';
import type { Found, Tests } from './broad-found.ts';
import { MOST_STATS } from './broad-found.ts';
import { judgeFd, judgeFind, judgeLs, judgeTree } from './broad-listing.ts';
import { CONTENT_PROGRAMS, SEARCH_WORDS } from './broad-programs.ts';
import { withUse } from './listing-use.ts';
import type { Look, Search } from './search.ts';

/** Where text is run as commands and still counts: one such level, as people write it. */
const SHELL_CODE = /^(?:ba|da|z|k)?sh -\w*c$/;

/** The first broad search of a command line; undefined when there is none, or when the line cannot be read. */
export function broadInShell(
  command: string,
  look: Look,
  place: { readonly cwd: string; readonly home: string; readonly root: string },
): Search | undefined {
  if (!SEARCH_WORDS.test(command)) return undefined;
  const { commands, unclear } = readShell(command, place);
  if (unclear.some(({ why }) => why !== 'computed')) return undefined;
  const tests = { look, left: MOST_STATS };
  for (const one of commands) {
    if (!isTyped(one.road)) continue;
    const found = judge(one, commands, tests);
    const used = found?.listing === true ? withUse(found, one, commands) : found;
    if (used) return { tool: 'shell', ...used };
  }
  return undefined;
}

/** Not text that happens to be run: a heredoc, code of another language, more than one shell inside another. */
function isTyped(road: readonly string[]): boolean {
  let levels = 0;
  for (const step of road) {
    if (step === 'xargs' || SHELL_CODE.test(step)) levels += 1;
    else if (step !== '$( )' && step !== '<( )') return false;
  }
  return levels <= 1;
}

function judge(command: ShellCommand, all: readonly ShellCommand[], tests: Tests): Found | undefined {
  const { program, dir } = command;
  if (dir === undefined) return undefined;
  const judged = { command, all, dir, tests };
  const content = CONTENT_PROGRAMS.get(program);
  if (content) return judgeContent(content, judged);
  switch (program) {
    case 'git':
      return judgeGit(judged);
    case 'find':
      return judgeFind(judged);
    case 'fd':
    case 'fdfind':
      return judgeFd(judged);
    case 'ls':
      return judgeLs(judged);
    case 'tree':
      return judgeTree(judged);
    default:
      return undefined;
  }
}
