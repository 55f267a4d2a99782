import type { ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import type { Call } from './simple.ts';
import { resolveDir } from './variables.ts';
import { wordsFromText } from './split.ts';

interface Wrapper {
  /** Options that take a value of their own. */
  readonly values?: readonly string[];
  /** Operands before the program, such as the time of `timeout`. */
  readonly operands?: number;
  /** `A=1` may stand before the program. */
  readonly assigns?: boolean;
  /** With one of these it runs no program, or only tells about it. */
  readonly idle?: readonly string[];
  /** The word that must come first, such as `run` of `uv run`. */
  readonly verb?: readonly string[];
  /** Sets the directory. */
  readonly dir?: readonly string[];
}

const NO_OPTIONS: Wrapper = {};

/** Programs that run the program in their arguments. */
const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>(
  Object.entries({
    sudo: {
      values: ['-u', '-g', '-p', '-C', '-D', '-h', '-R', '-r', '-t', '-T', '-U', '--user', '--group', '--prompt', '--chdir', '--host', '--chroot', '--role', '--type', '--other-user', '--close-from', '--command-timeout'],
      assigns: true,
      idle: ['-l', '-v', '-K', '-V', '--list', '--validate', '--version', '--help'],
      dir: ['-D', '--chdir'],
    },
    doas: { values: ['-u', '-C', '-a'], idle: ['-L'] },
    pkexec: { values: ['--user'] },
    run0: { values: ['-u', '--user', '-D', '--chdir'], dir: ['-D', '--chdir'] },
    env: {
      values: ['-u', '-C', '-P', '--unset', '--chdir'],
      assigns: true,
      idle: ['--help', '--version'],
      dir: ['-C', '--chdir'],
    },
    nohup: NO_OPTIONS,
    setsid: NO_OPTIONS,
    time: { values: ['-f', '-o', '--format', '--output'] },
    gtime: { values: ['-f', '-o', '--format', '--output'] },
    timeout: { values: ['-s', '-k', '--signal', '--kill-after'], operands: 1 },
    gtimeout: { values: ['-s', '-k', '--signal', '--kill-after'], operands: 1 },
    nice: { values: ['-n', '--adjustment'] },
    ionice: { values: ['-c', '-n', '--class', '--classdata'], idle: ['-p', '--pid'] },
    chrt: { operands: 1, idle: ['-p', '--pid', '-m'] },
    taskset: { operands: 1, idle: ['-p', '--pid'] },
    command: { idle: ['-v', '-V'] },
    builtin: NO_OPTIONS,
    exec: { values: ['-a'] },
    noglob: NO_OPTIONS,
    nocorrect: NO_OPTIONS,
    stdbuf: { values: ['-i', '-o', '-e', '--input', '--output', '--error'] },
    unbuffer: NO_OPTIONS,
    strace: { values: ['-e', '-o', '-p', '-s', '-u', '-E', '-a', '-O', '-S', '-P', '-I', '-b', '-X'] },
    ltrace: { values: ['-e', '-o', '-p', '-s', '-u', '-a', '-n', '-l', '-x'] },
    busybox: { idle: ['--list', '--list-full', '--help', '--install'] },
    toybox: { idle: ['--help'] },
    chroot: { values: ['--userspec', '--groups'], operands: 1 },
    gosu: { operands: 1 },
    'su-exec': { operands: 1 },
    setpriv: { values: ['--reuid', '--regid', '--groups', '--inh-caps', '--ambient-caps', '--bounding-set', '--securebits', '--pdeathsig'] },
    unshare: { values: ['-S', '-G', '-R', '-w', '--root', '--wd', '--setuid', '--setgid', '--propagation'] },
    nsenter: { values: ['-t', '-S', '-G', '--target', '--setuid', '--setgid'] },
    'systemd-run': { values: ['-u', '-p', '-H', '-M', '-E', '--unit', '--property', '--slice', '--uid', '--gid', '--setenv', '--description', '--on-active', '--on-calendar', '--on-boot', '--working-directory'], dir: ['--working-directory'] },
    'systemd-inhibit': { values: ['--what', '--who', '--why', '--mode'] },
    caffeinate: { values: ['-t', '-w'] },
    arch: { values: ['-arch', '-e', '-d'] },
    setarch: { operands: 1 },
    fakeroot: { values: ['-l', '-s', '-i'] },
    faketime: { operands: 1 },
    firejail: NO_OPTIONS,
    proxychains: { values: ['-f'] },
    proxychains4: { values: ['-f'] },
    torsocks: NO_OPTIONS,
    torify: NO_OPTIONS,
    'dbus-run-session': { values: ['--config-file', '--dbus-daemon'] },
    'xvfb-run': { values: ['-n', '-s', '-e', '-f', '-p', '-w', '--server-num', '--server-args'] },
    valgrind: NO_OPTIONS,
    rlwrap: { values: ['-f', '-H', '-s', '-p'] },
    chronic: NO_OPTIONS,
    numactl: { values: ['-m', '-N', '-C', '-i', '--membind', '--cpunodebind', '--physcpubind', '--interleave'] },
    prlimit: { values: ['-o'], idle: ['-p', '--pid'] },
    cgexec: { values: ['-g'] },
    direnv: { verb: ['exec'], operands: 1 },
    rtk: NO_OPTIONS,
  }),
);

export interface Unwrapped {
  readonly call: Call;
  readonly dir: string | undefined;
}

/** The call inside `name …`; undefined when the program is no wrapper or runs nothing. */
export function unwrap(name: string, call: Call, dir: string | undefined): Unwrapped | undefined {
  const wrapper = WRAPPERS.get(name);
  if (!wrapper) return undefined;
  const { words } = call;
  let assigns = call.assigns;
  let place = dir;
  let at = 1;
  let operands = wrapper.operands ?? 0;
  if (wrapper.verb) {
    if (!wrapper.verb.includes(words[1]?.value ?? '')) return undefined;
    at = 2;
  }
  for (; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const { value } = word;
    if (value === '--') {
      at += 1;
      if (operands === 0) break;
      continue;
    }
    if (value.length > 1 && (value.startsWith('-') || (value.startsWith('+') && name === 'busybox'))) {
      if (wrapper.idle?.some((one) => one === value || (isLetters(value) && one.length === 2 && value.includes(one[1] as string) && !takesLetter(wrapper, value, one[1] as string)))) return undefined;
      if (name === 'env') {
        const split = splitString(value, words[at + 1]);
        if (split) {
          const rest = words.slice(at + (split.taken ? 2 : 1));
          return unwrap(name, { ...call, assigns, words: [words[0] as ShellWord, ...split.words, ...rest] }, place);
        }
      }
      const [option, given] = optionOf(value, wrapper);
      if (!wrapper.values?.includes(option)) continue;
      const set = given ?? words[(at += 1)]?.value ?? '';
      if (wrapper.dir?.includes(option)) place = resolveDir(place, set);
      continue;
    }
    if (wrapper.assigns === true && /^[A-Za-z_]\w*=/.test(value)) {
      const equals = value.indexOf('=');
      const set = { ...word, text: value.slice(equals + 1), value: value.slice(equals + 1) };
      assigns = [...assigns, { name: value.slice(0, equals), value: set }];
      continue;
    }
    if (operands === 0) break;
    operands -= 1;
  }
  const inner = words.slice(at);
  if (inner.length === 0) return undefined;
  return { call: { ...call, words: inner, assigns }, dir: place };
}

function isLetters(value: string): boolean {
  return /^-[A-Za-z]{2,}$/.test(value);
}

/** The letter belongs to the value of an option before it, as in `-uv`. */
function takesLetter(wrapper: Wrapper, value: string, letter: string): boolean {
  const end = value.indexOf(letter);
  return [...value.slice(1, end)].some((one) => wrapper.values?.includes(`-${one}`));
}

function optionOf(value: string, wrapper: Wrapper): readonly [string, string | undefined] {
  if (value.startsWith('--')) {
    const equals = value.indexOf('=');
    return equals < 0 ? [value, undefined] : [value.slice(0, equals), value.slice(equals + 1)];
  }
  if (wrapper.values?.includes(value)) return [value, undefined];
  for (let at = 1; at < value.length; at += 1) {
    const option = `-${value[at] as string}`;
    if (!wrapper.values?.includes(option)) continue;
    return [option, at + 1 < value.length ? value.slice(at + 1) : undefined];
  }
  return [value, undefined];
}

/** `env -S 'a b'` in its spellings. */
function splitString(value: string, next: ShellWord | undefined): { words: readonly ShellWord[]; taken: boolean } | undefined {
  const joined = /^(?:-[a-z]*S|--split-string=)([^]*)$/.exec(value)?.[1];
  if (joined === undefined && value !== '--split-string') return undefined;
  const taken = joined === undefined || joined === '';
  return { words: wordsFromText(taken ? (next?.value ?? UNKNOWN) : joined), taken };
}
