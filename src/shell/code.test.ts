import { describe, expect, it } from 'vitest';
import { codeOf } from './code.ts';
import { lastOf, linesOf, read } from './reading.fixture.ts';

describe('code of other languages', () => {
  it.each<[string, readonly string[]]>([
    [`python -c "import os; os.system('rm a')"`, ['python -c> rm a']],
    [`python3.12 -Ic "import os; os.system('rm a')"`, ['python -c> rm a']],
    [`python3 -c "import subprocess as s, subprocess; subprocess.run(['rm', '-rf', '/'])"`, ['python -c> rm -rf /']],
    [`python3 -c "import subprocess as s; s.check_output('rm a', shell=True)"`, ['python -c> rm a']],
    [`python3 -c "from subprocess import call; call('rm a', shell=True)"`, ['python -c> rm a']],
    [`python3 -c "import subprocess; subprocess.Popen('rm a', shell=True)"`, ['python -c> rm a']],
    [`python3 -c "import os; c = 'rm a'; os.popen(c)"`, ['python -c> rm a']],
    [`python3 -c "import os; d='/'; os.system(f'rm {d} {x}')"`, ['python -c> rm / ?']],
    [`python3 -c "import os; os.system('rm ' + path)"`, ['python -c> rm ?']],
    [`python3 -c "import os,base64; os.system(base64.b64decode('cm0gYQ==').decode())"`, ['python -c> rm a']],
    [`python3 -c "import os; exec('os.system(\\"rm a\\")')"`, ['python -c> rm a']],
    [`python3 -c "import os; os.execvp('rm', ['rm', 'a'])"`, ['python -c> rm a']],
    [`python3 -c "print('os.system(1)'); x = 1 # os.system('rm a')"`, []],
    ["python3 - <<'E'\nimport os\nos.system('rm a')\nE", ['heredoc> rm a']],
    ['python3 x.py <<< "os.system(1)"', []],
    [`node -e "require('child_process').execSync('rm a')"`, ['node -e> rm a']],
    [
      `node --eval="const cp = require('node:child_process'); cp.exec('rm a'); cp.spawn('rm', ['b'])"`,
      ['node --eval> rm a', 'node --eval> rm b'],
    ],
    [`python3 -c "from subprocess import run as r; r(['rm', 'a'])"`, ['python -c> rm a']],
    [`python3 -c "from os import path, system as s; s('rm a')"`, ['python -c> rm a']],
    [`python3 -c "f = os.system; f('rm a')"`, ['python -c> rm a']],
    [`python3 -c "f = my.system; f('rm a')"`, []],
    [`node -e "const {spawnSync: s} = require('child_process'); s('rm', ['a'])"`, ['node -e> rm a']],
    [`node -e "const c = require('node:child_process'), {exec: e} = c; e('rm a')"`, ['node -e> rm a']],
    [`node -e "import { exec as e } from 'child_process'; e('rm a')"`, ['node -e> rm a']],
    [`node -e "import * as c from 'child_process'; c.spawn('rm', ['a'])"`, ['node -e> rm a']],
    [`node -e "const {exec: e} = require('db'); e('rm a')"`, []],
    [`awk 'BEGIN { print "rm", "a" | "sh" }'`, ['awk> rm a']],
    [`awk 'BEGIN { c = "rm a"; c | getline }'`, ['awk> rm a']],
    [`awk '{ print | "bash" }' <<< 'rm a'`, ['awk> rm a']],
    [`awk '{ print "rm " $1 | "sh" }' x`, ['awk> rm ?']],
    [`node -pe "/x/.exec('rm a')"`, []],
    [`node -e "require('child_process'); db.exec('rm a'); cursor.execute('rm b')"`, []],
    [`bun -e 'await $\`rm a\`'`, ['bun -e> rm a']],
    [`deno eval 'new Deno.Command("rm", ["a"])'`, ['deno eval> rm a']],
    [
      `ruby -e 'system("rm a"); system("rm", "b"); %x(rm c); \`rm d\`'`,
      ['ruby -e> rm a', 'ruby -e> rm b', 'ruby -e> rm c', 'ruby -e> rm d'],
    ],
    [`ruby -e 'exec "rm a"'`, ['ruby -e> rm a']],
    [`perl -e 'system("rm a"); qx{rm b}; print 1'`, ['perl -e> rm a', 'perl -e> rm b']],
    [`perl -i.bak -pe 's/a/b/' f`, []],
    [`php -r 'shell_exec("rm a"); system("rm b");'`, ['php -r> rm a', 'php -r> rm b']],
    [`lua -e 'os.execute("rm a")'`, ['lua -e> rm a']],
    [`awk 'BEGIN { system("rm a"); "rm b" | getline x }'`, ['awk> rm a', 'awk> rm b']],
    [`awk '{ print $1 }' f`, []],
    [`osascript -e 'do shell script "rm a"'`, ['osascript -e> rm a']],
    [`Rscript -e 'system("rm a")'`, ['rscript -e> rm a']],
  ])('%s', (text, lines) => {
    expect(linesOf(text).slice(1)).toEqual(lines);
  });

  it('sees processes that fork without end', () => {
    expect(read(`perl -e 'fork while fork'`).exhausts).toHaveLength(1);
    expect(read(`python -c 'import os\nwhile True: os.fork()'`).exhausts).toHaveLength(1);
    expect(read(`python -c 'import os; os.fork()'`).exhausts).toEqual([]);
  });

  it('finds the code itself', () => {
    expect(codeOf(lastOf(`ruby -e 'a' -e 'b'`))).toEqual({ language: 'ruby', text: 'a\nb', road: 'ruby -e' });
    expect(codeOf(lastOf('python3 <<< "1"'))).toEqual({ language: 'python', text: '1\n', road: 'heredoc' });
    expect(codeOf(lastOf('python3 -m http.server'))).toBeUndefined();
    expect(codeOf(lastOf('ls -e x'))).toBeUndefined();
  });
});
