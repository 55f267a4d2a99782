import { describe, expect, it } from 'vitest';
import { send } from '../../engine/engine.fixture.ts';
import { guardEngine, judge, shell } from '../guard.fixture.ts';

const WIPE = 'rm -rf ~';
const DEV = `#!/bin/bash\ncmd="\${1:-help}"\ncase "$cmd" in\n  build) npx tsc ;;\n  nuke|reset) ${WIPE} ;;\n  *) echo usage ;;\nesac\n`;
const json = (scripts: object) => JSON.stringify({ name: 'x', scripts }, null, 2);

describe('a catastrophe in a script on disk', () => {
  it.each<[command: string, files: Record<string, string>]>([
    ['bash x.sh', { 'x.sh': `echo a\n${WIPE}\n` }],
    ['sh -e ./x.sh now', { 'x.sh': WIPE }],
    ['./x.sh', { 'x.sh': `#!/bin/bash\n${WIPE}` }],
    ['./x', { x: `#!/usr/bin/env python3\nimport os\nos.system("${WIPE}")` }],
    ['./x', { x: `#!/usr/bin/env -S node --no-warnings\nrequire('child_process').execSync('${WIPE}')` }],
    ['source lib/x.sh', { 'lib/x.sh': WIPE }],
    ['. ./x.sh && work', { 'x.sh': `work() { ${WIPE}; }` }],
    ['source env.sh; rm -rf "$OUT"', { 'env.sh': 'OUT=/' }],
    ['cd sub && ../x.sh', { 'x.sh': WIPE }],
    ['sudo bash -x x.sh', { 'x.sh': WIPE }],
    ['timeout 5 ./x.sh | tee log', { 'x.sh': WIPE }],
    ['bash < x.sh', { 'x.sh': WIPE }],
    ['cat x.sh | bash', { 'x.sh': WIPE }],
    ['python3 x.py', { 'x.py': `import shutil\nshutil.rmtree("/home/dev")` }],
    ['python3 -u x.py --all', { 'x.py': `import subprocess\nsubprocess.run(["rm", "-rf", "/"])` }],
    ['python3 -m tools.clean', { 'tools/clean.py': `import os; os.system("${WIPE}")` }],
    ['node scripts/x.mjs', { 'scripts/x.mjs': `import fs from 'node:fs';\nfs.rmSync('/', { recursive: true });` }],
    ['perl x.pl', { 'x.pl': `system("${WIPE}");` }],
    ['ruby x.rb', { 'x.rb': `system("${WIPE}")` }],
    ['php x.php', { 'x.php': `<?php\nshell_exec('${WIPE}');` }],
    ['awk -f x.awk', { 'x.awk': `BEGIN { system("${WIPE}") }` }],
    ['npm run clean', { 'package.json': json({ clean: WIPE }) }],
    ['npm test', { 'package.json': json({ pretest: WIPE, test: 'vitest' }) }],
    ['npm run build', { 'package.json': json({ build: 'npm run clean && tsc', clean: WIPE }) }],
    ['npm run build', { 'package.json': json({ build: 'run-s clean:*', 'clean:a': WIPE }) }],
    [
      'npm ci',
      {
        'package.json': json({ postinstall: 'node setup.js' }),
        'setup.js': `require('child_process').execSync('${WIPE}')`,
      },
    ],
    ['yarn clean', { 'package.json': json({ clean: WIPE }) }],
    ['pnpm clean', { 'package.json': json({ clean: WIPE }) }],
    ['bun run clean', { 'package.json': json({ clean: WIPE }) }],
    ['npm --prefix web run clean', { 'web/package.json': json({ clean: WIPE }) }],
    ['cd src/deep && npm run clean', { 'package.json': json({ clean: WIPE }) }],
    ['make clean', { Makefile: `all:\n\techo\nclean: prep\nprep:\n\t@-${WIPE}\n` }],
    ['make', { Makefile: `DIR ?= $(HOME)\nall:\n\trm -rf $(DIR)\n` }],
    ['make all D=/', { Makefile: `D = out\nall:\n\trm -rf $D $(D)\n` }],
    ['make -C sub', { 'sub/Makefile': `all:\n\tcd .. && $(MAKE) wipe\n`, Makefile: `wipe:\n\trm -rf ~\n` }],
    ['make', { Makefile: `include a.mk\n`, 'a.mk': `all:\n\t${WIPE}\n` }],
    ['just clean', { justfile: `home := "/home/dev"\n\nclean: prep\n    echo\n\nprep:\n    rm -rf {{home}}\n` }],
    [
      'task clean',
      {
        'Taskfile.yml': `version: '3'\ntasks:\n  clean:\n    cmds:\n      - task: wipe\n  wipe:\n    cmds:\n      - ${WIPE}\n`,
      },
    ],
    ['composer run clean', { 'composer.json': json({ clean: ['@wipe'], wipe: WIPE }) }],
    ['deno task clean', { 'deno.json': JSON.stringify({ tasks: { clean: WIPE } }) }],
    ['./a.sh', { 'a.sh': '#!/bin/sh\n./b.sh', 'b.sh': `#!/bin/sh\n. ./c.sh`, 'c.sh': WIPE }],
    ['bash x.sh', { 'x.sh': 'cd "$(dirname "$0")/.." && rm -rf ../*' }],
    ['./dev.sh nuke', { 'dev.sh': DEV }],
    ['./dev.sh reset', { 'dev.sh': DEV }],
    ['./dev.sh "$WHAT"', { 'dev.sh': DEV }],
    ['bash x.sh a', { 'x.sh': `case $1 in a*) ${WIPE};; a) ls;; esac` }],
    ['bash x.sh a', { 'x.sh': `case $1 in a) ls;& b) ${WIPE};; esac` }],
    ['bash x.sh a b', { 'x.sh': `while [ $# -gt 0 ]; do case $1 in a) ls;; b) ${WIPE};; esac; shift; done` }],
    ['python3 x.py', { 'x.py': 'import base64\n\nexec(base64.b64decode("cm0gLXJmIH4="))\n' }],
    ['frobnicate bash x.sh', { 'x.sh': WIPE }],
    ['bash x.sh', { 'x.sh': ':(){ :|:& };:' }],
  ])('%s', async (command, files) => {
    expect(await judge(command, { files })).toMatch(/^(?:deny|ask) guard\/(?:catastrophe|unknown|remote-code)/);
  });
});

