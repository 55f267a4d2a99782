export interface Wrapper {
  /** Options that take a value of their own. */
  readonly values?: ReadonlySet<string>;
  /** Other long options, where one of `values` begins like them. */
  readonly flags?: readonly string[];
  /** Operands before the program, such as the time of `timeout`. */
  readonly operands?: number;
  /** `A=1` may stand before the program. */
  readonly assigns?: boolean;
  /** With one of these it runs no program, or only tells about it. */
  readonly idle?: readonly string[];
  /** With one of these and no program it runs a shell. */
  readonly shell?: readonly string[];
  /** Without a program it runs a shell. */
  readonly alone?: boolean;
  /** The word that must come first, such as `run` of `uv run`. */
  readonly verb?: readonly string[];
  /** Sets the directory. */
  readonly dir?: readonly string[];
  /** The program comes after `--`. */
  readonly toDashes?: boolean;
  /** The value of one of these is the program, and what follows `--` its arguments. */
  readonly program?: readonly string[];
  /** The program may carry a version: `prisma@latest`. */
  readonly versioned?: boolean;
}

/** Lists are texts, parted by blanks. */
type Spec = {
  readonly [K in keyof Wrapper]: Wrapper[K] extends boolean | number | undefined ? Wrapper[K] : string;
};

const WRAPPER_TABLE = new Map<string, Wrapper>();

function wrap(names: string, spec: Spec = {}): void {
  const { values, ...rest } = spec;
  const lists = Object.entries(rest).map(([key, value]) => [key, typeof value === 'string' ? value.split(' ') : value]);
  const wrapper = { ...(Object.fromEntries(lists) as Wrapper), ...(values && { values: new Set(values.split(' ')) }) };
  for (const name of names.split(' ')) WRAPPER_TABLE.set(name, wrapper);
}

