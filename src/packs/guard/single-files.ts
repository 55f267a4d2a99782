import { defineRule } from '../../engine/rule.ts';
import type { Effect, RuleFiles } from '../../engine/rule.ts';
import { lookFirst } from './look.ts';

export default defineRule({
  id: 'guard/single-files',
  pack: 'guard',
  summary: 'A file that a call deletes or replaces is copied first if no commit has it; nobody is asked or told.',
  on: [{ event: 'tool.before', effect: ['delete', 'write'] }],
  mode: 'save',
  saves: true,
  guard: true,
  onError: 'pass',
  budgetMs: 250,
  priority: 10,
  messages: {
    kept: '{count} kept before the call: no commit has what it replaces.',
  },
  examples: {
    pass: ['rm src/old.ts', 'echo done > report.txt', 'ls', 'rm -rf dist'],
  },
  check(_, context) {
    const files = context.effects.filter((effect) => replacesFile(effect, context.files));
    if (files.length === 0) return context.pass('no file that is there is deleted or replaced');
    // What is lost with a replaced file is what would be lost without it.
    const gone = files.map((effect): Effect => ({ ...effect, kind: 'delete' }));
    return lookFirst(gone, context).then((looks) => {
      const lost = files.filter((_effect, at) => {
        const look = looks?.[at];
        return look !== undefined && 'lost' in look && look.lost.length > 0;
      });
      if (lost.length === 0) return context.pass('commits have what it replaces, or nobody could look');
      return { ...context.save(lost, 'kept', { count: String(lost.length) }), quiet: true };
    });
  },
});

const REPLACES: ReadonlySet<Effect['kind']> = new Set(['delete', 'overwrite', 'truncate']);
const PLACES: ReadonlySet<Effect['scope']> = new Set(['inside', 'user', 'outside']);

/** One that is named, is there, and no build made. */
function replacesFile({ kind, scope, path }: Effect, files: RuleFiles): boolean {
  if (!REPLACES.has(kind) || !PLACES.has(scope) || path === undefined || /[*?[]/.test(path)) return false;
  return files.stat(path)?.kind === 'file';
}
