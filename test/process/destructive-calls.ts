import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  linkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A stream of numbers from a seed, below 1. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const GIT = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_EDITOR: 'true' };
const WHO = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
export const gitEnv = (home: string): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], HOME: home, ...GIT, ...WHO });

/** A project with all that can be lost: committed, changed, staged, new and ignored files, links, a database, branches, a stash. */
export function plantProject(dir: string): void {
  const put = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args], { env: gitEnv(dir), stdio: 'ignore' });
  mkdirSync(dir, { recursive: true });
  git('init', '-q', '-b', 'main');
  put('.gitignore', '*.log\n.env.local\nnode_modules/\ndist/\n');
  for (const name of ['a.txt', 'b.txt', 'src/x.js', 'src/y.js', 'docs/guide.md']) put(name, `${name}\nfirst\n`);
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  put('src/x.js', 'second\n');
  git('commit', '-q', '-am', 'two');
  git('checkout', '-q', '-b', 'side');
  put('side.txt', 'side\n');
  git('add', '.');
  git('commit', '-q', '-m', 'side');
  git('checkout', '-q', 'main');
  put('a.txt', 'stashed\n');
  git('stash', '-q');
  put('b.txt', 'b.txt\nmine\n');
  put('src/y.js', 'changed\n');
  put('s.txt', 'staged\n');
  git('add', 's.txt');
  for (const name of [
    'notes.txt',
    'd/one.txt',
    'd/two.txt',
    'd/.hidden',
    'd/deep/three.txt',
    'with space.txt',
    'e/f.txt',
  ])
    put(name, `own words of ${name}\n`);
  put('run.log', 'a log\n');
  put('.env.local', 'KEY=1\n');
  put('big.bin', createHash('sha512').update('big').digest('hex').repeat(3_000));
  for (const end of ['', '-wal', '-shm']) put(`data.sqlite${end}`, `SQLite format 3\0${end}`);
  put('node_modules/p/index.js', 'made\n');
  put('dist/out.js', 'made\n');
  put('new/notes.txt', 'from an archive\n');
  put('new/d/one.txt', 'from an archive\n');
  execFileSync('tar', ['-C', join(dir, 'new'), '-cf', join(dir, 'x.tar'), '.']);
  put('x.patch', '--- a/b.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n-b.txt\n+patched\n mine\n');
  put('hard/one', 'two names\n');
  linkSync(join(dir, 'hard/one'), join(dir, 'hard/two'));
  for (const [name, to] of [
    ['way', 'notes.txt'],
    ['wayd', 'd'],
    ['loose', 'nowhere'],
  ] as const)
    symlinkSync(to, join(dir, name));
}

const FILES = [
  'a.txt',
  'b.txt',
  'src/x.js',
  'src/y.js',
  's.txt',
  'notes.txt',
  'd/one.txt',
  'd/.hidden',
  'e/f.txt',
].concat([
  ...[
    'd/deep/three.txt',
    "'with space.txt'",
    'run.log',
    '.env.local',
    'big.bin',
    'data.sqlite',
    'way',
    'loose',
    'hard/one',
    './notes.txt',
  ],
]);
const DIRS = ['d', 'e', 'src', 'docs', 'd/deep', 'hard', 'wayd', './d'];

