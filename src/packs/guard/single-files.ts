import { defineRule } from '../../engine/rule.ts';
import type { Effect, RuleFiles } from '../../engine/rule.ts';
import { seenOf } from './wording.ts';

export default defineRule({
  id: 'guard/single-files',
  pack: 'guard',
  summary:
    'What a call deletes or replaces is copied first unless a commit has it. Nobody is told, and a person is asked where no copy can be made.',
  on: [{ event: 'tool.before', effect: ['delete', 'write'] }],
  mode: 'save',
  saves: true,
  guard: true,
  onError: 'block',
  priority: 10,
  messages: {
    replaced: '`{seen}` takes {target} away, and no commit has all of that.\n{instead}',
  },
  examples: {
    pass: ['rm src/old.ts', 'echo done > report.txt', 'ls', 'rm -rf dist'],
  },
  check(_, { effects, files, pass, save }) {
    // Only what copies tells what there is to lose, so that nothing here takes time or can fail.
    const targets = effects.filter(({ how }) => how === 'move');
    const isBrought = (effect: Effect) => targets.some((target) => target !== effect && isRelated(target, effect));
    const taken = effects.filter((effect) => isTaking(effect) && (isBrought(effect) || isThere(effect, files)));
    const [first] = taken;
    if (!first) return pass('nothing that is there is deleted or replaced');
    // What the same call moves to a place and takes from there lies elsewhere yet.
    const moves = effects.filter(({ how }) => how === 'moved-away' || how === 'move');
    return { ...save([...new Set([...taken, ...moves])], 'replaced', seenOf(first, taken)), quiet: true };
  },
});

const PLACES: ReadonlySet<Effect['scope']> = new Set(['inside', 'workspace', 'user', 'outside', 'made', 'temp']);
const TAKING: ReadonlySet<Effect['kind']> = new Set(['delete', 'overwrite', 'truncate']);
/** Ways to write that leave less of a file than there was; others add to it, or say what they replace, as the tools for edits do. */
const REPLACING: ReadonlySet<string | undefined> = new Set(['in-place', 'archive']);

function isTaking({ kind, how, scope, path, at, position }: Effect): boolean {
  // A script works with values that only running it tells, and `> "$LOG"` or `mv "$f" "$g"` mostly makes a new file:
  // asking each time would say nothing.
  if (path === undefined) return scope === 'unknown' && at === undefined && (kind === 'delete' || kind === 'truncate');
  if (!PLACES.has(scope)) return false;
  return TAKING.has(kind) || (kind === 'write' && (REPLACING.has(how) || (how === 'edit' && position !== undefined)));
}

function isRelated({ path: target }: Effect, { path }: Effect): boolean {
  if (target === undefined || path === undefined) return false;
  return `${path}/`.startsWith(`${target}/`) || `${target}/`.startsWith(`${path.replace(PATTERN, '')}/`);
}

const PATTERN = /\/[^/]*[*?[].*$/;
/** What runs before and lays there what is nowhere else. */
const BRINGING: ReadonlySet<string> = new Set(['mv', 'stash pop', 'hg', 'svn', 'jj']);

/** A directory that a build makes is none of ours, a file by a name that outputs have may be. */
function isThere({ scope, path, after = [] }: Effect, files: RuleFiles): boolean {
  if (path === undefined) return true;
  if (scope === 'temp') return false;
  if (scope === 'made') return (files.lstat(path)?.kind ?? 'dir') !== 'dir';
  if (files.lstat(path) !== undefined || after.some((name) => BRINGING.has(name))) return true;
  return PATTERN.test(path) && files.list(path.replace(PATTERN, '') || '/', 1).length > 0;
}
