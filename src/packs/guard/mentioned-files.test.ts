import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countOf, SEED } from '../../../test/cases.ts';
import { ROOT, send } from '../../engine/engine.fixture.ts';
import { NO_FACTS } from '../../event/facts.ts';
import type { Look } from '../../event/facts.ts';
import { guardEngine, judge, shell } from '../guard.fixture.ts';

const DENIED = 'deny guard/self-protection';
const ASKED = 'ask guard/self-protection';
const LOCAL = '.claude/settings.local.json';

const FILES = [
  LOCAL,
  '.claude/settings.json',
  '~/.claude/settings.json',
  '~/.claude.json',
  `${ROOT}/.claude/settings.json`,
  '.fairlead/config.yaml',
  '.fairlead/rules/a.md',
  '~/.config/fairlead/config.yaml',
  '~/.local/state/fairlead/trust.json',
] as const;

/** Ways to hand a file to a program that no table knows. */
const MENTIONS: readonly ((file: string) => string)[] = [
  (file) => `some-editor ${file}`,
  (file) => `some-editor --write ${file}`,
  (file) => `some-editor --out=${file.replace('~', '/home/dev')}`,
  (file) => `some-editor -o${file.replace('~', '/home/dev')}`,
  (file) => `shuf -o ${file} a`,
  (file) => `yq -i . ${file}`,
  (file) => `npx json -I -f ${file} -e 1`,
  (file) => `iconv -o ${file} a`,
  (file) => `uniq a ${file}`,
  (file) => `git config -f ${file} a.b c`,
  (file) => `some-editor a ${file} b`,
  (file) => `F=${file}; some-editor "$F"`,
  (file) => `cd ${file.slice(0, file.lastIndexOf('/'))} && some-editor ${file.slice(file.lastIndexOf('/') + 1)}`,
  (file) => `cd ${file.slice(0, file.lastIndexOf('/'))} && some-editor -o${file.slice(file.lastIndexOf('/') + 1)}`,
  (file) => `some-editor ${file.slice(0, -2)}*`,
  (file) => `echo ${file} | xargs some-editor`,
  (file) => `for f in ${file}; do some-editor $f; done`,
  (file) => `some-editor "$(echo ${file})"`,
  (file) => `sudo some-editor ${file}`,
  (file) => `bash -c "some-editor ${file}"`,
];

it('a program that nobody knows may change what it is given, however it is given', async () => {
  const command = fc.tuple(fc.constantFrom(...FILES), fc.constantFrom(...MENTIONS)).map(([file, by]) => by(file));
  await fc.assert(
    fc.asyncProperty(command, async (text) => {
      expect([DENIED, ASKED], text).toContain((await judge(text)).split(' ').slice(0, 2).join(' '));
    }),
    { numRuns: countOf(2_000), seed: SEED },
  );
});

const READS: readonly ((file: string) => string)[] = [
  (file) => `cat ${file}`,
  (file) => `ls -la ${file}`,
  (file) => `jq .hooks ${file}`,
  (file) => `grep -rn --exclude-dir=.git hooks ${file}`,
  (file) => `wc -c ${file}`,
  (file) => `cp -a ${file} /tmp/x`,
  (file) => `git add ${file}`,
  (file) => `git diff --stat -- ${file}`,
  (file) => `git commit -m x ${file}`,
  (file) => `diff -u a ${file}`,
  (file) => `tar czf /tmp/x.tgz ${file}`,
  (file) => `head -n 5 ${file} | tee /tmp/x`,
  (file) => `python3 -m json.tool ${file}`,
  (file) => `test -f ${file} && stat ${file}`,
];

it('a program that only reads passes', async () => {
  const command = fc.tuple(fc.constantFrom(...FILES), fc.constantFrom(...READS)).map(([file, by]) => by(file));
  await fc.assert(
    fc.asyncProperty(command, async (text) => {
      expect(await judge(text), text).toBe('pass');
    }),
    { numRuns: countOf(1_000), seed: SEED },
  );
});