const COMMANDS: readonly string[] = [
  ...[
    'rm F',
    'rm -f F G',
    'rm -f -- F',
    'unlink F',
    'shred -u F',
    'rm -rf D',
    'rm -r D E',
    'rm -rf D/*',
    'rm *.txt',
    'rm d/*.txt',
    'rm d/{one,two}.txt',
  ],
  ...[
    'shopt -s dotglob; rm -rf D/*',
    'rm -rf D && mkdir D',
    'cd D && rm -rf ./*',
    'cd D && rm -f *',
    '(cd d; rm one.txt)',
    'rm -rf D F',
    'rmdir D 2>/dev/null; rm -rf D',
  ],
  ...[
    '> F',
    ': > F',
    'echo x > F',
    'echo x >| F',
    'echo x | tee F',
    'printf x > F 2>&1',
    'cat > F <<X\nhi\nX',
    'truncate -s 0 F',
    'truncate -s 2 F',
    'dd if=/dev/zero of=F bs=1 count=3 2>/dev/null',
  ],
  ...[
    'sed -i s/w/v/ F',
    'sed -i.bak s/o/0/ F',
    'perl -pi -e s/o/0/ F',
    'perl -i -ne 1 F',
    'sort -o F F',
    'sort F | tr a-z A-Z > G',
    'printf "%s\\n" "%d" x | ed -s F',
    'awk 1 F > G',
  ],
  ...[
    'cp F G',
    'cp a.txt D',
    'cp -r src/. D',
    'cp -f F G && rm F',
    'install F G',
    'install -m 600 F G',
    'ln -sf a.txt F',
    'ln -f a.txt F',
    'ln -sfn docs D',
  ],
  ...[
    'mv F G',
    'mv -f F G',
    'mv F G && rm G',
    'mv D other && rm -rf other',
    'mv F /tmp/moved-TAG && rm /tmp/moved-TAG',
    'mv F other.txt && echo x > other.txt',
    'mv D gone && rm -rf gone/*',
    'mkdir -p box; mv F box/; rm -rf box',
  ],
  ...[
    'for f in F G; do rm -f $f; done',
    'for x in D E; do cd $x; rm -f *.txt; cd - >/dev/null; done',
    'for f in d/*; do rm -rf "$f"; done',
    'f=F; rm -f $f',
    'find D -type f -delete',
    "find . -name '*.txt' -not -path './.git/*' -delete",
  ],
  ...[
    'find D -type f -exec rm {} \\;',
    'find D -type f -exec rm -f {} +',
    'find D -type f | xargs rm -f',
    'ls D | xargs -I% rm -rf D/%',
    'find D -name one* -exec truncate -s 0 {} +',
  ],
  ...[
    'rsync -a --delete src/ D/',
    'rsync -a src/ D/',
    'tar xf x.tar',
    'tar xf x.tar -C D',
    'patch -s -p1 < x.patch',
    'patch -s b.txt x.patch',
    'git apply x.patch',
    'sponge F < a.txt',
  ],
  ...[
    'bash -c "rm -f F"',
    'sh -c "echo x > F"',
    'eval rm -f F',
    'time rm -f F',
    'env A=1 rm -f F',
    'nohup rm -f F >/dev/null',
    'timeout 5 rm -f F',
    'true && rm -f F || true',
    'if [ -e F ]; then rm -f F; fi',
  ],
  ...[
    'touch n-TAG && rm n-TAG',
    'mkdir m-TAG && echo 1 > m-TAG/x && rm -rf m-TAG',
    'echo 1 > t-TAG; mv t-TAG u-TAG; rm u-TAG',
    'rm -rf node_modules dist',
    'cp F copy-TAG && rm copy-TAG',
  ],
  ...[
    'git checkout -- .',
    'git checkout -- F',
    'git restore F',
    'git restore .',
    'git checkout HEAD~1 -- src',
    'git checkout -f side',
    'git switch -f side',
    'git reset -q --hard',
    'git reset -q --hard HEAD~1',
  ],
  ...[
    'git clean -fdq',
    'git clean -fdxq',
    'git clean -fq D',
    'git rm -rfq D',
    'git rm -fq F',
    'git stash drop -q',
    'git stash clear',
    'git branch -q -D side',
    'git stash -q -u && git stash drop -q',
  ],
  ...[
    'git checkout -q side -- .',
    'git mv -f a.txt b.txt',
    'git reset -q --hard && git clean -fdq',
    'rm -rf .git/refs/stash',
    'git update-ref -d refs/heads/side',
    'git commit -qam x && rm -f F',
  ],
  ...[
    `python3 -c "import os; os.remove('F')"`,
    `python3 -c "open('F','w').write('x')"`,
    `python3 -c "import shutil; shutil.rmtree('D')"`,
    `python3 -c "import os; os.replace('F','G')"`,
  ],
  ...[
    `python3 -c "from pathlib import Path; Path('F').write_text('x')"`,
    `python3 -c "from pathlib import Path; Path('F').unlink()"`,
    `python3 -c "import os; os.truncate('F', 1)"`,
    `python3 - <<'P'\nimport os\nfor n in ['F','G']:\n    os.unlink(n)\nP`,
  ],
  ...[
    `python3 -c "import shutil; shutil.copy('F','G')"`,
    `python3 -c "import shutil; shutil.move('F','G')"`,
    `python3 -c "import glob, os; [os.remove(f) for f in glob.glob('D/*.txt')]"`,
  ],
  ...[
    `node -e "require('fs').unlinkSync('F')"`,
    `node -e "require('fs').writeFileSync('F','x')"`,
    `node -e "require('fs').rmSync('D',{recursive:true})"`,
    `node -e "require('fs').renameSync('F','G')"`,
  ],
  ...[
    `node -e "require('fs').truncateSync('F')"`,
    `node -e "require('node:fs').copyFileSync('F','G')"`,
    `node -e "const fs=require('fs'); for (const f of ['F','G']) fs.rmSync(f)"`,
  ],
  ...[
    `perl -e "unlink 'F'"`,
    `perl -e 'open(F,">","F"); print F "x"'`,
    `perl -e 'rename "F","G"'`,
    `perl -MFile::Path -e "File::Path::remove_tree('D')"`,
    `perl -e "truncate 'F', 0"`,
  ],
  ...[
    `ruby -e "File.delete('F')"`,
    `ruby -e "File.write('F','x')"`,
    `ruby -e "require 'fileutils'; FileUtils.rm_rf('D')"`,
    `ruby -e "File.rename('F','G')"`,
    `ruby -e "File.open('F','w'){}"`,
  ],
  ...[
    `php -r "unlink('F');"`,
    `php -r "file_put_contents('F','x');"`,
    `php -r "rename('F','G');"`,
    `php -r "fopen('F','w');"`,
    `php -r "copy('F','G');"`,
  ],
];

