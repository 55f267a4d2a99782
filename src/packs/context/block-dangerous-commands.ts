import { asPath, defineRule } from '../../engine/rule.ts';
import type { Effect, MessageValue, Verdict } from '../../engine/rule.ts';
import { isReadWhole } from '../../shell/command.ts';
import { readShell } from '../../shell/read.ts';
import { oneOf, readGroup, textsIn } from './options.ts';
import { block } from './relay-blocks.ts';

const CASCADE = ['sudo', 'git-push', 'cp-to-bin', 'install-to-bin'] as const;
type Variant = (typeof CASCADE)[number];

/** For those who listen outside. */
const SEEN: Readonly<Record<Variant, string>> = {
  sudo: 'a command with the rights of another user was held',
  'git-push': 'a push was held',
  'cp-to-bin': 'a copy into a directory of programs was held',
  'install-to-bin': 'an install into a directory of programs was held',
};

const DEFAULTS = {
  /** Variants that are asked about instead. */
  ask: [] as readonly string[],
  bin_dirs: ['/bin', '/usr/bin', '/usr/local/bin', '~/go/bin', '~/.local/bin'] as readonly string[],
  /** `mid`: a command that stands first is left to others. */
  position: 'any',
};

export default defineRule({
  id: 'context/block-dangerous-commands',
  pack: 'context',
  summary: 'Privileges, pushes and installs into binary directories are left to the person.',
  on: [{ event: 'tool.before', tool: ['shell'], effect: ['escalate', 'push', 'force-push', 'delete-branch', 'write'] }],
  at: 'cwd',
  optIn: true,
  mode: 'enforce',
  guard: true,
  onError: 'block',
  priority: 80,
  options: { danger: DEFAULTS },
  messages: {
    sudo: '`{seen}` runs with the rights of another user, which this project leaves to the person.\nFind a way without them, or ask the person to run it.',
    'git-push':
      '`{seen}` publishes commits, which this project leaves to the person.\nCommit, say what is ready, and ask.',
    'cp-to-bin':
      '`{seen}` puts a program into {target}, where it counts for everything on this machine.\nInstall it inside the project, or ask the person.',
    'install-to-bin':
      '`{seen}` installs into {target}, where it counts for everything on this machine.\nInstall it inside the project, or ask the person.',
  },
  examples: {
    deny: ['ls; sudo ls', 'git push', 'cp -r a b /usr/bin', 'install -m 755 a ~/.local/bin/'],
    pass: ['git commit -m "then git push"', 'grep sudo file.txt', 'cp a ./bin/', 'git push --dry-run'],
  },
  check({ tool, cwd }, context) {
    const { home, root } = context.workspace;
    const { bin_dirs, position, ask } = readGroup(context.options.danger, DEFAULTS);
    const dirs = textsIn(bin_dirs).map((dir) => dir.replace(/^(?:~|\$HOME)(?=\/)/, home).replace(/(?<=.)\/+$/, ''));
    const isMid = oneOf(position, ['any', 'mid']) === 'mid';
    const effects = context.effects.filter((effect) => !isMid || effect.position !== 'lead');
    for (const variant of CASCADE) {
      const effect = effects.find((each) => variantOf(each, dirs) === variant);
      if (!effect) continue;
      // What cannot be read whole may be something else, which a person tells.
      const reading = readShell(tool?.command ?? '', { cwd, home, root });
      const isOpen = textsIn(ask).includes(variant) || !isReadWhole(reading);
      const said = answer(variant, effect, isOpen ? context.ask : context.deny);
      return block(context, { variant, message: SEEN[variant] }, said);
    }
    return context.pass('nothing that is left to the person');
  },
});

function variantOf({ kind, how, path }: Effect, dirs: readonly string[]): Variant | undefined {
  if (kind === 'escalate') return 'sudo';
  if (kind === 'push' || kind === 'force-push' || (kind === 'delete-branch' && how === 'remote')) return 'git-push';
  if ((kind !== 'overwrite' && kind !== 'write' && kind !== 'truncate') || path === undefined) return undefined;
  if (!dirs.some((dir) => path === dir || path.startsWith(`${dir}/`))) return undefined;
  if (how === 'copy' || how === 'move') return 'cp-to-bin';
  return how === 'install' || how === 'redirect' || how === 'append' || how === 'tee' ? 'install-to-bin' : undefined;
}

type Say = (variant: Variant, values: { readonly seen: string; readonly target: MessageValue }) => Verdict;

function answer(variant: Variant, { seen, target }: Effect, say: Say): Verdict {
  return say(variant, { seen, target: asPath(target) });
}
