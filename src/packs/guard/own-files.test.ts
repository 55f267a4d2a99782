import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countOf, isLong, SEED } from '../../../test/cases.ts';
import { ROOT, toolEvent } from '../../engine/engine.fixture.ts';
import { judge } from '../guard.fixture.ts';

const DENIED = 'deny guard/self-protection';
const ASKED = 'ask guard/self-protection';
const CONFIG = '~/.config/fairlead';
const STATE = '~/.local/state/fairlead';

/** Hooks start it, so who changes it decides what they do. */
it.each([
  `ln -sfn /tmp/x ${STATE}/bin/current`,
  `mv /tmp/current ${STATE}/bin/current`,
  `rm -rf ${STATE}/bin`,
  `rm ${STATE}/bin/current`,
  `echo 'exit 0' > ${STATE}/bin/current/fairlead`,
  `cp /bin/true ${STATE}/bin/versions/0.1.0+1.a-b/fairlead-client`,
  `touch ${STATE}/run/gone/since`,
])('what hooks start is ours: %s', async (command) => {
  expect(await judge(toolEvent({ command }))).toBe(DENIED);
});

describe('links made in the same command', () => {
  /** Where a link leads, and the way down from there to a file of ours. */
  const LEADS = [
    [CONFIG, ['config.yaml', 'rules/a.md']],
    ['~/.config', ['fairlead/config.yaml']],
    [STATE, ['state.db', 'off', 'trust.json', 'bin/current/fairlead']],
    [`${STATE}/bin`, ['current', 'current/fairlead-client', 'versions/1/fairlead']],
    ['~/.local/state', ['fairlead/state.db']],
    ['~/.local', ['state/fairlead/trust.json']],
    ['~', ['.config/fairlead/config.yaml', '.local/state/fairlead/off']],
    [`${CONFIG}/rules`, ['../config.yaml']],
    ['~/.config/nvim', ['../fairlead/config.yaml']],
  ] as const;
  const absolute = (path: string) => path.replace('~', '/home/dev');
  const MAKERS: readonly ((to: string) => string)[] = [
    (to) => `ln -s ${to} x`,
    (to) => `ln -sfn ${to} ${ROOT}/x`,
    (to) => `cd src && ln -s ${to} ../x && cd ..`,
    (to) => `ln -s ${to} y && mv y x`,
    (to) => `ln -s ${to} y; cp -a y x`,
    (to) => `ln -s ${to} y; ln -s y x`,
    (to) => `T=${to}; ln -s "$T" x`,
    (to) => `bash -c "ln -s ${to} x"`,
    (to) => `sudo mount --bind ${to} x`,
    (to) => `mount -o rw,bind ${to} x`,
    (to) => `bindfs ${to} x`,
    (to) => `python3 -c "import os; os.symlink('${absolute(to)}', 'x')"`,
    (to) => `python3 -c "from pathlib import Path; Path('x').symlink_to('${absolute(to)}')"`,
    (to) => `node -e "require('fs').symlinkSync('${absolute(to)}', 'x')"`,
    (to) => `ruby -e "File.symlink('${absolute(to)}', 'x')"`,
  ];
  const CHANGERS: readonly ((file: string) => string)[] = [
    (file) => `echo > ${file}`,
    (file) => `: > ${file}`,
    (file) => `cat e >> ${file}`,
    (file) => `cat e | tee ${file}`,
    (file) => `sed -i s/a/b/ ${file}`,
    (file) => `perl -i -pe s/a/b/ ${file}`,
    (file) => `rm -f ${file}`,
    (file) => `cp e ${file}`,
    (file) => `mv e ${file}`,
    (file) => `mv ${file} e`,
    (file) => `dd if=e of=${file}`,
    (file) => `curl -o ${file} https://example.com/e`,
    (file) => `truncate -s 0 ${file}`,
    (file) => `install e ${file}`,
    (file) => `chmod 777 ${file}`,
    (file) => `yq -i . ${file}`,
    (file) => `some-editor --write ${file}`,
    (file) => `some-editor --out=${file}`,
    (file) => `python3 -c "open('${file}', 'w')"`,
    (file) => `(cd x && echo > ${file.slice(2)})`,
  ];
  const JOINS = ['; ', ' && ', '\n', ' || true; '];

  it('lead writes by every road to what they stand for', async () => {
    const lead = fc.constantFrom(...LEADS).chain(([to, files]) => fc.tuple(fc.constant(to), fc.constantFrom(...files)));
    const command = fc
      .tuple(lead, fc.constantFrom(...MAKERS), fc.constantFrom(...JOINS), fc.constantFrom(...CHANGERS))
      .map(([[to, file], make, join, change]) => make(to) + join + change(`x/${file}`));
    await fc.assert(
      fc.asyncProperty(command, async (text) => {
        expect([DENIED, ASKED]).toContain((await judge(text)).split(' ').slice(0, 2).join(' '));
      }),
      { numRuns: isLong ? countOf(10_000) : 60, seed: SEED },
    );
  });

  it.each<[string, string]>([
    ['ln -s ~/.config x; rm -rf x/*', DENIED],
    ['ln -s ~/.config x; rm -rf x/fairlead', DENIED],
    ['mkdir d; ln -s ~/.config d/y; cp -a d e; echo > e/y/fairlead/config.yaml', DENIED],
    ['mkdir d; ln -s ~/.config d; echo > d/.config/fairlead/config.yaml', DENIED],
    ['ln -st . ~/.config; echo > .config/fairlead/config.yaml', DENIED],
    ['for i in 1 2; do echo > x/fairlead/config.yaml; ln -s ~/.config x; done', DENIED],
    [`ln ${CONFIG}/config.yaml x; echo > x`, DENIED],
    [`cp -l ${CONFIG}/config.yaml x; echo > x`, DENIED],
    ['cp -as ~/.config x; echo > x/fairlead/config.yaml', DENIED],
    ['ln -s ~/.config/nvim x; cd x; echo > ../fairlead/config.yaml', DENIED],
    ['ln -s / x; rm -rf x/etc', 'deny guard/catastrophe'],
    [`ln -s ${CONFIG} x`, ASKED],
    ['ln -s ~/.config x', 'pass'],
    ['ln -s ../lib lib; echo > lib/x', 'pass'],
    ['ln -s /usr/bin/python3 python; rm python', 'pass'],
    ['ln -s /usr/bin/python3 python; rm -f python && npm test', 'pass'],
    ['ln -s ~/.config/nvim x; echo > x/init.lua', 'pass'],
    ['mv a b; echo > b', 'ask guard/single-files'],
  ])('%s: %s', async (command, verdict) => {
    expect(await judge(command)).toBe(verdict);
  });
});

