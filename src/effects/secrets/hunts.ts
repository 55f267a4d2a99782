import type { ShellCommand } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import type { ResolvedPath, Scene } from '../scene.ts';
import { listed } from '../words/arguments.ts';

/** What secrets look like, and what stands before them. */
export const SECRET_LOOKS =
  /AKIA|ASIA|private.?key|BEGIN [A-Z( ]*(?:RSA|EC|DSA|OPENSSH)|passw|passphrase|secret|token|api.?key|credential|gh[pousr]_|glpat|xox[abprs]|\bsk[-_]|AIza|eyJ/i;
const VALUES = listed(
  '-e --regexp -f --file -A -B -C -m --include --exclude --exclude-dir -g --glob --iglob -t --type -T -r --replace -j --max-count --context',
);
const ALWAYS_DEEP: ReadonlySet<string> = new Set(['rg', 'ag', 'ack', 'rgrep', 'ugrep']);
const GREPS: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'zgrep']);

/** A search through all that a person or the machine has, for what secrets look like. */
export function huntedIn(command: ShellCommand, scene: Scene): ResolvedPath | undefined {
  const { program, words } = command;
  const isGrep = GREPS.has(program);
  if (!isGrep && !ALWAYS_DEEP.has(program)) return undefined;
  // `-r` goes down for some of them, and is the replacement of others.
  const options = readOptions(words.slice(1), { values: isGrep ? VALUES.filter((name) => name !== '-r') : VALUES });
  if (isGrep && !options.has('-r', '-R', '--recursive', '--dereference-recursive')) return undefined;
  const given = options.values('-e', '--regexp');
  const [first, ...rest] = options.operands;
  const [pattern, places] = given.length > 0 ? [given[0], options.operands] : [first, rest];
  if (!pattern || !SECRET_LOOKS.test(pattern.value)) return undefined;
  return (places.length > 0 ? places : ['.'])
    .map((word) => scene.place(word, command))
    .find((placed) => holdsSecrets(placed, scene.surroundings.home));
}

function holdsSecrets({ scope, path = '' }: ResolvedPath, home: string): boolean {
  if (scope === 'root' || scope === 'home') return true;
  return scope === 'system' ? /^\/[^/]+$/.test(path) : scope === 'user' && path.startsWith(`${home}/.`);
}