/** Programs that run the program in their arguments. Those that nobody has listed are asked about: `perhaps.ts` of the effects. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = WRAPPER_TABLE;

// Other rights.
wrap('sudo', {
  values:
    '-u -g -p -C -D -h -R -r -t -T -U -a --user --group --prompt --chdir --host --chroot --role --type --other-user --close-from --command-timeout',
  assigns: true,
  idle: '-l -v -K -V --list --validate --version',
  shell: '-i -s --login --shell',
  dir: '-D --chdir',
});
wrap('doas', { values: '-u -C -a', idle: '-L', shell: '-s' });
wrap('pkexec', { values: '--user', alone: true });
wrap('run0', {
  values: '-u -g -D --user --group --chdir --setenv --property --unit --slice --nice',
  dir: '-D --chdir',
  alone: true,
});
wrap('newgrp', { operands: 1, alone: true });
wrap('gosu su-exec setuidgid s6-setuidgid envuidgid s6-envuidgid', { operands: 1 });
wrap('s6-applyuidgid', { values: '-u -g -G -z' });
wrap('chpst', { values: '-u -U -e -/ -n -l -L -m -d -o -p -f -c -r -t -b' });
wrap('setpriv', {
  values:
    '--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig --selinux-label --apparmor-profile --landlock-access --landlock-rule --ptracer',
  idle: '-d --dump --list-caps',
});
wrap('capsh', { toDashes: true });
wrap('runcon', { values: '-t -u -r -l --type --user --role --range' });
wrap('aa-exec', { values: '-p -n -i --profile --namespace' });
wrap('aa-complain aa-enforce');
wrap('sandbox-exec', { values: '-f -n -p -D' });

// Other surroundings.
wrap('env genv', {
  values: '-u -C -P -a -L -U --unset --chdir --argv0',
  assigns: true,
  dir: '-C --chdir',
});
wrap('cross-env cross-env-shell', { assigns: true });
wrap('env-cmd', { values: '-f -e -r --file --environments --rc-file' });
wrap('dotenv', { values: '-e -v -p -c' });
wrap('envdir s6-envdir', { operands: 1 });
wrap('direnv', { verb: 'exec', operands: 1 });
wrap('summon', { values: '-f -p -D -e --yaml' });
wrap('envconsul', { values: '-prefix -secret -config -log-level -service-prefix' });
wrap('op doppler dotenvx infisical teller', { verb: 'run', toDashes: true });
wrap('aws-vault chamber berglas saml2aws granted', { verb: 'exec', toDashes: true });
wrap('with-contenv');
wrap('chroot', { values: '--userspec --groups', operands: 1, alone: true });
wrap('unshare', {
  values:
    '-S -G -R -w -l --root --wd --setuid --setgid --propagation --map-user --map-users --map-group --map-groups --load-interp --setgroups --kill-child --monotonic --boottime',
  alone: true,
});
wrap('nsenter', { values: '-t -S -G --target --setuid --setgid', alone: true });
wrap('proot', { values: '-r -b -q -w -k -R -S --rootfs --bind --qemu --pwd --cwd --kernel-release', alone: true });
wrap('fakeroot fakeroot-ng fakechroot pseudo', { values: '-l -s -i -b --lib --faked --fd-base', alone: true });
wrap('bwrap', {
  values:
    '--chdir --unsetenv --proc --dev --tmpfs --mqueue --dir --remount-ro --uid --gid --hostname --seccomp --lock-file --sync-fd --block-fd --info-fd --perms --size --exec-label --file-label --cap-add --cap-drop',
});
wrap('firejail nsjail minijail0', { values: '-c -u -g -e -D -T --name' });
wrap('systemd-nspawn', { values: '-D -i -M -u -b --directory --image --machine --user --bind --bind-ro', alone: true });
wrap('systemd-run', {
  values:
    '-u -p -H -M -E --unit --property --slice --uid --gid --setenv --description --on-active --on-boot --on-calendar --on-unit-active --working-directory --nice --service-type --host --machine --timer-property --path-property --socket-property',
  dir: '--working-directory',
  shell: '-S --shell',
});
wrap('systemd-inhibit', { values: '--what --who --why --mode', idle: '--list' });
wrap('systemd-cat', { values: '-t -p --identifier --priority --stderr-priority' });
wrap('dbus-run-session dbus-launch', { values: '--config-file --dbus-daemon' });
wrap('ssh-agent', { values: '-a -E -P -t -O', idle: '-k' });
wrap('sshpass', { values: '-p -f -d -P' });
wrap('xvfb-run', { values: '-n -s -e -f -p -w --server-num --server-args --error-file --auth-file' });
wrap('proxychains proxychains4', { values: '-f' });
wrap('torsocks torify tsocks socksify graftcp', { values: '-a -u -p -P' });
wrap('trickle', { values: '-d -u -w -t -l -n -p -P' });
wrap('wsl', { values: '-d -u --distribution --user --cd', idle: '-l --list --install --shutdown' });
wrap('toolbox distrobox', { verb: 'run', values: '-c -d -r --container --distro --release' });
wrap('launchctl', { verb: 'asuser bsexec', operands: 1 });
wrap('taskpolicy', { values: '-c -d -g -t -l -m' });

// Time, priority, limits.
wrap('nohup setsid setpgid noglob nocorrect unbuffer eatmydata gamemoderun mangohud prime-run primusrun optirun');
wrap('time gtime', { values: '-f -o --format --output' });
wrap('multitime', { values: '-n -s -r -i -o -I -b' });
wrap('timeout gtimeout timelimit', { values: '-s -k -t -T -S --signal --kill-after', operands: 1 });
wrap('nice gnice', { values: '-n --adjustment' });
wrap('ionice', { values: '-c -n --class --classdata', idle: '-p --pid -P --pgid -u --uid' });
wrap('chrt', { values: '-T -P -D', operands: 1, idle: '-p --pid -m --max' });
wrap('taskset', { operands: 1, idle: '-p --pid' });
wrap('uclampset', { values: '-m -M', idle: '-p --pid' });
wrap('coresched', { values: '-t -s -d', toDashes: true });
wrap('choom', { values: '-n --adjust', idle: '-p --pid' });
wrap('schedtool', { values: '-n -p -a', toDashes: true });
wrap('cpulimit', { values: '-l -p -e -P -c --limit --pid --exe --path', idle: '-p --pid' });
wrap('numactl', {
  values: '-m -N -C -i -p --membind --cpunodebind --physcpubind --interleave --preferred --localalloc',
  idle: '-s -H --show --hardware',
});
wrap('prlimit', { values: '-o', idle: '-p --pid' });
wrap('softlimit s6-softlimit', { values: '-a -c -d -f -l -m -o -p -r -s -t' });
wrap('cgexec', { values: '-g' });
wrap('cset', { verb: 'proc', toDashes: true });
wrap('arch', { values: '-arch -e -d' });
wrap('setarch', { operands: 1, alone: true });
wrap('linux32 linux64 i386 i686 x86_64 uname26', { alone: true });
wrap('faketime datefudge', { operands: 1, alone: true });
wrap('stdbuf gstdbuf', { values: '-i -o -e --input --output --error' });
wrap('caffeinate', { values: '-t -w' });
wrap('setlock s6-setlock lckdo', { operands: 1, values: '-t -W' });
wrap('pgrphack cronic chronic ifne tini dumb-init catatonit', { values: '-p -e -r' });
wrap('retry', { values: '-t -d -u -e -m --times --delay --until --while --tries --min --max' });
wrap('tsp nq', { values: '-L -D -N -S' });
wrap('dtach abduco', { values: '-e -r', operands: 1 });
wrap('start-stop-daemon', {
  values:
    '-x -a -u -g -n -p -s -R -d -N -c -k -r -I -P -O --exec --startas --user --group --name --pidfile --signal --retry --chdir --nicelevel --chuid --umask --chroot --iosched --procsched --output',
  flags: '--start',
  program: '-x -a --exec --startas',
  idle: '-K --stop -T --status',
});
wrap('daemonize daemon', { values: '-a -c -e -o -p -l -u -n -N -F -U -E' });

// Watching, tracing, measuring.
wrap('strace', { values: '-e -o -p -s -u -E -a -O -S -P -I -b -X --trace --output --user --env' });
wrap('ltrace', { values: '-e -o -p -s -u -a -n -l -x -F' });
wrap('dtruss catchsegv heaptrack uftrace', { values: '-p -n -t' });
wrap('valgrind', { values: '-o' });
wrap('perf', {
  verb: 'stat record trace',
  values: '-e -o -p -t -C -F -g -r -I -a --event --output --repeat --call-graph',
});
wrap('rlwrap rlfe winpty', { values: '-f -H -s -p -C -D -l -P -q -S -t -z' });
wrap('watchexec', {
  values: '-w -e -f -i -d -s -o -E -W --watch --exts --filter --ignore --debounce --signal --workdir',
  dir: '--workdir',
});
wrap('reflex onchange bear intercept-build gum', { toDashes: true });
wrap('scan-build', { values: '-o' });
wrap('leaks', { toDashes: true });
wrap('xcrun', { values: '--sdk --toolchain', idle: '-f --find --show-sdk-path' });

// The shell's own, and boxes of tools.
wrap('command', { idle: '-v -V' });
wrap('builtin - {');
wrap('repeat', { operands: 1 });
wrap('exec', { values: '-a' });
wrap('busybox', { idle: '--list --list-full --install' });
wrap('toybox rtk shx coreutils');
wrap('ld.so ld-linux.so ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 ld-linux.so.2', {
  values: '--library-path --inhibit-rpath --audit --argv0 --preload --glibc-hwcaps-prepend --glibc-hwcaps-mask',
  idle: '--list --verify --list-diagnostics --list-tunables',
});

// Package managers.
const PACKAGE = '-p --package --prefix -w --workspace -C --dir --filter';
wrap('npx', { values: PACKAGE, versioned: true, idle: '-c --call' });
wrap('bunx pnpx', { values: PACKAGE, versioned: true });
wrap('npm', { values: PACKAGE, versioned: true, verb: 'exec x', idle: '-c --call' });
wrap('pnpm', { values: PACKAGE, versioned: true, verb: 'exec dlx', idle: '-c --shell-mode' });
wrap('yarn', { values: PACKAGE, versioned: true, verb: 'exec dlx' });
wrap('bun', { values: PACKAGE, versioned: true, verb: 'x' });
wrap('uvx', { values: '--from --with --python -p', versioned: true });
wrap('pipx', { verb: 'run', values: '--spec --python', versioned: true });
wrap('uv', {
  verb: 'run',
  values: '--with --python -p --project --directory --env-file --extra --group -m --module',
  idle: '-m --module',
  dir: '--directory',
});
wrap('bundle rbenv pyenv nodenv jenv goenv asdf', { verb: 'exec' });
wrap('nvm', { verb: 'exec run', operands: 1 });
wrap('fnm', { verb: 'exec', values: '--using' });
wrap('volta', { verb: 'run', values: '--node --npm --yarn --pnpm' });
wrap('poetry pipenv pdm rye hatch pixi devbox', { verb: 'run' });
wrap('conda mamba micromamba', { verb: 'run', values: '-n -p --name --prefix --cwd', dir: '--cwd' });
wrap('mise', { verb: 'exec x', toDashes: true });
wrap('tox', { verb: 'exec', toDashes: true });
wrap('flox', { verb: 'activate', toDashes: true });
wrap('guix', { verb: 'shell', toDashes: true });
wrap('foreman honcho railway heroku', { verb: 'run local:run', values: '-e -f -p' });
