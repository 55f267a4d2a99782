import { defineRule } from '../../engine/rule.ts';
import type { Effect, Verdict } from '../../engine/rule.ts';

const CASCADE = ['sudo', 'git-push', 'cp-to-bin', 'install-to-bin'] as const;
type Variant = (typeof CASCADE)[number];

export default defineRule({
  id: 'context/block-dangerous-commands',
  pack: 'context',
  summary: 'Privileges, pushes and installs into binary directories are left to the person.',
  on: [{ event: 'tool.before', tool: ['shell'], effect: ['escalate', 'push', 'force-push', 'delete-branch', 'write'] }],
  mode: 'enforce',
  guard: true,
  priority: 80,
  options: {
    /** Variants that are asked about instead. */
    ask: [] as readonly string[],
    bin_dirs: ['/bin', '/usr/bin', '/usr/local/bin', '~/go/bin', '~/.local/bin'] as readonly string[],
    /** `mid`: a command that stands first is left to others. */
    position: 'any',
  },
  messages: {
    sudo: '`{seen}` runs with the rights of another user, which this project leaves to the person. Find a way without them, or ask the person to run it; they can also allow it once: `fairlead allow-once`.',
    'git-push':
      '`{seen}` publishes commits, which this project leaves to the person. Commit, say what is ready, and ask; they can push, or allow it once: `fairlead allow-once`.',
    'cp-to-bin':
      '`{seen}` puts a program into {target}, where it counts for everything on this machine. Install it inside the project, or ask the person; they can also allow it once: `fairlead allow-once`.',
    'install-to-bin':
      '`{seen}` installs into {target}, where it counts for everything on this machine. Install it inside the project, or ask the person; they can also allow it once: `fairlead allow-once`.',
  },
  examples: {
    deny: ['ls; sudo ls', 'git push', 'cp -r a b /usr/bin', 'install -m 755 a ~/.local/bin/'],
    pass: ['git commit -m "then git push"', 'grep sudo file.txt', 'cp a ./bin/', 'git push --dry-run'],
  },
  check(_event, context) {
    const { bin_dirs, position, ask } = context.options;
    const dirs = bin_dirs.map((dir) => (dir.startsWith('~/') ? context.workspace.home + dir.slice(1) : dir));
    const effects = context.effects.filter((effect) => position !== 'mid' || effect.position !== 'lead');
    for (const variant of CASCADE) {
      const effect = effects.find((each) => variantOf(each, dirs) === variant);
      if (effect) return answer(variant, effect, ask.includes(variant) ? context.ask : context.deny);
    }
    return context.pass('nothing that is left to the person');
  },
});

function variantOf({ kind, how, path }: Effect, dirs: readonly string[]): Variant | undefined {
  if (kind === 'escalate') return 'sudo';
  if (kind === 'push' || kind === 'force-push' || (kind === 'delete-branch' && how === 'remote')) return 'git-push';
  if ((kind !== 'overwrite' && kind !== 'write') || path === undefined) return undefined;
  if (!dirs.some((dir) => path === dir || path.startsWith(`${dir}/`))) return undefined;
  if (how === 'copy' || how === 'move') return 'cp-to-bin';
  return how === 'install' || how === 'redirect' || how === 'append' || how === 'tee' ? 'install-to-bin' : undefined;
}

type Say = (variant: Variant, values: { readonly seen: string; readonly target: string }) => Verdict;

function answer(variant: Variant, { seen, target }: Effect, say: Say): Verdict {
  const line = seen.replaceAll('`', "'").replaceAll(/\s+/g, ' ');
  return say(variant, { seen: line.length > 80 ? `${line.slice(0, 79)}…` : line, target });
}
