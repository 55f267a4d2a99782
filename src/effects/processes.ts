import type { Effect } from '../event/effect.ts';
import type { ShellCommand } from '../shell/command.ts';
import { readOptions } from '../shell/options.ts';
import { NONE, asksOnly, listed } from './words/arguments.ts';
import type { ProgramTable, ReadEffects, Scene } from './scene.ts';

/** Signals that end nothing: a test, a stop and go, a change of window. */
const HARMLESS: ReadonlySet<string> = new Set(
  listed('0 EXIT CONT STOP TSTP CHLD WINCH USR1 USR2 HUP 1 10 12 17 18 19 20 28 INFO URG'),
);
const FORCED: ReadonlySet<string> = new Set(['9', 'KILL', '3', 'QUIT', '6', 'ABRT']);

function effect(how: string, target: string, command: ShellCommand, scene: Scene): Effect {
  return scene.effect(command, { kind: 'kill', how, target });
}

function signalName(value: string): string {
  return value.replace(/^-+/, '').replace(/^SIG/i, '').toUpperCase();
}

/** Asking one process to end, by its number, is no effect. */
function readKill(command: ShellCommand, scene: Scene): readonly Effect[] {
  const words = command.words.slice(1);
  let signal = 'TERM';
  let at = 0;
  const first = words[0]?.value ?? '';
  if (/^-(?:l|L|-list|-table|-help|-version)/.test(first)) return NONE;
  if (first === '-s' || first === '-n' || first === '--signal') {
    signal = signalName(words[1]?.value ?? '');
    at = 2;
  } else if (/^-(?:[A-Za-z]|-signal=)/.test(first)) {
    signal = signalName(first.replace('--signal=', ''));
    at = 1;
  } else if (/^-\d+$/.test(first) && words.length > 1) {
    signal = first.slice(1);
    at = 1;
  }
  if (HARMLESS.has(signal)) return NONE;
  const forced = FORCED.has(signal);
  const effects: Effect[] = [];
  for (const { value, text } of words.slice(at)) {
    if (value === '-1' || value === '1') effects.push(effect('everything', text, command, scene));
    else if (forced && value !== '--' && value !== '') effects.push(effect('force', text, command, scene));
  }
  return effects;
}

const BY_NAME = listed(
  '-u --euid -U --uid -g --pgroup -G --group -P --parent -s --session --signal -t --terminal -o --older-than -y --younger-than ' +
    '--ns -F --pidfile -j',
);

/** `pkill` and `killall`: whatever else has that name ends too. */
function readKillByName(command: ShellCommand, scene: Scene): readonly Effect[] {
  const words = command.words.slice(1);
  const signal = words.find((word) => /^-(?:\d+|(?:SIG)?[A-Z]{3,4}\d?)$/.test(word.value));
  const options = readOptions(
    words.filter((word) => word !== signal),
    { values: BY_NAME },
  );
  const given =
    options.values('--signal').concat(command.program === 'killall' ? options.values('-s') : [])[0] ?? signal;
  if (asksOnly(options) || options.has('-l', '--list', '-V') || (given && HARMLESS.has(signalName(given.value))))
    return NONE;
  const target = options.operands.at(-1) ?? options.values('-u', '-U', '-P', '-t', '-g', '-G', '--euid', '--uid')[0];
  return target ? [effect('by-name', target.text, command, scene)] : NONE;
}

function readFuser(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), { values: ['-n', '--namespace'] });
  if (!options.has('-k', '--kill')) return NONE;
  return options.operands.map((word) => effect('force', word.text, command, scene));
}

const SERVICE_STOPS: ReadonlySet<string> = new Set(listed('stop kill remove delete kill-server kill-session shutdown'));
/** Managers of one's own programs; those of the machine change the system. */
const readService: ReadEffects = (command, scene) => {
  const options = readOptions(command.words.slice(1), {
    values: listed('-H --host -M --machine -t --type -s --signal -c -L'),
  });
  const [verb, target] = options.operands;
  if (asksOnly(options) || !verb) return NONE;
  return SERVICE_STOPS.has(verb.value) ? [effect('service', target?.text ?? verb.value, command, scene)] : NONE;
};

function readTaskkill(command: ShellCommand, scene: Scene): readonly Effect[] {
  const target = command.words.slice(1).find((word) => !/^[/-]/.test(word.value));
  return target ? [effect('by-name', target.text, command, scene)] : NONE;
}

export const PROCESS_PROGRAMS: ProgramTable = {
  kill: readKill,
  pkill: readKillByName,
  killall: readKillByName,
  skill: readKillByName,
  fuser: readFuser,
  supervisorctl: readService,
  pm2: readService,
  tmux: readService,
  taskkill: readTaskkill,
  'stop-process': readTaskkill,
};
