export interface Wrapper {
  /** Options that take a value of their own. */
  readonly values?: readonly string[];
  /** Operands before the program, such as the time of `timeout`. */
  readonly operands?: number;
  /** `A=1` may stand before the program. */
  readonly assigns?: boolean;
  /** With one of these it runs no program, or only tells about it. */
  readonly idle?: readonly string[];
  /** With one of these and no program it runs a shell. */
  readonly shell?: readonly string[];
  /** The word that must come first, such as `run` of `uv run`. */
  readonly verb?: readonly string[];
  /** Sets the directory. */
  readonly dir?: readonly string[];
  /** The program comes after `--`. */
  readonly toDashes?: boolean;
  /** The program may carry a version: `prisma@latest`. */
  readonly versioned?: boolean;
}

const NO_OPTIONS: Wrapper = {};

const PACKAGE: Wrapper = {
  values: ['-p', '--package', '--prefix', '-w', '--workspace', '-C', '--dir', '--filter'],
  versioned: true,
};
const CONDA: Wrapper = { verb: ['run'], values: ['-n', '-p', '--name', '--prefix', '--cwd'] };

/** Programs that run the program in their arguments. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>(
  Object.entries({
    sudo: {
      values: [
        '-u',
        '-g',
        '-p',
        '-C',
        '-D',
        '-h',
        '-R',
        '-r',
        '-t',
        '-T',
        '-U',
        '--user',
        '--group',
        '--prompt',
        '--chdir',
        '--host',
        '--chroot',
        '--role',
        '--type',
        '--other-user',
        '--close-from',
        '--command-timeout',
      ],
      assigns: true,
      idle: ['-l', '-v', '-K', '-V', '--list', '--validate', '--version', '--help'],
      shell: ['-i', '-s', '--login', '--shell'],
      dir: ['-D', '--chdir'],
    },
    doas: { values: ['-u', '-C', '-a'], idle: ['-L'], shell: ['-s'] },
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
    setpriv: {
      values: [
        '--reuid',
        '--regid',
        '--groups',
        '--inh-caps',
        '--ambient-caps',
        '--bounding-set',
        '--securebits',
        '--pdeathsig',
      ],
    },
    unshare: { values: ['-S', '-G', '-R', '-w', '--root', '--wd', '--setuid', '--setgid', '--propagation'] },
    nsenter: { values: ['-t', '-S', '-G', '--target', '--setuid', '--setgid'] },
    'systemd-run': {
      values: [
        '-u',
        '-p',
        '-H',
        '-M',
        '-E',
        '--unit',
        '--property',
        '--slice',
        '--uid',
        '--gid',
        '--setenv',
        '--description',
        '--on-active',
        '--on-calendar',
        '--on-boot',
        '--working-directory',
      ],
      dir: ['--working-directory'],
    },
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
    shx: NO_OPTIONS,
    wsl: {
      values: ['-d', '--distribution', '-u', '--user', '--cd'],
      idle: ['-l', '--list', '--install', '--shutdown'],
    },
    xcrun: { values: ['--sdk', '--toolchain'], idle: ['-f', '--find', '--show-sdk-path'] },
    npx: { ...PACKAGE, idle: ['-c', '--call'] },
    bunx: PACKAGE,
    pnpx: PACKAGE,
    uvx: { values: ['--from', '--with', '--python', '-p'], versioned: true },
    pipx: { verb: ['run'], values: ['--spec', '--python'], versioned: true },
    npm: { ...PACKAGE, verb: ['exec', 'x'], idle: ['-c', '--call'] },
    pnpm: { ...PACKAGE, verb: ['exec', 'dlx'], idle: ['-c', '--shell-mode'] },
    yarn: { ...PACKAGE, verb: ['exec', 'dlx'] },
    bundle: { verb: ['exec'] },
    uv: {
      verb: ['run'],
      values: [
        '--with',
        '--python',
        '-p',
        '--project',
        '--directory',
        '--env-file',
        '--extra',
        '--group',
        '-m',
        '--module',
      ],
      idle: ['-m', '--module'],
      dir: ['--directory'],
    },
    poetry: { verb: ['run'] },
    pipenv: { verb: ['run'] },
    pdm: { verb: ['run'] },
    rye: { verb: ['run'] },
    hatch: { verb: ['run'] },
    conda: CONDA,
    mamba: CONDA,
    micromamba: CONDA,
    mise: { verb: ['exec', 'x'], toDashes: true },
    asdf: { verb: ['exec'] },
    op: { verb: ['run'], toDashes: true },
    doppler: { verb: ['run'], toDashes: true },
    dotenvx: { verb: ['run'], toDashes: true },
    infisical: { verb: ['run'], toDashes: true },
    'aws-vault': { verb: ['exec'], toDashes: true },
    chamber: { verb: ['exec'], toDashes: true },
    dotenv: { values: ['-e', '-v', '-p', '-c'] },
    'cross-env': { assigns: true },
    'env-cmd': { values: ['-f', '-e', '-r'] },
  }),
);