/** Every kind in turn, each on other files. */
export function commandAt(number: number, roll: () => number): string {
  const pick = (from: readonly string[]) => from[Math.floor(roll() * from.length)] ?? '';
  const command = COMMANDS[number % COMMANDS.length] ?? '';
  const isCode =
    /^(?:python3|node|perl -[eM]|ruby|php)/.test(command) ||
    command.startsWith('bash -c') ||
    command.startsWith('sh -c');
  const file = () => (isCode ? pick(FILES).replaceAll("'", '') : pick(FILES));
  const [first, second, dir, other] = [file(), file(), pick(DIRS), pick(DIRS)];
  return command
    .replaceAll(/\bF\b(?=['"\s;,)|&]|$)(?!,">)/g, first)
    .replaceAll(/\bG\b(?=['"\s;,)|&]|$)/g, second)
    .replaceAll(/\bD\b/g, dir)
    .replaceAll(/\bE\b/g, other)
    .replaceAll('TAG', String(number));
}

/** What lies in a project, by path; what a build made apart. */
export function contentsOf(dir: string, at = '', into = new Map<string, string>()): Map<string, string> {
  for (const name of readdirSync(join(dir, at))) {
    const path = at === '' ? name : `${at}/${name}`;
    if (['.git', 'node_modules', 'dist'].includes(path)) continue;
    const stat = lstatSync(join(dir, path));
    if (stat.isDirectory()) contentsOf(dir, path, into);
    else if (stat.isSymbolicLink()) into.set(path, `link ${readlinkSync(join(dir, path))}`);
    else if (stat.isFile()) into.set(path, `file ${blobName(readFileSync(join(dir, path)))}`);
  }
  return into;
}

const blobName = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
const EMPTY = `file ${blobName(new Uint8Array())}`;

/** Everything that git leads to, with the index: names of commits and of contents. */
export function heldByGit(dir: string): Set<string> {
  const ask = (...args: string[]) => {
    try {
      return execFileSync('git', ['-C', dir, ...args], {
        env: gitEnv(dir),
        encoding: 'utf8',
        maxBuffer: 1 << 26,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch {
      return '';
    }
  };
  return new Set(
    [ask('rev-list', '--objects', '--all', '--reflog'), ask('ls-files', '--stage')]
      .join('\n')
      .match(/\b[0-9a-f]{40}\b/g),
  );
}

export interface Held {
  readonly files: ReadonlyMap<string, string>;
  readonly git: ReadonlySet<string>;
}

export const heldIn = (dir: string): Held => ({ files: contentsOf(dir), git: heldByGit(dir) });

/** What was there and is nowhere now: files by their path, and what git led to. */
export function lostBetween(before: Held, after: Held): { readonly files: string[]; readonly objects: string[] } {
  const there = new Set(after.files.values());
  const isGone = (content: string) =>
    content !== EMPTY && !there.has(content) && !after.git.has(content.replace(/^file /, ''));
  return {
    files: [...before.files].filter(([, content]) => isGone(content)).map(([path]) => path),
    objects: [...before.git].filter((sha) => !after.git.has(sha) && !there.has(`file ${sha}`)),
  };
}