describe('what scripts do every day', () => {
  it.each<[command: string, files: Record<string, string>]>([
    ['npm run clean', { 'package.json': json({ clean: 'rm -rf dist coverage node_modules/.cache && rimraf build' }) }],
    ['npm run fresh', { 'package.json': json({ fresh: 'rm -rf node_modules && npm ci' }) }],
    [
      'npm run deploy',
      {
        'package.json': json({
          predeploy: 'npm run build',
          build: 'vite build',
          deploy: 'gh-pages -d dist && git push origin HEAD',
        }),
      },
    ],
    ['npm install', { 'package.json': json({ postinstall: 'patch-package', prepare: 'husky' }) }],
    [
      'npm run env',
      {
        'package.json': json({ env: 'dotenv -e .env -- node server.js' }),
        'server.js': 'require("dotenv").config();\nconsole.log(process.env.PORT)',
      },
    ],
    ['make clean', { Makefile: 'BUILD := build\nclean:\n\trm -rf $(BUILD) *.o $(OBJS)\n\t$(RM) -r dist\n' }],
    [
      'make install',
      {
        Makefile:
          'PREFIX ?= /usr/local\ninstall: all\n\tinstall -d $(DESTDIR)$(PREFIX)/bin\n\tinstall -m 755 x $(DESTDIR)$(PREFIX)/bin/x\nall:\n\tcc -o x x.c\n',
      },
    ],
    ['make distclean', { Makefile: 'distclean:\n\tcd build\n\trm -rf CMakeCache.txt CMakeFiles\n' }],
    [
      './build.sh',
      {
        'build.sh':
          '#!/usr/bin/env bash\nset -euo pipefail\nROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\ncd "$ROOT"\nrm -rf "$ROOT/dist" "${OUT:-out}"\nmkdir -p dist\nnpx tsc\n',
      },
    ],
    [
      './release.sh patch',
      {
        'release.sh':
          '#!/bin/bash\nset -e\n[[ -z $(git status --porcelain) ]] || exit 1\nnpm version "$1"\nTMP=$(mktemp -d)\ntrap \'rm -rf "$TMP"\' EXIT\ngit push --follow-tags\n',
      },
    ],
    [
      'bash scripts/test.sh',
      { 'scripts/test.sh': 'export $(grep -v "^#" .env | xargs)\ncat .env.test\nsource .env\npytest "$@"\n' },
    ],
    ['bash scripts/db.sh', { 'scripts/db.sh': 'WORK=$1\nrm -rf "$WORK"\nrm -rf "$CACHE_DIR"/*\n' }],
    [
      'bash usage.sh',
      { 'usage.sh': 'cat <<EOF\nnever run rm -rf / here\nEOF\n# rm -rf ~\necho "rm -rf ~"\nwipe() { rm -rf ~; }\n' },
    ],
    [
      'python3 manage.py migrate',
      {
        'manage.py':
          'import os, sys, shutil\n\ndef clean(path):\n    shutil.rmtree(path)\n\nif __name__ == "__main__":\n    os.environ.setdefault("A", "b")\n    shutil.rmtree("build", ignore_errors=True)\n',
      },
    ],
    [
      'python3 sync.py',
      {
        'sync.py':
          'import requests, subprocess\n\nTOKEN = open(".env").read()\n\ndef fetch(url):\n    return requests.get(url).json()\n\ndef push(data):\n    requests.post("https://api.example.com", json=data)\n\ndef run(cmd):\n    subprocess.run(cmd, shell=True)\n',
      },
    ],
    [
      'node scripts/dev.mjs',
      {
        'scripts/dev.mjs':
          'import { createServer } from "vite";\nimport { spawn } from "node:child_process";\n\nconst server = await createServer();\n\nfunction start(command) {\n  return spawn(command, { shell: true });\n}\n\nfs.rmSync("dist", { recursive: true, force: true });\n',
      },
    ],
    ['just', { justfile: 'default:\n    @just --list\n\nclean:\n    rm -rf ~/everything\n' }],
    [
      'task build',
      {
        'Taskfile.yml':
          "version: '3'\nvars:\n  OUT: dist\ntasks:\n  build:\n    cmds:\n      - rm -rf {{.OUT}}\n      - go build ./...\n  nuke:\n    cmds:\n      - rm -rf ~\n",
      },
    ],
    ['./dev.sh build', { 'dev.sh': DEV }],
    ['./dev.sh', { 'dev.sh': DEV }],
    ['npm run other', { 'package.json': json({ clean: WIPE }) }],
    ['make other', { Makefile: `other:\n\techo\nclean:\n\t${WIPE}\n` }],
    ['make -n clean', { Makefile: `clean:\n\t${WIPE}\n` }],
    ['cat x.sh', { 'x.sh': WIPE }],
    ['bash -n x.sh', { 'x.sh': WIPE }],
    ['shellcheck x.sh', { 'x.sh': WIPE }],
    ['git add x.sh && git commit -m "bash x.sh"', { 'x.sh': WIPE }],
    ['echo "ls" > x.sh; bash x.sh', { 'x.sh': WIPE }],
    ['bash big.sh', { 'big.sh': `${'echo a; '.repeat(600)}\n${'if true; then\n'.repeat(200)}` }],
    ['bash broken.sh', { 'broken.sh': 'if [ a ; then (\necho "open' }],
    ['./loop.sh', { 'loop.sh': '#!/bin/sh\n./loop.sh\n./loop.sh\n' }],
    ['npm run a', { 'package.json': json({ a: 'npm run b && npm run b', b: 'npm run a; npm run a' }) }],
    [
      './install-tool.sh',
      {
        'install-tool.sh':
          '#!/bin/sh\nset -e\ncurl -fsSL https://example.com/a.tgz -o /tmp/a.tgz\ntar xzf /tmp/a.tgz -C /tmp\nsudo apt-get install -y jq\n',
      },
    ],
  ])('%s', async (command, files) => {
    expect(await judge(command, { files })).not.toMatch(/^(?:deny|ask)/);
  });

  it('what is asked about when typed is asked about', async () => {
    const files = { 'x.sh': 'git push --force origin topic\n' };
    expect(await judge('bash x.sh', { files })).toBe('ask guard/git');
    expect(await judge('bash x.sh', { files: { 'x.sh': 'crontab -r' } })).toBe(await judge('crontab -r'));
  });
});

