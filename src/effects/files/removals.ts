import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import { NONE, asksOnly, baseName, listed } from '../words/arguments.ts';
import { aboutPath, onPath } from '../paths/path-effect.ts';
import { isRemote } from '../paths/resolve-path.ts';
import { isDatabaseFile } from '../paths/scratch-names.ts';
import { HERE, endOfExec, isExec, namesFiles, placesFound, readSearch } from '../paths/searches.ts';
import type { ResolvedPath, ProgramTable, Scene } from '../scene.ts';

const RM: OptionSpec = {
  flags: listed(
    '--recursive --force --dir --verbose --interactive --no-preserve-root --preserve-root --one-file-system --help --version',
  ),
};

function readRm(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), RM);
  if (asksOnly(options)) return NONE;
  const tree = options.has('-r', '-R', '--recursive');
  const how = options.has('-f', '--force') ? 'forced' : 'remove';
  return removeEach(options.operands, how, tree, command, scene);
}

function removeEach(
  words: readonly ShellWord[],
  how: string,
  tree: boolean,
  command: ShellCommand,
  scene: Scene,
): readonly Effect[] {
  const effects: Effect[] = [];
  const built = builtIn(words);
  for (const word of words) {
    if (word.value === '') continue;
    const found = scene.place(word, command);
    const isBuilt = found.scope === 'inside' && built.has(word.value.replace(/\/$/, ''));
    const placed = isBuilt ? { ...found, scope: 'made' as const } : found;
    effects.push(scene.effect(command, aboutPath('delete', placed, how, tree)));
    if (isDatabaseFile(placed.name) && placed.scope !== 'temp' && placed.scope !== 'made')
      effects.push(scene.effect(command, aboutPath('destroy-data', placed, 'file')));
  }
  return effects;
}

/** `bin` may hold scripts; next to `obj` it holds what a .NET build made. */
function builtIn(words: readonly ShellWord[]): ReadonlySet<string> {
  const bins = new Set<string>();
  for (const { value } of words) if (/(?:^|\/)obj\/?$/.test(value)) bins.add(value.replace(/obj\/?$/, 'bin'));
  return bins;
}

const SHRED: OptionSpec = {
  values: ['-n', '--iterations', '-s', '--size', '--random-source'],
  flags: ['--remove', '--force', '--exact', '--zero', '--verbose', '--help', '--version'],
};

/** What was in the file is lost, whether or not its name stays. */
function readShred(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), SHRED);
  if (asksOnly(options)) return NONE;
  return options.operands.map((word) => {
    const placed = scene.place(word, command);
    if (placed.scope === 'device') return scene.effect(command, aboutPath('destroy-disk', placed, 'shred'));
    return scene.effect(command, aboutPath('delete', placed, 'shred', options.has('-r', '-R')));
  });
}

function readUnlink(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1));
  return asksOnly(options) ? NONE : removeEach(options.operands, 'remove', false, command, scene);
}

/** Packages for scripts that remove whole trees without asking. */
function readRimraf(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), { values: ['--preserve-root', '--max-retries', '--backoff'] });
  if (asksOnly(options) || options.has('--dry-run', '-d')) return NONE;
  return removeEach(options.operands, 'forced', true, command, scene);
}

const FIND_OUTPUTS: ReadonlySet<string> = new Set(['-fprint', '-fprint0', '-fls', '-fprintf']);

function readFind(command: ShellCommand, scene: Scene): readonly Effect[] {
  const { words } = command;
  const effects: Effect[] = [];
  let deletes = false;
  for (let at = 1; at < words.length; at += 1) {
    const value = words[at]?.value as string;
    if (isExec(value)) at = endOfExec(words, at);
    else if (namesFiles(value)) at += 1;
    else if (value === '-delete') deletes = true;
    else if (FIND_OUTPUTS.has(value) && words[at + 1]) {
      effects.push(onPath('overwrite', words[at + 1] as ShellWord, 'output', command, scene));
    }
  }
  if (!deletes) return effects;
  const all = readSearch(words);
  if (all.emptyOnly) return effects;
  // Directories that are not empty stay.
  const search = { ...all, narrow: all.narrow || all.shallow };
  for (const start of search.starts) {
    const spares = sparedBy(words, start.value, scene.place(start, command).path ?? '');
    const more = spares.length > 0 ? { spares } : {};
    for (const placed of placesFound(search, start, (word) => scene.place(word, command)))
      effects.push(scene.effect(command, { ...aboutPath('delete', placed, 'find'), ...more }));
  }
  return effects;
}

/** What `find … -not -path './kept/*'` leaves alone, as globs; a star of its own goes on through directories. */
function sparedBy(words: readonly ShellWord[], start: string, from: string): readonly string[] {
  const texts = words.map(({ value }) => value);
  if (texts.some((each) => /^(?:-or?|,)$/.test(each))) return NONE_SPARED;
  return texts.flatMap((pattern, at) => {
    const isSpared = /^(?:!|-not)$/.test(texts[at - 2] ?? '') && namesFiles(texts[at - 1] ?? '');
    const whole = /^-i?name/.test(texts[at - 1] ?? '') ? `*/${pattern}` : pattern;
    const path = whole.startsWith(`${start}/`) ? from + whole.slice(start.length) : whole;
    return isSpared && /^[*/]/.test(path) ? [path.replaceAll(/(^|\/)\*(?=\/|$)/g, '$1**')] : NONE_SPARED;
  });
}