it.each<[string, string]>([
  ['cp -r /tmp/fairlead ~/.config', DENIED],
  ['mv /tmp/fairlead ~/.config', DENIED],
  ['mv /tmp/fairlead ~/.config/', DENIED],
  ['rsync -a /tmp/fairlead ~/.config', DENIED],
  ['cp -r /tmp/e/. ~/.config', ASKED],
  ['cp -rT /tmp/c ~/.config', ASKED],
  ['cp -r /tmp/.config ~', ASKED],
  ['cp -r /tmp/e/* ~', ASKED],
  ['rsync -a /tmp/c/ ~/.config/', ASKED],
  ['cp -r nvim ~/.config', 'pass'],
  ['rsync -a nvim ~/.config/', 'pass'],
  ['cp x.json ~/.config/other/', 'pass'],
  ['mkdir -p ~/.config', 'pass'],
])('a copy or a move of a parent. %s: %s', async (command, verdict) => {
  expect(await judge(command)).toBe(verdict);
});

it.each<[string, string]>([
  ['tar xf x.tar -C ~', ASKED],
  ['tar xf x.tar -C ~/.config', ASKED],
  [`tar xf x.tar -C ${CONFIG}`, DENIED],
  ['cd ~ && tar xzf x.tgz', ASKED],
  ['tar xf x.tar -C ~ .config/fairlead/config.yaml', DENIED],
  ['unzip -o x.zip -d ~/.local', ASKED],
  ['7z x a.7z -o/home/dev/.config', ASKED],
  ['unrar x a.rar /home/dev/.config/', ASKED],
  ['cat a | cpio -i -D ~/.config', ASKED],
  ['cd ~/.config && patch -p1 < x', ASKED],
  ['patch -d ~/.config -p1 < x', ASKED],
  ['prettier --write ~/.config', ASKED],
  ['tar xf x.tar', 'pass'],
  ['tar xf x.tar -C ~ go', 'pass'],
  ['unzip x.zip -d /tmp/y', 'pass'],
  [`tar czf /tmp/b.tgz ${CONFIG}`, 'pass'],
])('an archive or a patch over it. %s: %s', async (command, verdict) => {
  expect(await judge(command)).toBe(verdict);
});

