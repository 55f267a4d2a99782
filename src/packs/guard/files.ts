import { defineRule } from '../../engine/rule.ts';
import type { Effect, RuleFiles, RuleWorkspace } from '../../engine/rule.ts';
import { HELD, holdLoss, mended } from './denied.ts';
import type { Holding } from './denied.ts';
import { isSeen, lostWords, unseenWords } from './look.ts';

export default defineRule({
  id: 'guard/files',
  pack: 'guard',
  summary:
    'Whole directories are deleted, and devices and the repository itself written to, only when a person agrees.',
  on: [{ event: 'tool.before', effect: ['delete', 'write'] }],
  mode: 'save',
  saves: true,
  careful: 'enforce',
  guard: true,
  onError: 'block',
  budgetMs: 250,
  priority: 70,
  state: HELD,
  messages: {
    deleted: '`{seen}` deletes {lost}.\n{instead}',
    unseen: '`{seen}` deletes {target}. Fairlead could not look whether anything brings it back: {why}.\n{instead}',
    repository: '`{seen}` deletes {target}, a part of the repository itself.\n{instead}',
    written: '`{seen}` writes to {target}, which is no ordinary file.\n{instead}',
  },
  examples: {
    deny: ['rm -rf src', 'rm -r docs/old', 'find src -type f -delete', 'rm .git/index', 'rm -rf "$DIR"'],
    pass: [
      'rm src/old.ts',
      'rm -rf package-lock.json',
      'rm -rf node_modules',
      'rm -rf /tmp/build-1',
      'echo done > report.txt',
      'echo x 2> /dev/null > out.txt',
    ],
  },
  check(event, context) {
    const made = makesItself(context.effects, context);
    const effects = context.effects.filter((effect) => losesFiles(effect, context.files) && !made(effect));
    if (effects.length === 0) return context.pass('single files, or what a build makes');
    // What the same call moves to a place is not there yet.
    const blind = context.effects.some(({ how }) => BRINGS.has(how))
      ? 'what it moves there is not there yet'
      : undefined;
    return holdLoss('guard/files', event, context, effects, blind).then((held) =>
      held
        ? mended(stop(held), held.effects, context)
        : context.pass('a look found nothing that git does not bring back'),
    );

    function stop({ first, seen, look }: Holding) {
      if (first.kind !== 'delete') return context.deny('written', seen);
      if (first.scope === 'git') return context.deny('repository', seen);
      return isSeen(look)
        ? context.deny('deleted', { ...seen, lost: lostWords(look) })
        : context.deny('unseen', { ...seen, why: unseenWords(look) });
    }
  },
});

function isUsual(scope: Effect['scope']): boolean {
  return scope === 'inside' || scope === 'user' || scope === 'outside';
}

/** Endings that hardly any directory has. */
const FILE_ENDING =
  /[^/]\.(?:json|lock|ya?ml|toml|md|txt|log|[cm]?[jt]sx?|py|rs|go|rb|java|c|h|cpp|css|html|svg|png|jpg|pdf|csv|xml|sh|sql|sqlite3?|db|zip|tgz|gz|tar|patch|diff|bak|orig)$/i;

/** `rm -rf` is often said of a single file. */
function isOneFile(path: string | undefined, files: RuleFiles): boolean {
  if (!isPlain(path)) return false;
  const entry = files.stat(path);
  return entry ? entry.kind === 'file' : FILE_ENDING.test(path);
}

/**
 * A directory that is not there before the command is made by it, and nothing is lost with it; unless the command moves or
 * links something to that place first.
 */
function makesItself(
  effects: readonly Effect[],
  { files, workspace }: { readonly files: RuleFiles; readonly workspace: RuleWorkspace },
): (effect: Effect) => boolean {
  const known = files.stat(workspace.root)?.kind === 'dir' && !effects.some(({ how }) => BRINGS.has(how));
  // What git brings there before, a look has to judge.
  return ({ kind, path, after, many }) =>
    known &&
    kind === 'delete' &&
    many === undefined &&
    after === undefined &&
    isPlain(path) &&
    files.stat(path) === undefined;
}

const BRINGS: ReadonlySet<string | undefined> = new Set(['move', 'moved-away', 'link']);

function isPlain(path: string | undefined): path is string {
  return path !== undefined && !/[*?[]/.test(path);
}

/** The repository's settings are for guard/protected-paths. */
function losesFiles({ kind, how, scope, recursive, many, path, at }: Effect, files: RuleFiles): boolean {
  if (scope === 'made' || scope === 'temp' || scope === 'remote') return false;
  // A script works with values that only running tells; asking each time would say nothing.
  if (at && scope === 'unknown') return false;
  switch (kind) {
    case 'delete':
      if (how === 'shred' && scope === 'user') return true;
      return (
        scope === 'git' || many !== undefined || (recursive === true && !(isUsual(scope) && isOneFile(path, files)))
      );
    case 'overwrite':
    case 'truncate':
    case 'write':
      return scope === 'device' || scope === 'root' || (scope === 'git' && path?.endsWith('/config') !== true);
    default:
      return false;
  }
}
