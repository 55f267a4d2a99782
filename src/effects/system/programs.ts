import { listed, NONE } from '../words/arguments.ts';
import type { ProgramTable, ReadEffects } from '../scene.ts';
import { AREAS } from './areas.ts';
import type { Area } from './areas.ts';
import { systemEffect } from './effect.ts';
import { readEssential } from './essential-packages.ts';
import { LATER_PROGRAMS } from './later.ts';
import type { ShellCommand } from '../../shell/command.ts';
import { ENGINE_GLOBAL, ENGINE_RUN } from '../../shell/containers.ts';
import { readOptions } from '../../shell/options.ts';

const STARTS = /^(?:run|create|exec)$/;
/** What of the host gives the machine to whoever has it: its root, its settings, its disks. */
const HOST_SOURCE = /^\/(?:$|\*|(?:etc|root|boot|proc|sys|dev)(?:\/|$))/;
const CAPABILITIES = /^(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_MODULE|SYS_PTRACE|SYS_RAWIO|DAC_READ_SEARCH)$/i;
const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|dm-|mapper\/|disk|mem|kmem)/;
const HARMLESS_DEVICE =
  /^\/(?:dev\/(?:shm|null|zero|u?random|fuse|kvm|dri|snd|video|tty)|etc\/(?:localtime|timezone|hosts|resolv\.conf|ssl|pki|ca-certificates))/;

/** A container that has the host's root, disks or processes is no border. */
const readContainerRights: ReadEffects = (command, scene) => {
  const started = startOf(command);
  if (!started) return NONE;
  const options = readOptions(started, { values: ENGINE_RUN.values, stopAtOperand: true });
  const said = (...names: readonly string[]) => options.values(...names).map(({ value }) => value);
  const sources = [
    ...said('-v', '--volume').map((value) => value.split(':', 1)[0] ?? ''),
    ...said('--mount').map((value) => /(?:^|,)(?:source|src)=([^,]*)/.exec(value)?.[1] ?? ''),
  ];
  const isOpen =
    options.has('--privileged') ||
    said('--pid', '--userns').includes('host') ||
    said('--cap-add').some((value) => CAPABILITIES.test(value)) ||
    said('--device').some((value) => DISK.test(value)) ||
    sources.some((path) => HOST_SOURCE.test(path) && !HARMLESS_DEVICE.test(path));
  return isOpen ? [systemEffect('privilege', 'this machine from within a container', command, scene)] : NONE;
};

/** What stands behind `run`, `container run` and the like. */
function startOf({ words }: ShellCommand): ShellCommand['words'] | undefined {
  const { operands } = readOptions(words.slice(1), ENGINE_GLOBAL);
  const behind = operands[0]?.value === 'container' ? operands.slice(1) : operands;
  return STARTS.test(behind[0]?.value ?? '') ? behind.slice(1) : undefined;
}

/** Whoever asks for help or the version is told, whatever else stands there. */
const ASKS = /^(?:--help|--version|-\?|\/\?)$/;

function readArea(area: Area, words: string, byDefault: 'looks' | 'changes'): ReadEffects {
  const fits = matcherOf(listed(words));
  return (command, scene) => {
    const given = command.words.slice(1).map(({ value }) => value);
    if (given.some((word) => ASKS.test(word))) return NONE;
    const changes = byDefault === 'changes' ? !fits(given) : fits(given);
    return changes ? [systemEffect(area.how, area.target, command, scene)] : NONE;
  };
}

function matcherOf(known: readonly string[]): (given: readonly string[]) => boolean {
  const starts = known.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1));
  const letters = known.filter((word) => /^-[A-Za-z]$/.test(word)).map((word) => word.slice(1));
  const isOption = (word: string) =>
    known.includes(word) ||
    known.includes(word.split('=', 1)[0] ?? '') ||
    starts.some((start) => word.startsWith(start)) ||
    (/^-[A-Za-z]{2,}$/.test(word) && letters.some((letter) => word.includes(letter, 1)));
  return (given) => {
    if (given.length === 0) return known.includes('.');
    if (given.some((word) => /^[-/]/.test(word) && isOption(word))) return true;
    if (known.includes('=') && given.some((word) => /^[\w.-]+=/.test(word))) return true;
    const operand = given.find((word) => !/^[-/]/.test(word));
    return operand !== undefined && (known.includes(operand) || starts.some((start) => operand.startsWith(start)));
  };
}

function tableOf(area: Area): readonly (readonly [string, ReadEffects])[] {
  const rows = (programs: Readonly<Record<string, string>> = {}, byDefault: 'looks' | 'changes') =>
    Object.entries(programs).flatMap(([names, words]) => {
      const read = readArea(area, words, byDefault);
      return listed(names).map((name) => [name, read] as const);
    });
  return [...rows(area.looks, 'changes'), ...rows(area.changes, 'looks')];
}

function readAll(readers: readonly ReadEffects[]): ReadEffects {
  return (command, scene) => readers.flatMap((read) => read(command, scene));
}

/** `service NAME stop`: the verb stands behind the name. */
const readServiceLast: ReadEffects = (command, scene) => {
  const verb = command.words[2]?.value ?? '';
  const area = AREAS.find(({ how }) => how === 'service');
  return area && /^(?:stop|force-stop|disable)$/.test(verb)
    ? [systemEffect(area.how, area.target, command, scene)]
    : NONE;
};

const ROWS: readonly (readonly [string, ReadEffects])[] = [
  ...AREAS.flatMap(tableOf),
  ...listed('service rc-service invoke-rc.d').map((name) => [name, readServiceLast] as const),
  ...listed('docker podman nerdctl').map((name) => [name, readContainerRights] as const),
  ...listed('apt apt-get aptitude dpkg rpm dnf yum zypper pacman apk').map((name) => [name, readEssential] as const),
  ...Object.entries(LATER_PROGRAMS),
];

/** A program may stand in several areas. */
export const SYSTEM_PROGRAMS: ProgramTable = Object.fromEntries(
  ROWS.map(([name]) => [name, readAll(ROWS.filter((row) => row[0] === name).map(([, read]) => read))]),
);
