import type { Effect, PathScope } from '../../event/effect.ts';
import type { ShellCommand } from '../../shell/command.ts';
import type { Options, OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import { NONE, asksOnly, listed } from '../words/arguments.ts';
import { aboutPath } from '../paths/path-effect.ts';
import { isAboveOwn } from '../agent/own-files.ts';
import type { ProgramTable, ReadEffects, ResolvedPath, Scene } from '../scene.ts';

/** Trees whose rights many programs depend on. */
const WIDE: ReadonlySet<PathScope> = new Set(['root', 'system', 'home', 'git']);
const WIDE_OR_WORKSPACE: ReadonlySet<PathScope> = new Set([...WIDE, 'workspace']);

const CHMOD: OptionSpec = {
  values: ['--reference'],
  flags: listed('--recursive --verbose --changes --silent --quiet --preserve-root --no-preserve-root --help --version'),
};
const CHOWN: OptionSpec = {
  values: ['--reference', '--from'],
  flags: [...(CHMOD.flags ?? []), '--dereference', '--no-dereference'],
};
/** `-rwx` takes rights away; it is a mode, not an option. */
const MINUS_MODE = /^-[rwxXst]+$/;

function readChmod(command: ShellCommand, scene: Scene): readonly Effect[] {
  const words = command.words.slice(1);
  const minus = words.find((word) => MINUS_MODE.test(word.value));
  const options = readOptions(minus ? words.filter((word) => word !== minus) : words, CHMOD);
  if (asksOnly(options)) return NONE;
  const tree = options.has('-R', '--recursive');
  const named = minus === undefined && !options.has('--reference');
  const mode = named ? options.operands[0]?.value : minus?.value;
  const danger = mode === undefined ? undefined : dangerOf(mode);
  const files = options.operands.slice(named ? 1 : 0);
  const stopped = mode !== undefined && takesRun(mode) ? files.map((word) => scene.place(word, command)) : [];
  const isOfOurs = ({ path }: ResolvedPath) => path !== undefined && isAboveOwn(path, scene.surroundings);
  return [
    // Below a directory that nobody may enter, nothing can be started.
    ...stopped
      .filter(isOfOurs)
      .map((placed) => scene.effect(command, aboutPath('permissions', placed, 'stopped', true))),
    ...each(files, tree, danger, command, scene),
    ...stopped
      .filter(({ path }) => HOOKS.test(path ?? ''))
      .map((placed) => scene.effect(command, aboutPath('write', placed, 'mode'))),
  ];
}

/** A hook that cannot be run is switched off. */
const HOOKS = /\/(?:\.git\/hooks|\.husky)(?:\/|$)/;

function takesRun(mode: string): boolean {
  return /^[0-7]+$/.test(mode)
    ? (Number.parseInt(mode, 8) & 0o111) === 0
    : /^[ugoa]*(?:-[rwst]*x|=[rwst]*$)/.test(mode);
}

/** What makes a mode dangerous on any file. */
function dangerOf(mode: string): string | undefined {
  if (/^[0-7]{1,5}$/.test(mode)) {
    const digits = Number.parseInt(mode, 8);
    if ((digits & 0o777) === 0) return 'no-access';
    if ((digits & 0o002) !== 0 && (digits & 0o1000) === 0) return 'world-writable';
    return (digits & 0o4000) !== 0 ? 'set-id' : undefined;
  }
  for (const clause of mode.split(',')) {
    const parts = /^([ugoa]*)([-+=])([rwxXst]*)$/.exec(clause);
    if (!parts) continue;
    const [, who = '', operator, rights = ''] = parts;
    const all = who === '' || who.includes('a') || (who.includes('u') && who.includes('g') && who.includes('o'));
    if (operator === '-' || (operator === '=' && rights === '')) {
      if (all && (rights === '' || rights.includes('r'))) return 'no-access';
    } else if (rights.includes('w') && (who.includes('o') || who.includes('a') || (all && who !== '')))
      return 'world-writable';
    else if (rights.includes('s') && (who === '' || who.includes('u') || who.includes('a'))) return 'set-id';
  }
  return undefined;
}

function each(
  words: Options['operands'],
  tree: boolean,
  danger: string | undefined,
  command: ShellCommand,
  scene: Scene,
): readonly Effect[] {
  const effects: Effect[] = [];
  for (const word of words) {
    const placed = scene.place(word, command);
    const whole = tree || placed.whole === 'list';
    const how = danger ?? (whole && WIDE.has(placed.scope) ? 'recursive' : undefined);
    if (how === undefined) continue;
    // Whoever runs it does so as its owner.
    const kind = how === 'set-id' ? 'system' : 'permissions';
    effects.push(scene.effect(command, aboutPath(kind, placed, how, whole)));
  }
  return effects;
}

/** A change of owner matters for whole trees, and for what the system owns. */
function readOwner(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), CHOWN);
  if (asksOnly(options)) return NONE;
  const tree = options.has('-R', '--recursive');
  const effects: Effect[] = [];
  for (const word of options.operands.slice(options.has('--reference') ? 0 : 1)) {
    const placed = scene.place(word, command);
    const whole = tree || placed.whole === 'list';
    if (WIDE_OR_WORKSPACE.has(placed.scope)) {
      effects.push(scene.effect(command, aboutPath('permissions', placed, 'owner', whole)));
    }
  }
  return effects;
}

const WORLD_ACL = /(?:^|,)(?:d:|default:)?(?:o|other)::?[r-]?w|everyone:(?:\(.*\))?(?:F|M|W|allow)/i;

function readAcl(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), {
    values: listed('-m --modify -x --remove -M -X --set --set-file --restore'),
  });
  if (asksOnly(options) || options.has('--test')) return NONE;
  const open = options.values('-m', '--modify', '--set').some((word) => WORLD_ACL.test(word.value));
  return each(options.operands, options.has('-R', '--recursive'), open ? 'world-writable' : undefined, command, scene);
}

function readAttributes(command: ShellCommand, scene: Scene): readonly Effect[] {
  const words = command.words.slice(1).filter((word) => !/^[-+=][A-Za-z]+$/.test(word.value));
  const files = command.program === 'chflags' ? words.slice(1) : words;
  const tree = command.words.some((word) => /^-[a-zA-Z]*R/.test(word.value));
  return each(files, tree, undefined, command, scene);
}

const readIcacls: ReadEffects = (command, scene) => {
  const [, target, ...rest] = command.words;
  if (!target || !rest.some((word) => WORLD_ACL.test(word.value))) return NONE;
  const tree = rest.some((word) => word.value.toLowerCase() === '/t');
  return each([target], tree, 'world-writable', command, scene);
};

export const PERMISSION_PROGRAMS: ProgramTable = {
  chmod: readChmod,
  chown: readOwner,
  chgrp: readOwner,
  setfacl: readAcl,
  chattr: readAttributes,
  chflags: readAttributes,
  icacls: readIcacls,
};