const NONE_SPARED: readonly string[] = [];

/** `rsync --delete` empties what the source does not have. */
const RSYNC: OptionSpec = {
  values: listed(
    '-e --rsh --exclude --include --exclude-from --include-from --files-from -f --filter --rsync-path --backup-dir --suffix ' +
      '--log-file --partial-dir -T --temp-dir --compare-dest --copy-dest --link-dest --bwlimit --timeout --port --password-file ' +
      '--chmod --chown --max-size --min-size -B --block-size -M --remote-option --out-format --info --debug --max-delete ' +
      '--modify-window --usermap --groupmap --sockopts --address --protocol --skip-compress --contimeout',
  ),
  flags: listed(
    '--delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --delete-missing-args ' +
      '--remove-source-files --dry-run --list-only --help --version',
  ),
};

function readRsync(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), RSYNC);
  if (asksOnly(options) || options.has('-n', '--dry-run', '--list-only')) return NONE;
  const target = options.operands.at(-1);
  if (!target || options.operands.length < 2) return NONE;
  const remote = isRemote(target.value);
  const placed: ResolvedPath = remote ? { name: target.value, scope: 'remote' } : scene.place(target, command);
  const deletes = options.has(
    '--delete',
    '--del',
    '--delete-before',
    '--delete-during',
    '--delete-delay',
    '--delete-after',
    '--delete-excluded',
  );
  const effects: Effect[] = [];
  if (deletes) effects.push(scene.effect(command, aboutPath('delete', placed, 'sync', true)));
  if (options.has('--remove-source-files', '--remove-sent-files'))
    for (const source of options.operands.slice(0, -1))
      if (!isRemote(source.value)) effects.push(onPath('delete', source, 'moved-out', command, scene, true));
  if (!remote) {
    const sources = options.operands.slice(0, -1).map(({ value, glob }) => (glob ? '*' : value));
    const names = sources.map((value) => (value.endsWith('/') ? '.' : baseName(value.slice(value.indexOf(':') + 1))));
    const [source, another] = options.operands;
    // What lies in the one source comes to lie in the target, by the same names.
    const from =
      source && another === target && source.value.endsWith('/') ? scene.place(source, command).path : undefined;
    effects.push(
      scene.effect(command, { ...aboutPath('overwrite', placed, 'copy'), names, ...(from !== undefined && { from }) }),
    );
  }
  return effects;
}

/** PowerShell and cmd: `Remove-Item -Recurse -Force x`, `del /s /q x`, `rd /s x`. */
function readRemoveItem(command: ShellCommand, scene: Scene): readonly Effect[] {
  const words = command.words.slice(1);
  const slashed = (word: ShellWord): boolean => /^\/[a-z]$/i.test(word.value);
  const switches = words
    .filter((word) => word.value.startsWith('-') || slashed(word))
    .map((word) => word.value.toLowerCase());
  if (switches.includes('-whatif')) return NONE;
  const tree = switches.some((each) => each === '/s' || each.startsWith('-r'));
  const forced = switches.some((each) => each === '/f' || each === '/q' || each.startsWith('-f'));
  const targets = words.filter((word) => !word.value.startsWith('-') && !slashed(word));
  if (targets.length === 0) targets.push(...listedBefore(command, scene));
  return removeEach(targets, forced ? 'forced' : 'remove', tree, command, scene);
}

/** `Get-ChildItem ~ | Remove-Item`: what the command before the pipe lists. */
function listedBefore({ input }: ShellCommand, { reading }: Scene): readonly ShellWord[] {
  const maker = input?.kind === 'pipe' ? reading.commands[input.from] : undefined;
  if (!maker || !/^(?:get-childitem|gci|get-item|gi|ls|dir)$/.test(maker.program)) return [];
  const operands = maker.words.slice(1).filter((word) => !word.value.startsWith('-'));
  if (maker.words.some((word) => /^-(?:fi|inc|exc)/i.test(word.value))) return [];
  return operands.length > 0 ? operands : [HERE];
}

function readCrontab(command: ShellCommand, scene: Scene): readonly Effect[] {
  if (!readOptions(command.words.slice(1), { values: ['-u'] }).has('-r')) return NONE;
  return [
    scene.effect(command, { kind: 'delete', how: 'crontab', target: 'the crontab', scope: 'user', recursive: true }),
  ];
}

/** An account that goes with its home. */
function readUserdel(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), {
    flags: ['--remove', '--remove-home', '--remove-all-files', '--help'],
  });
  const name = options.operands[0]?.value;
  if (name === undefined || !options.has('-r', '--remove', '--remove-home', '--remove-all-files')) return NONE;
  return [onPath('delete', `/home/${name}`, 'account', command, scene, true)];
}

export const REMOVAL_PROGRAMS: ProgramTable = {
  rm: readRm,
  srm: readRm,
  unlink: readUnlink,
  shred: readShred,
  wipe: readShred,
  rimraf: readRimraf,
  'del-cli': readRimraf,
  find: readFind,
  gfind: readFind,
  rsync: readRsync,
  crontab: readCrontab,
  userdel: readUserdel,
  deluser: readUserdel,
  'remove-item': readRemoveItem,
  ri: readRemoveItem,
  del: readRemoveItem,
  erase: readRemoveItem,
  rd: readRemoveItem,
};
