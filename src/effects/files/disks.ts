import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import { isDevice } from '../../shell/files.ts';
import { NONE, asksOnly, listed } from '../words/arguments.ts';
import { aboutPath, onPath } from '../paths/path-effect.ts';
import { isHollow } from '../paths/resolve-path.ts';
import type { ProgramTable, ReadEffects, Scene } from '../scene.ts';

/** A file is overwritten, a device destroyed; volumes go by names of their own. */
function destroy(word: ShellWord, how: string, command: ShellCommand, scene: Scene): Effect {
  const placed = scene.place(word, command);
  return scene.effect(command, aboutPath(placed.scope === 'device' ? 'destroy-disk' : 'overwrite', placed, how));
}

function destroyNamed(
  names: readonly ShellWord[],
  how: string,
  command: ShellCommand,
  scene: Scene,
): readonly Effect[] {
  const targets = names.length > 0 ? names.map((word) => word.text) : [command.program];
  return targets.map((target) => scene.effect(command, { kind: 'destroy-disk', how, target }));
}

const MKFS: OptionSpec = {
  values: listed('-t --type -L -b -i -I -N -m -O -o -T -U -E -d -n -F -s -S -f'),
};

function readMkfs(command: ShellCommand, scene: Scene): readonly Effect[] {
  const [, ...words] = command.words;
  const options = readOptions(words, MKFS);
  if (asksOnly(options) || words.length === 0 || (options.has('-n') && /ext|mke2fs/.test(command.program))) return NONE;
  // The letters differ from one file system to the next, so every word that is a device counts.
  const devices = words.filter((word) => word.value.startsWith('/dev/'));
  const targets = devices.length > 0 ? devices : options.operands.slice(0, 1);
  return targets.map((word) => destroy(word, 'format', command, scene));
}

function readDd(command: ShellCommand, scene: Scene): readonly Effect[] {
  const output = command.words.find((word) => word.value.startsWith('of='));
  if (!output) return NONE;
  const word = { ...output, text: output.text.replace(/^of=/, ''), value: output.value.slice(3) };
  const placed = scene.place(word, command);
  if (placed.scope === 'outside' && isDevice(placed.path)) return NONE;
  const isEmpty = command.words.some(({ value }) => value.startsWith('if=') && isHollow(value.slice(3)));
  if (isEmpty && (placed.whole || placed.many)) return [scene.effect(command, aboutPath('truncate', placed, 'copy'))];
  return [destroy(word, 'copy', command, scene)];
}

/** Programs that only destroy when one of these options is given. */
function readWith(
  how: string,
  names: readonly string[],
  harmless: readonly string[] = [],
  values: readonly string[] = [],
): ReadEffects {
  return (command, scene) => {
    const options = readOptions(command.words.slice(1), {
      values,
      flags: [...names, ...harmless].filter((name) => name.startsWith('--')),
    });
    if (asksOnly(options) || options.has(...harmless) || !options.has(...names)) return NONE;
    return options.operands
      .filter((word) => word.value.startsWith('/dev/'))
      .map((word) => destroy(word, how, command, scene));
  };
}

/** Programs that change their devices unless one of these options is given. */
function readUnless(how: string, harmless: readonly string[], values: readonly string[] = []): ReadEffects {
  return (command, scene) => {
    const options = readOptions(command.words.slice(1), {
      values,
      flags: harmless.filter((name) => name.startsWith('--')),
    });
    if (asksOnly(options) || options.has('-h', '-V', ...harmless)) return NONE;
    const devices = options.operands.filter((word) => word.value.startsWith('/dev/'));
    return devices.map((word) => destroy(word, how, command, scene));
  };
}

/** Programs with verbs, of which these destroy. */
function readVerbs(how: string, verbs: readonly string[]): ReadEffects {
  const known = new Set(verbs);
  return (command, scene) => {
    const words = command.words.slice(1);
    const at = words.findIndex((word) => known.has(word.value.toLowerCase()));
    if (at < 0 || words.some((word) => word.value === '--help' || word.value === '-n' || word.value === '--dry-run'))
      return NONE;
    const targets = words.filter(
      (word, index) => word.value.startsWith('/dev/') || (index > at && !word.value.startsWith('-')),
    );
    const devices = targets.filter((word) => word.value.startsWith('/dev/'));
    return destroyNamed(devices.length > 0 ? devices : targets.slice(-1), how, command, scene);
  };
}

const VOLUME_VALUES = listed(
  '--reportformat -S --select --config --devicesfile --commandprofile --profile -A --autobackup --nohistory -L --size -l ' +
    '--extents',
);

function readVolume(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), {
    values: VOLUME_VALUES,
    flags: ['--test', '--force', '--yes', '--help', '--version'],
  });
  if (asksOnly(options) || options.has('-t', '--test') || options.operands.length === 0) return NONE;
  return destroyNamed(options.operands, 'volume', command, scene);
}

const PARTED_VERBS = ['mklabel', 'mktable', 'mkpart', 'rm', 'resizepart', 'mkpartfs', 'move', 'resize'];
const DISKUTIL_VERBS = listed(
  'erasedisk erasevolume eraseoptical partitiondisk secureerase zerodisk randomdisk reformat splitpartition mergepartitions ' +
    'deletecontainer deletevolume deletevolumegroup deletesnapshot erasecontainer resetfusion deletepartition',
);

