import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countOf, SEED } from '../../../test/cases.ts';
import { judge } from '../guard.fixture.ts';

const ASKED = 'ask guard/self-protection';

const OURS = ['.claude/settings.json', '.claude/settings.local.json', '.fairlead/config.yaml', '.fairlead/rules/a.md'];
const OTHERS = ['src/a.ts', '.claude/commands/x.md', 'docs/.claude.md', 'fairlead/rules/a.md'];

/** How headers name a file. */
const HEADERS: readonly ((path: string) => string)[] = [
  (path) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+y\n`,
  (path) => `diff --git a/${path} b/${path}\nnew file mode 100644\n`,
  (path) => `--- ${path}\t2026-01-01\n+++ ${path}\t2026-01-02\n`,
  (path) => `--- /dev/null\n+++ x/y/${path}\n`,
  (path) => `diff --git a/q b/${path}\nrename from q\nrename to ${path}\n`,
  (path) => `Index: ${path}\n`,
  (path) => `--- "a/${path}"\n+++ "b/${path.replace('a', '\\141')}"\n`,
];
/** How a patch on disk is applied. */
const APPLIES: readonly string[] = [
  'git apply x.patch',
  'git apply -p3 --index x.patch',
  'git -C . apply --stat --apply x.patch',
  'git am x.patch',
  'git am < x.patch',
  'patch -p1 < x.patch',
  'patch -p0 -i x.patch',
  'patch --input=x.patch',
  'cat x.patch | patch -p1',
  'cat x.patch | git apply',
  'hg import x.patch',
  'cd . && git apply ./x.patch',
];

describe('a patch', () => {
  const body = fc.tuple(fc.nat(3), fc.constantFrom(...HEADERS)).map(
    ([before, header]) =>
      (path: string) =>
        HEADERS[0]?.('src/b.ts').repeat(before) + header(path),
  );

  it('on disk is asked about where it changes settings or rules', async () => {
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.constantFrom(...APPLIES),
        fc.constantFrom(...OURS),
        fc.constantFrom(...OTHERS),
        async (patch, command, ours, other) => {
          expect(await judge(command, { files: { 'x.patch': patch(ours) } })).toBe(ASKED);
          expect(await judge(command, { files: { 'x.patch': patch(other) } })).toBe('pass');
          expect(await judge(command)).toBe('pass');
        },
      ),
      { numRuns: countOf(500), seed: SEED },
    );
  });

  it.each([
    "patch -p1 <<'E'\n+++ b/.claude/settings.json\nE",
    "cat > y <<'E'\n+++ b/.claude/settings.json\nE\ngit apply y",
    "printf '+++ b/.fairlead/config.yaml\\n' > y; patch -p1 < y",
    "echo '+++ b/.claude/settings.json' | git apply",
  ])('in the command: %s', async (command) => {
    expect(await judge(command)).toBe(ASKED);
  });

  it('that is only looked at passes, and one too long to read is asked about', async () => {
    const files = { 'x.patch': '+++ b/.claude/settings.json\n' };
    expect(await judge('git apply --check x.patch', { files })).toBe('pass');
    expect(await judge('patch --dry-run -p1 < x.patch', { files })).toBe('pass');
    expect(await judge('git apply x.patch', { files: { 'x.patch': '+'.repeat(4 * 1024 * 1024) } })).toBe(ASKED);
  });
});

it.each([
  'tar xzf x.tgz .claude/settings.json',
  "unzip x.zip '.claude/*'",
  'unzip -o x.zip .claude/settings.local.json',
  'tar xf x.tar -C sub .fairlead/rules/a.md',
  'tar xf x.tar -C ~',
  'cd ~ && unzip x.zip',
  'stow -t ~ dotfiles',
  'stow --target=/home/dev dotfiles',
  'cd ~/dotfiles && stow bash',
  'restic restore latest --target ~',
  'cp -rT dotfiles ~',
  'cp -r dotfiles/. ~/',
  'rsync -a dotfiles/ ~',
  'chezmoi apply',
  'yadm pull',
  'rclone copy remote:x ~',
  'docker cp c:/x ~',
  'unison x ~',
  'dpkg -x a.deb ~',
])('may bring settings: %s', async (command) => {
  expect(await judge(command)).toBe(ASKED);
});

it.each([
  'tar xf x.tar',
  'tar xf x.tar src/a.ts',
  'unzip x.zip',
  'stow -n -t ~ x',
  'stow -d ../d -t /tmp/y x',
  'chezmoi diff',
  'cp -rT a b',
  'cp notes.md ~',
  'rsync x ~/',
  'rclone copy remote:x ~/Downloads',
  'docker cp c:/app/dist ./dist',
  './configure --prefix=$HOME/.local && make install',
  'cargo install --root ~/.local x',
  'bash -x ~/x.sh',
])('brings none: %s', async (command) => {
  expect(await judge(command)).toBe('pass');
});