it.each<[string, string]>([
  [`yq -i '.disableAllHooks = true' ${LOCAL}`, DENIED],
  [`yq -i '.model = "opus"' ${LOCAL}`, ASKED],
  ['git checkout-index -a --prefix=.claude/', ASKED],
  ['git checkout-index -a --prefix=.cla', ASKED],
  ['git checkout-index -a --prefix=/home/dev/.config/', ASKED],
  ['git checkout-index -a --prefix=/tmp/export/', 'pass'],
  ['tar xf a.tar --transform=s/x/.claude/', ASKED],
  ['ln -s .claude/settings.json x.json', ASKED],
  ['ln -s ../.claude sub/y', ASKED],
  ['sudo mount --bind .claude x', ASKED],
  [`node -e "const f='.claude/'+'settings.json'; require('fs-extra').writeJsonSync(f, {})"`, ASKED],
  [`node -e "require('./x').save('.claude/settings.json', {})"`, ASKED],
  [`python3 -c "import x; x.write('.fairlead/config.yaml')"`, ASKED],
  [`python3 -c "import json; print(json.dumps(json.load(open('.claude/settings.json'))))"`, 'pass'],
  [`awk '{ print > ".claude/settings.json" }' a`, ASKED],
  ["vim -es -c 'w! .claude/settings.json' -c q a", ASKED],
  [`ed -s a <<< 'w .claude/settings.json'`, ASKED],
  [`sqlite3 a.db '.output .claude/settings.json' 'select 1'`, ASKED],
  ["sed -n 'w .claude/settings.json' a", ASKED],
  ["sed 's/a/b/w .claude/settings.json' a", ASKED],
  ["awk -F: '{ print $1 }' .claude/hooks/a", 'pass'],
  ['"$TOOL" .claude/settings.json', ASKED],
  ['for f in .claude/*; do : > $f; done', ASKED],
  ['find .claude -type f -exec truncate -s0 {} +', ASKED],
  ['ls -d .claude/* | xargs rm', ASKED],
  ['git ls-files .claude | xargs rm', ASKED],
  ['sudo mount --bind x .claude', ASKED],
  ['strace -o .claude/settings.json ls', ASKED],
  [`php -r 'file_put_contents(".claude/settings.json", "");'`, ASKED],
  ["git apply <<'E'\n--- a/.claude/settings.json\n+++ b/.claude/settings.json\nE", ASKED],
  ['mkdir -p .claude/commands', 'pass'],
  ['git apply x.patch', 'pass'],
  ['cd .claude && rm "$F"', ASKED],
  ['cd .claude && echo {} > "$F"', ASKED],
  ['cd ~/.config/fairlead && rm "$F"', DENIED],
  ['cd .fairlead && cp a "$F"', ASKED],
  ['cd .fairlead && some-editor "$F"', ASKED],
  ['echo {} > "$D/.claude/settings.json"', ASKED],
  ['rm "$D/.fairlead/config.yaml"', ASKED],
  ['rm "$(some-tool)/.claude.json"', ASKED],
  ['some-editor "$D/.claude/settings.json"', ASKED],
  ['some-editor "$D/fairlead/config.yaml"', ASKED],
  ['some-editor "$D/.claude.json"', ASKED],
  ['echo .claude/settings.json | xargs touch', ASKED],
  ['touch "$(realpath .claude/settings.json)"', ASKED],
  ['cd src; touch "$(realpath ../.claude/settings.json)"', ASKED],
  ['touch "$(readlink -f .claude)/settings.json"', ASKED],
  ['touch "$(dirname .claude/x)/settings.json"', ASKED],
  ['cd .claude; cd ..; cd -; touch settings.json', ASKED],
  ['pushd .claude; touch settings.json', ASKED],
  ['pushd .claude; pushd ..; popd; touch settings.json', ASKED],
  ['cd src; touch ~-/.claude/settings.json', ASKED],
  ['some-editor "$D/src/a.ts"', 'pass'],
  ['rm "$D/a.json"', 'ask guard/single-files'],
  ['find . -fprint .claude/settings.json', ASKED],
  ['curl -s https://example.com/.claude/settings.json', 'pass'],
  ['ssh host cat .claude/settings.json', 'pass'],
  ['rsync -a --exclude=.claude/ . /tmp/x', 'pass'],
  ['npx eslint .claude/hooks/a.js', 'pass'],
  ['npx vitest run src/a.test.ts', 'pass'],
  ['cd .claude && npx eslint hooks/a.js', 'pass'],
  ['claude -p "look at .claude/settings.json"', 'pass'],
])('%s: %s', async (command, verdict) => {
  expect((await judge(command)).split(' ').slice(0, 2).join(' ')).toBe(verdict);
});

describe('a stash with files that git does not track', () => {
  const world = { lost: [{ what: 'untracked', count: 1, names: ['x'] }] } as const satisfies Look;

  async function stash(command: string, look: Look, present: readonly string[]) {
    const looked: string[] = [];
    const engine = Object.assign(guardEngine(), {
      facts: {
        ...NO_FACTS,
        losses: (effects: readonly { readonly path?: string; readonly git?: object }[]) => {
          looked.push(...effects.map(({ path, git }) => `${path} ${JSON.stringify(git)}`));
          return effects.map(() => look);
        },
      },
    });
    const stat = (path: string) =>
      present.includes(path) ? { kind: 'file' as const, size: 1, mtimeMs: 1 } : undefined;
    Object.assign(engine.files, { stat });
    const { action, by } = await send(engine, shell(command));
    return { verdict: [action, ...by].join(' '), looked };
  }

  it.each([
    ['git stash -u', {}],
    ['git stash --include-untracked', {}],
    ['git stash push -u -m x', {}],
    ['git stash save -u', {}],
    ['git stash -a', { ignored: 'too' }],
    ['git stash push --all', { ignored: 'too' }],
  ])('takes settings away: %s', async (command, more) => {
    const { verdict, looked } = await stash(command, world, [`${ROOT}/${LOCAL}`]);
    expect(verdict).toBe(ASKED);
    expect(looked).toEqual([`${ROOT}/${LOCAL} ${JSON.stringify({ dir: ROOT, ...more })}`]);
  });

  it('takes rules of the project away', async () => {
    expect((await stash('git stash -u', world, [`${ROOT}/.fairlead`])).verdict).toBe(ASKED);
  });

  it('passes where a look finds that they stay, or they are not there', async () => {
    expect((await stash('git stash -u', { lost: [] }, [`${ROOT}/${LOCAL}`])).verdict).toBe('pass');
    expect((await stash('git stash -u', world, [])).verdict).toBe('pass');
    expect((await stash('git stash', world, [`${ROOT}/${LOCAL}`])).verdict).toBe('pass');
    expect((await stash('git stash pop', world, [`${ROOT}/${LOCAL}`])).verdict).toBe('pass');
  });
});