function readFormat(command: ShellCommand, scene: Scene): readonly Effect[] {
  const drive = command.words.find((word) => /^[A-Za-z]:\\?$/.test(word.value));
  return drive ? destroyNamed([drive], 'format', command, scene) : NONE;
}

function readAny(how: string): ReadEffects {
  return (command, scene) => {
    const words = command.words.slice(1).filter((word) => !word.value.startsWith('-'));
    return command.words.some((word) => /^-(?:whatif|-help)$/i.test(word.value))
      ? NONE
      : destroyNamed(words, how, command, scene);
  };
}

function readTimeMachine(command: ShellCommand, scene: Scene): readonly Effect[] {
  const [, verb, ...rest] = command.words;
  if (verb === undefined || !/^delete|^disable$/.test(verb.value)) return NONE;
  const target = rest.findLast((word) => !word.value.startsWith('-'));
  return [
    target
      ? onPath('delete', target, 'backup', command, scene, true)
      : scene.effect(command, { kind: 'delete', how: 'backup', target: verb.value }),
  ];
}

const MKFS_NAMES = listed(
  'ext2 ext3 ext4 xfs btrfs vfat fat msdos ntfs exfat f2fs minix bfs cramfs reiserfs jfs erofs nilfs2 udf',
);

const MOUNT: OptionSpec = {
  values: listed('-t --types -o --options -L -U -O --source --target -N'),
  flags: listed('--bind --rbind --move --make-private --all --help --version --read-only'),
};

/** What is mounted hides what was there; a directory that is mounted has two names from then on. */
function readMount(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), MOUNT);
  const target = options.values('--target')[0] ?? options.operands.at(-1);
  const source = options.values('--source')[0] ?? options.operands.at(-2);
  if (asksOnly(options) || !target || !source) return NONE;
  const isDir =
    command.program === 'bindfs' ||
    options.has('--bind', '--rbind', '--move', '-B', '-R', '-M') ||
    options.values('-o', '--options').some(({ value }) => /(?:^|,)r?bind(?:,|$)/.test(value));
  const from = isDir ? scene.place(source, command).path : undefined;
  const about = aboutPath('write', scene.place(target, command), 'mount');
  return [scene.effect(command, from === undefined ? about : { ...about, from })];
}

export const DISK_PROGRAMS: ProgramTable = {
  mount: readMount,
  bindfs: readMount,
  ...Object.fromEntries(MKFS_NAMES.map((name) => [`mkfs.${name}`, readMkfs])),
  mkfs: readMkfs,
  mke2fs: readMkfs,
  mkswap: readMkfs,
  mkdosfs: readMkfs,
  mkntfs: readMkfs,
  newfs: readMkfs,
  newfs_apfs: readMkfs,
  newfs_hfs: readMkfs,
  newfs_msdos: readMkfs,
  dd: readDd,
  dcfldd: readDd,
  wipefs: readWith(
    'wipe',
    ['-a', '--all', '-o', '--offset'],
    ['-n', '--no-act'],
    ['-o', '--offset', '-t', '--types', '-O', '--output'],
  ),
  blkdiscard: readUnless('wipe', [], ['-o', '-l', '-p', '--offset', '--length', '--step']),
  badblocks: readWith('wipe', ['-w'], [], ['-b', '-c', '-o', '-p', '-t', '-i']),
  fdisk: readUnless('partition', ['-l', '--list', '-s', '-x', '--list-details'], ['-b', '-C', '-H', '-S', '-t', '-o']),
  cfdisk: readUnless('partition', ['-r', '--read-only']),
  sfdisk: readUnless(
    'partition',
    listed('-l --list -d --dump -J --json -n --no-act -F --list-free -g -s -V --verify -T --list-types'),
    ['-o', '-X', '-Y', '-N'],
  ),
  gdisk: readUnless('partition', ['-l']),
  sgdisk: readUnless(
    'partition',
    listed('-p --print -i --info -v --verify -b --backup -P --pretend'),
    '-i --info -b --backup'.split(' '),
  ),
  parted: readVerbs('partition', PARTED_VERBS),
  cryptsetup: readVerbs('encrypt', ['luksformat', 'lukserase', 'erase', 'reencrypt', 'lukskillslot', 'luksremovekey']),
  lvremove: readVolume,
  vgremove: readVolume,
  pvremove: readVolume,
  lvreduce: readVolume,
  zpool: readVerbs('volume', ['destroy', 'labelclear']),
  zfs: readVerbs('volume', ['destroy']),
  btrfs: readVerbs('volume', ['delete']),
  mdadm: readVerbs('volume', ['--zero-superblock']),
  hdparm: readVerbs(
    'wipe',
    '--security-erase --security-erase-enhanced --trim-sector-ranges --make-bad-sector'.split(' '),
  ),
  nvme: readVerbs('wipe', ['format', 'sanitize', 'delete-ns']),
  diskutil: readVerbs('erase', DISKUTIL_VERBS),
  hdiutil: readVerbs('erase', ['erase', 'eraseall']),
  tmutil: readTimeMachine,
  format: readFormat,
  diskpart: readAny('partition'),
  'format-volume': readAny('format'),
  'clear-disk': readAny('wipe'),
  'remove-partition': readAny('partition'),
};