describe('the denial names file and line', () => {
  it.each<[command: string, files: Record<string, string>, place: string]>([
    ['bash scripts/x.sh', { 'scripts/x.sh': `#!/bin/sh\n\necho a\n${WIPE}\n` }, 'scripts/x.sh:4: rm -rf ~'],
    ['npm run clean', { 'package.json': json({ build: 'tsc', clean: WIPE }) }, 'package.json:5: rm -rf ~'],
    ['make clean', { Makefile: `A = b \\\n  c\nclean:\n\techo\n\t${WIPE}\n` }, 'Makefile:5: rm -rf ~'],
    ['bash a.sh', { 'a.sh': 'true\n. lib.sh\nwork', 'lib.sh': `work() {\n  echo\n  ${WIPE}\n}` }, 'lib.sh:3: rm -rf ~'],
    ['bash a.sh', { 'a.sh': `true\nbash -c '${WIPE}'` }, 'a.sh:2: rm -rf ~'],
    ['python3 x.py', { 'x.py': `import os\n\nos.system("${WIPE}")` }, 'x.py:3: rm -rf ~'],
    ['python3 x.py', { 'x.py': `import shutil\n\nshutil.rmtree("/home/dev")` }, 'x.py:3: python3 x.py'],
    ['just clean', { justfile: `clean:\n    echo\n    ${WIPE}\n` }, 'justfile:3: rm -rf ~'],
  ])('%s', async (command, files, place) => {
    const { reason } = await send(guardEngine({ files }), shell(command));
    expect(reason).toContain(place);
  });
});
