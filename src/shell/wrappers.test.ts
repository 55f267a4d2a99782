import { describe, expect, it } from 'vitest';
import { lastOf, linesOf } from './reading.fixture.ts';

describe('wrappers', () => {
  it.each([
    ['sudo rm a', 'sudo+ rm a'],
    ['sudo -u root -E FOO=1 rm a', 'sudo+ rm a'],
    ['sudo -nu root -- rm a', 'sudo+ rm a'],
    ['/usr/bin/sudo --user=root rm a', 'sudo+ rm a'],
    ['sudo -l', 'sudo -l'],
    ['sudo -k', 'sudo -k'],
    ['sudo -i', 'sudo+ sh'],
    ['sudo -nsu root', 'sudo+ sh'],
    ['sudo -us', 'sudo -us'],
    ['sudo -s rm a', 'sudo+ rm a'],
    ['doas -s', 'doas+ sh'],
    ['sudo env A=1 nohup timeout -k 5 10s nice -n 5 rm a', 'sudo+ env+ nohup+ timeout+ nice+ rm a'],
    ['sudo sudo env sudo rm a', 'sudo+ env+ rm a'],
    ['doas -u root rm a', 'doas+ rm a'],
    ['env -i -u X A=1 rm a', 'env+ rm a'],
    ["env -S 'rm a' b", 'env+ rm a b'],
    ["env -S'A=1 rm a'", 'env+ rm a'],
    ['env --split-string="rm a"', 'env+ rm a'],
    ['env - rm a', 'env+ rm a'],
    ['env -0i --unset=X rm a', 'env+ rm a'],
    ['env -a x -C /b rm a', 'env+ rm a'],
    ['env --ch=/b --uns X rm a', 'env+ rm a'],
    ['env --block-signal=INT --ignore-signal --debug rm a', 'env+ rm a'],
    ["env -vS 'rm\\_a'", 'env+ rm a'],
    ["env --split 'rm a'", 'env+ rm a'],
    ['start-stop-daemon --start --exec /bin/rm -- a', 'start-stop-daemon+ /bin/rm a'],
    ['unshare -r', 'unshare+ sh'],
    ['chroot /mnt', 'chroot+ sh'],
    ['runcon -t x_t rm a', 'runcon+ rm a'],
    ['nice --help rm a', 'nice --help rm a'],
    ['/lib64/ld-linux-x86-64.so.2 /bin/rm a', 'ld-linux-x86-64.so.2+ /bin/rm a'],
    ['env', 'env'],
    ['env $(cat .env) rm a', 'env+ rm a'],
    ['env $(cat x)', 'env+ ?'],
    ['command rm a', 'command+ rm a'],
    ['command -v rm', 'command -v rm'],
    ['builtin cd a', 'builtin+ cd a'],
    ['exec -a x rm a', 'exec+ rm a'],
    ['time -p rm a', 'time+ rm a'],
    ['/usr/bin/time -f %e rm a', 'time+ rm a'],
    ['nice -10 rm a', 'nice+ rm a'],
    ['ionice -c2 -n7 rm a', 'ionice+ rm a'],
    ['taskset -c 0-3 rm a', 'taskset+ rm a'],
    ['setsid -f rm a', 'setsid+ rm a'],
    ['stdbuf -oL -e0 rm a', 'stdbuf+ rm a'],
    ['strace -f -o out rm a', 'strace+ rm a'],
    ['busybox rm a', 'busybox+ rm a'],
    ['busybox sh -c "rm a"', 'sh -c> busybox+ rm a'],
    ['chroot --userspec=x /mnt rm a', 'chroot+ rm a'],
    ['unshare -m rm a', 'unshare+ rm a'],
    ['systemd-run --user --unit=x rm a', 'systemd-run+ rm a'],
    ['caffeinate -i rm a', 'caffeinate+ rm a'],
    ['noglob rm a', 'noglob+ rm a'],
    ['npx -y rimraf@5 a', 'npx+ rimraf a'],
    ['npx @scope/tool@1 a', 'npx+ @scope/tool a'],
    ['npm exec -- rimraf a', 'npm+ rimraf a'],
    ['npm install a', 'npm install a'],
    ['pnpm dlx rimraf a', 'pnpm+ rimraf a'],
    ['uv run --with x python a', 'uv+ python a'],
    ['poetry run pytest', 'poetry+ pytest'],
    ['bundle exec rake', 'bundle+ rake'],
    ['mise exec node@20 -- rm a', 'mise+ rm a'],
    ['conda run -n e rm a', 'conda+ rm a'],
  ])('%s', (text, line) => {
    expect(linesOf(text).at(-1)).toBe(line);
  });
});

describe('the program', () => {
  it.each([
    ['/bin/rm a', 'rm'],
    ['./run.sh', 'run.sh'],
    ['"rm" a', 'rm'],
    ['PowerShell.exe -EncodedCommand eA==', 'powershell'],
    ['"C:\\Program Files\\Git\\git.exe" a', 'git'],
    ['$X a', ''],
    ['$X/bin/rm a', 'rm'],
    ['$(echo hello)', 'hello'],
    ['> f', ''],
    ['GIT RESET --HARD', 'git'],
  ])('of %s is %j', (text, program) => {
    expect(lastOf(text).program).toBe(program);
  });

  it('reads capitals as a file system without case does', () => {
    expect(linesOf('GIT RESET --HARD -F Main')).toEqual(['GIT reset --hard -F Main']);
    expect(linesOf('SUDO PIP INSTALL x')).toEqual(['sudo+ pip install x']);
    expect(linesOf('git RESET')).toEqual(['git RESET']);
  });
});