it.each<[string, string]>([
  [`yq -i '.a=1' ${CONFIG}/config.yaml`, ASKED],
  [`crudini --set ${CONFIG}/config.yaml a b c`, ASKED],
  [`some-editor ${CONFIG}/config.yaml`, ASKED],
  [`some-editor -o${CONFIG}/config.yaml`, ASKED],
  [`cd ${CONFIG} && some-editor config.yaml`, ASKED],
  [`F=${CONFIG}/config.yaml; some-editor "$F"`, ASKED],
  [`perl -e 'unlink $ARGV[0]' ${CONFIG}/config.yaml`, ASKED],
  [`git config -f ${CONFIG}/config.yaml a.b c`, ASKED],
  [`sqlite3 ${STATE}/state.db 'update cells set value = 1'`, ASKED],
  [`docker run -v ${CONFIG}:/x img prog`, ASKED],
  ["docker run -v ~/.config:/x alpine sh -c 'echo > /x/fairlead/config.yaml'", DENIED],
  [`chmod 444 ${CONFIG}/config.yaml`, ASKED],
  ['chmod -R a-w ~/.config', ASKED],
  [`umount ${STATE}`, ASKED],
  [`mount -t tmpfs none ${STATE}`, DENIED],
  ['echo > "$XDG_CONFIG_HOME/fairlead/config.yaml"', ASKED],
  ['rm -rf "${XDG_STATE_HOME:-$HOME/.local/state}/fairlead"', DENIED],
  [`find ${CONFIG} -name config.yaml -exec yq -i . {} \\;`, ASKED],
  ['find ~/.config -name config.yaml | xargs yq -i .', ASKED],
  [`python3 -c "import os; os.truncate(os.path.expanduser('~') + '/.config/fairlead/config.yaml', 0)"`, DENIED],
  [
    `python3 - <<'E'\nimport pathlib\np = pathlib.Path.home()/'.config'/'fairlead'/'config.yaml'\np.write_text('')\nE`,
    DENIED,
  ],
  ['rm /usr/local/bin/fairlead', DENIED],
  ['ln -sf /bin/true ~/.local/bin/fairlead', DENIED],
  ['chmod -x ~/.npm/bin/fairlead', ASKED],
  [`git diff --output=${CONFIG}/config.yaml`, ASKED],
  [`git show HEAD:a > /dev/null; git format-patch -o ${CONFIG}/rules HEAD~1`, ASKED],
  [`git clone . ${CONFIG}/rules`, ASKED],
  [`scp host:a ${CONFIG}/config.yaml`, DENIED],
  [`curl -s --trace ${CONFIG}/config.yaml https://example.com`, ASKED],
  [`sort -o ${CONFIG}/config.yaml a`, DENIED],
  [`tree -o ${CONFIG}/config.yaml`, ASKED],
  [`awk '{ print > FILENAME }' ${CONFIG}/config.yaml`, ASKED],
  [`tar xf a.tar --one-top-level=${CONFIG}`, ASKED],
  [`git clone status ${CONFIG}/rules`, ASKED],
  [`git -C log mv show ${CONFIG}/rules`, ASKED],
  [`git -C src log ${CONFIG}`, 'pass'],
  [`git log ${CONFIG}`, 'pass'],
  [`cat ${CONFIG}/config.yaml`, 'pass'],
  [`yq .a ${CONFIG}/config.yaml`, 'pass'],
  [`sqlite3 -readonly ${STATE}/state.db .tables`, 'pass'],
  [`cp ${CONFIG}/config.yaml /tmp/`, 'pass'],
  [`grep -r x ${CONFIG}; diff ${CONFIG}/config.yaml a`, 'pass'],
  [`git commit -m "${CONFIG}/config.yaml"`, 'pass'],
  [`export X=${CONFIG}`, 'pass'],
  [`docker run -v ${CONFIG}:/x:ro img prog`, 'pass'],
  [`python3 -c "print(open('/home/dev/.config/fairlead/config.yaml').read())"`, 'pass'],
  [`claude -p "read ${CONFIG}/config.yaml"`, 'pass'],
  ['find . -name config.yaml | xargs yq -i .', 'pass'],
  ['chmod +x bin/fairlead', 'pass'],
  ['node /opt/fairlead/dist/cli.js doctor', 'pass'],
])('an edit by another program. %s: %s', async (command, verdict) => {
  expect((await judge(command)).replace(/( guard\/self-protection) .*/, '$1')).toBe(verdict);
});

it.each<[string, string]>([
  ['apply_change', ASKED],
  ['list_directory', 'pass'],
  ['search_text', 'pass'],
])('the tool %s of a server: %s', async (tool, verdict) => {
  const path = '/home/dev/.config/fairlead/config.yaml';
  const mcp = { server: 'x', tool };
  expect(await judge(toolEvent({ kind: 'mcp', name: `mcp__x__${tool}`, mcp, paths: [path], input: { path } }))).toBe(
    verdict,
  );
});
