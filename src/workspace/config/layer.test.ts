import { build } from 'esbuild';
import fc from 'fast-check';
import { spawn } from 'node:child_process';
import type { SpawnOptionsWithoutStdio } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import type { Files } from '../../platform/files.ts';
import { isFresh, loadLayer } from './layer.ts';
import type { LayerDeps, LayerKind } from './layer.ts';
import { parseUserRule } from '../../user-rules/parse.ts';
import type { UserRule } from '../../user-rules/parse.ts';
import { acceptProject, listProject } from './trust.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-layer-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let home: string;
let project: string;
let state: string;
let count = 0;
beforeEach(() => {
  const dir = join(top, String((count += 1)));
  [home, project, state] = [join(dir, 'config'), join(dir, 'project'), join(dir, 'state')];
  for (const path of [home, project]) mkdirSync(path, { recursive: true });
});

const ALIASES = { toolAliases: {}, eventAliases: {} };
const rule = (name: string) =>
  `---\nname: ${name}\nevent: tool.before\ntool: shell\nwords: [deploy]\n---\nDeploy from the pipeline.\n`;
const idsOf = ({ rules }: { readonly rules: readonly UserRule[] }) => rules.map(({ meta }) => meta.id);

/** A clock ahead of the files, so that every file counts as settled. */
function depsWith(files: Files = nodeFiles, now = () => Date.now() + 60_000): LayerDeps {
  return {
    files,
    state,
    now,
    build: 'test',
    loadRuleParser: () => Promise.resolve((text, place) => parseUserRule(text, { ...place, ...ALIASES })),
  };
}

function put(dir: string, name: string, text: string | Uint8Array): string {
  const path = join(dir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const load = (kind: LayerKind = 'user', deps = depsWith()) => loadLayer(kind, kind === 'user' ? home : project, deps);

/** Counts how often a layer is read from its own files rather than from the compiled form. */
function countingFiles(): { files: Files; reads: string[] } {
  const reads: string[] = [];
  const readBytes: Files['readBytes'] = (path, max) => {
    reads.push(path);
    return nodeFiles.readBytes(path, max);
  };
  return { files: { ...nodeFiles, readBytes }, reads };
}

describe("the user's layer", () => {
  it('is empty where there is no directory, and appears with it', async () => {
    rmSync(home, { recursive: true });
    const layer = await load();
    expect(layer).toMatchObject({ state: 'absent', config: {}, rules: [], messages: {}, problems: [], files: [] });
    expect(isFresh(layer, nodeFiles)).toBe(true);
    put(home, 'config.yaml', 'state: { pruneDays: 3 }');
    expect(isFresh(layer, nodeFiles)).toBe(false);
    expect((await load()).config).toEqual({ state: { pruneDays: 3 } });
  });

  it('holds config, rules and messages', async () => {
    put(home, 'config.yaml', 'rules: { a/b: off }');
    put(home, 'rules/one.md', rule('one'));
    put(home, 'rules/two.md', rule('two'));
    put(home, 'messages/basics/repeated-failure/twice.md', 'Look at {tool}.\n');
    const silent = put(home, 'messages/basics/repeated-failure/thrice.md', '\n');
    const layer = await load();
    expect(layer.problems).toEqual([]);
    expect(layer.config).toEqual({ rules: { 'a/b': { enabled: false } } });
    expect(idsOf(layer)).toEqual(['user/one', 'user/two']);
    expect(layer.messages).toMatchObject({
      'basics/repeated-failure': { twice: { text: 'Look at {tool}.' }, thrice: { text: '', file: silent } },
    });
    expect(layer.files.map((file) => `${file.name} ${file.state}`)).toContain('rules/one.md ok');
  });

  it('is the same from its compiled form, which reads none of its files', async () => {
    put(home, 'config.yaml', 'rules: { a/b: off }');
    put(home, 'rules/one.md', rule('one'));
    put(home, 'messages/a/b/c.md', 'text');
    const { files, reads } = countingFiles();
    const cold = await load('user', depsWith(files));
    expect(reads).toHaveLength(3);
    expect(await load('user', depsWith(files))).toEqual(cold);
    expect(reads).toHaveLength(3);
  });

  it('follows links, as dotfile managers make them', async () => {
    const kept = put(dirname(home), 'dotfiles/one.md', rule('one'));
    mkdirSync(join(home, 'rules'));
    symlinkSync(kept, join(home, 'rules/one.md'));
    const layer = await load();
    expect(idsOf(layer)).toEqual(['user/one']);
    writeFileSync(kept, rule('two'));
    expect(isFresh(layer, nodeFiles)).toBe(false);
    expect(idsOf(await load())).toEqual(['user/two']);
  });

  it('warns of files that people expect to be read', async () => {
    put(home, 'config.yml', 'rules: {}');
    put(home, 'rules/one.yaml', rule('one'));
    put(home, 'rules/.one.md.swp', 'x');
    const { problems } = await load();
    expect(problems.map(({ file, severity }) => [file, severity])).toEqual([
      [join(home, 'config.yml'), 'warning'],
      [join(home, 'rules/one.yaml'), 'warning'],
    ]);
  });
});

describe('an invalid file', () => {
  it('leaves its last good version in force, through any number of broken ones', async () => {
    put(home, 'config.yaml', 'state: { pruneDays: 3 }');
    put(home, 'rules/one.md', rule('one'));
    put(home, 'rules/two.md', rule('two'));
    await load();
    put(home, 'config.yaml', 'state: { pruneDays: x }');
    put(home, 'rules/one.md', 'nothing');
    put(home, 'rules/two.md', rule('second'));
    for (const text of [
      'nothing',
      'nothing at all',
      rule('no good name?'),
      new Uint8Array([0xff, 0xfe]),
      'x'.repeat(65 * 1024),
    ]) {
      put(home, 'rules/one.md', text);
      const layer = await load();
      expect(layer.config).toEqual({ state: { pruneDays: 3 } });
      expect(idsOf(layer)).toEqual(['user/one', 'user/second']);
      expect(layer.files.map((file) => file.state)).toEqual(['kept', 'kept', 'ok']);
      expect(layer.problems.map(({ file, severity }) => `${severity} ${file}`).sort()).toEqual([
        `error ${join(home, 'config.yaml')}`,
        `error ${join(home, 'rules/one.md')}`,
      ]);
    }
    rmSync(join(home, 'rules/one.md'));
    put(home, 'config.yaml', 'state: { pruneDays: 4 }');
    const repaired = await load();
    expect(repaired).toMatchObject({
      config: { state: { pruneDays: 4 } },
      problems: [],
      rules: [{ meta: { id: 'user/second' } }],
    });
  });

  it('is one whose rule has the name of another', async () => {
    put(home, 'rules/a.md', rule('same'));
    const second = put(home, 'rules/b.md', rule('same'));
    const layer = await load();
    expect(idsOf(layer)).toEqual(['user/same']);
    expect(layer.files.map((file) => file.state)).toEqual(['ok', 'broken']);
    expect(layer.problems).toEqual([
      expect.objectContaining({
        file: second,
        key: 'name',
        severity: 'error',
        message: expect.stringContaining('rules/a.md'),
      }),
    ]);
  });

  it('costs the rules and nothing else when their reader cannot be loaded', async () => {
    put(home, 'config.yaml', 'state: { pruneDays: 3 }');
    put(home, 'rules/one.md', rule('one'));
    const layer = await load('user', { ...depsWith(), loadRuleParser: () => Promise.reject(new Error('gone')) });
    expect(layer).toMatchObject({ config: { state: { pruneDays: 3 } }, rules: [], problems: [{ severity: 'error' }] });
  });

  it('has no effect when there was no good version', async () => {
    put(home, 'config.yaml', 'a: [');
    put(home, 'rules/one.md', rule('one'));
    const layer = await load();
    expect(layer).toMatchObject({
      config: {},
      rules: [{ meta: { id: 'user/one' } }],
      files: [{ state: 'broken' }, { state: 'ok' }],
    });
  });

  it('keeps its last good version over another build, which compiles anew', async () => {
    const path = put(home, 'rules/one.md', rule('one'));
    await load();
    writeFileSync(path, 'nothing');
    const { files, reads } = countingFiles();
    const other = { ...depsWith(files), build: 'other' };
    expect(idsOf(await load('user', other))).toEqual(['user/one']);
    expect(reads).toHaveLength(1);
    await load('user', depsWith(files));
    expect(reads).toHaveLength(2);
  });

  it.each([
    ['too large', 'x'.repeat(16 * 1024 + 1)],
    ['an open brace', 'then {tool'],
    ['not text', new Uint8Array([0xc3, 0x28])],
  ])('a broken message override is dropped: %s', async (_name, text) => {
    put(home, 'messages/a/b/c.md', 'good');
    put(home, 'messages/a/b/d.md', 'good');
    await load();
    const path = put(home, 'messages/a/b/c.md', text);
    const layer = await load();
    expect(Object.keys(layer.messages['a/b'] ?? {})).toEqual(['d']);
    expect(layer.problems).toEqual([expect.objectContaining({ file: path, severity: 'warning' })]);
  });

  it('stops nothing when it is a pipe, a directory or larger than it may be', async () => {
    mkdirSync(join(home, 'config.yaml'));
    put(home, 'rules/big.md', rule('big') + 'x'.repeat(64 * 1024));
    put(home, 'rules/one.md', rule('one'));
    const layer = await load();
    expect(idsOf(layer)).toEqual(['user/one']);
    expect(layer.problems.map(({ message }) => message)).toEqual(['cannot be read', 'is larger than 64 KiB']);
  });
});

describe('changes are seen', () => {
  /** Whole seconds, so that it can be restored exactly. */
  const OLD = 1_700_000_000;
  const changes: [string, () => void][] = [
    ['config changed', () => put(home, 'config.yaml', 'state: { pruneDays: 4 }')],
    ['config removed', () => rmSync(join(home, 'config.yaml'))],
    ['rule added', () => put(home, 'rules/three.md', rule('three'))],
    ['rule removed', () => rmSync(join(home, 'rules/one.md'))],
    ['rule renamed', () => renameSync(join(home, 'rules/one.md'), join(home, 'rules/uno.md'))],
    ['message added deep down', () => put(home, 'messages/a/b/new.md', 'x')],
    ['message directory added', () => put(home, 'messages/a/c/new.md', 'x')],
    ['rules directory removed', () => rmSync(join(home, 'rules'), { recursive: true })],
    ['whole directory removed', () => rmSync(home, { recursive: true })],
    [
      'same size, times restored',
      () => {
        const path = join(home, 'rules/one.md');
        writeFileSync(path, rule('eno'));
        utimesSync(path, OLD, OLD);
      },
    ],
    [
      'replaced by another file of the same size and time',
      () => {
        const path = join(home, 'rules/one.md');
        const other = put(home, '../other.md', rule('eno'));
        utimesSync(other, OLD, OLD);
        renameSync(other, path);
      },
    ],
  ];
  it.each(changes)('%s', async (_name, change) => {
    put(home, 'config.yaml', 'state: { pruneDays: 3 }');
    utimesSync(put(home, 'rules/one.md', rule('one')), OLD, OLD);
    put(home, 'messages/a/b/c.md', 'x');
    const layer = await load();
    expect(isFresh(layer, nodeFiles)).toBe(true);
    change();
    expect(isFresh(layer, nodeFiles)).toBe(false);
    expect(await load()).not.toMatchObject({
      config: layer.config,
      rules: layer.rules,
      messages: layer.messages,
      files: layer.files,
    });
  });

  it('a file changed twice within one tick of the clock is read again', async () => {
    put(home, 'rules/one.md', rule('one'));
    const young = await load('user', depsWith(nodeFiles, Date.now));
    expect(isFresh(young, nodeFiles)).toBe(false);
    const { files, reads } = countingFiles();
    await load('user', depsWith(files));
    expect(reads).toHaveLength(1);
    expect(isFresh(await load('user', depsWith(files)), nodeFiles)).toBe(true);
    expect(reads).toHaveLength(1);
  });

  it('a warm layer always equals a cold one, whatever was done to the files', async () => {
    const name = fc.constantFrom('config.yaml', 'rules/a.md', 'rules/b.md', 'messages/p/r/v.md');
    const text = (file: string, version: number) => {
      if (version === 0) return '- {broken';
      return file.startsWith('rules/') ? rule(`${file.slice(6, 7)}${version}`) : `state: { pruneDays: ${version} }`;
    };
    const version = fc.option(fc.nat({ max: 2 }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, version), { maxLength: 8 }), async (steps) => {
        rmSync(home, { recursive: true, force: true });
        rmSync(state, { recursive: true, force: true });
        for (const [changed, content] of steps) {
          if (content === null) rmSync(join(home, changed), { force: true });
          else put(home, changed, text(changed, content));
          const warm = await load('user', depsWith(nodeFiles, Date.now));
          expect(await load('user', depsWith(nodeFiles, Date.now))).toMatchObject({
            config: warm.config,
            rules: warm.rules,
            messages: warm.messages,
          });
          const cold = await loadLayer('user', home, { ...depsWith(), state: `${state}-none` });
          const broken = warm.files.filter((file) => file.state === 'kept').map((file) => file.name);
          expect(cold.files.filter((file) => !broken.includes(file.name))).toEqual(
            warm.files.filter((file) => !broken.includes(file.name)),
          );
          rmSync(`${state}-none`, { recursive: true, force: true });
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('the compiled form', () => {
  it.each(['', '{', 'null', '[]', '"x"', '{"format":1}', '{"format":99,"kind":"user"}'])(
    'is made anew when it reads %j',
    async (garbage) => {
      put(home, 'rules/one.md', rule('one'));
      const layer = await load();
      const [name = ''] = readdirSync(join(state, 'compiled'));
      writeFileSync(join(state, 'compiled', name), garbage);
      expect((await load()).rules).toEqual(layer.rules);
      expect(JSON.parse(readFileSync(join(state, 'compiled', name), 'utf8'))).toMatchObject({ kind: 'user' });
    },
  );

  it.each(['plain', 'ünïcode and  spaces', '日本'.repeat(20), 'a-very-long-name'.repeat(12)])(
    'is kept for a directory called %s',
    async (name) => {
      home = join(home, name);
      put(home, 'rules/one.md', rule('one'));
      const { files, reads } = countingFiles();
      await load('user', depsWith(files));
      expect(idsOf(await load('user', depsWith(files)))).toEqual(['user/one']);
      expect(reads).toHaveLength(1);
    },
  );

  it('is readable by its owner only', async () => {
    await load();
    const dir = join(state, 'compiled');
    expect(readdirSync(dir).map((name) => statSync(join(dir, name)).mode & 0o777)).toEqual([0o600]);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });

  it('is done without when the state directory cannot be written', async () => {
    const files: Files = {
      ...nodeFiles,
      writeAtomic() {
        throw new Error('EROFS');
      },
    };
    put(home, 'rules/one.md', rule('one'));
    const first = await load('user', depsWith(files));
    expect(idsOf(first)).toEqual(['user/one']);
    put(home, 'rules/one.md', 'nothing');
    expect((await load('user', depsWith(files))).rules).toEqual([]);
    const kept = await loadLayer('user', home, depsWith(files), first);
    expect(kept).toMatchObject({ rules: [{ meta: { id: 'user/one' } }], files: [{ state: 'kept' }] });
  });
});

describe('in processes of their own', () => {
  const bundle = join(top, 'bundle');
  const DRIVER = `
    import { loadLayer } from './layer.ts';
    import { nodeFiles } from '../../platform/files.ts';
    const loadRuleParser = async () => {
      const { parseUserRule } = await import('../../user-rules/parse.ts');
      return (text, place) => parseUserRule(text, { ...place, toolAliases: {}, eventAliases: {} });
    };
    const [home, state] = process.argv.slice(2);
    const deps = { files: nodeFiles, state, now: () => Date.now() + 60000, build: 'b', loadRuleParser };
    const layer = await loadLayer('user', home, deps);
    console.log(JSON.stringify(layer));
  `;
  const run = (options: SpawnOptionsWithoutStdio = {}) =>
    new Promise<string>((resolve, reject) => {
      const child = spawn(process.execPath, [join(bundle, 'driver.js'), home, state], options);
      let [output, errors] = ['', ''];
      child.stdout.on('data', (data) => (output += String(data)));
      child.stderr.on('data', (data) => (errors += String(data)));
      child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(errors))));
    });

  beforeAll(async () => {
    await build({
      stdin: { contents: DRIVER, resolveDir: import.meta.dirname, sourcefile: 'driver.ts', loader: 'ts' },
      ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', outdir: bundle, entryNames: 'driver' },
      banner: { js: "import{createRequire as $r}from'node:module';globalThis.require??=$r(import.meta.url);" },
    });
    writeFileSync(join(bundle, 'package.json'), '{"type":"module"}');
    chmodSync(top, 0o755);
  });

  it('reads a layer where the state directory is read-only', async () => {
    put(home, 'rules/one.md', rule('one'));
    mkdirSync(state);
    chmodSync(state, 0o555);
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    for (let at = 0; at < 2; at += 1)
      expect(JSON.parse(await run(nobody))).toMatchObject({ rules: [{ meta: { id: 'user/one' } }] });
    expect(readdirSync(state)).toEqual([]);
    chmodSync(state, 0o755);
  });

  it('compiles at once without harm, and a warm start never loads the compiler', async () => {
    put(home, 'config.yaml', 'state: { pruneDays: 3 }');
    for (let at = 0; at < 10; at += 1) put(home, `rules/${at}.md`, rule(`r${at}`));

    const outputs = (await Promise.all([run(), run(), run(), run()])).map((output) => JSON.parse(output));
    for (const layer of outputs) {
      expect(layer.config).toEqual({ state: { pruneDays: 3 } });
      expect(layer.rules).toHaveLength(10);
    }
    expect(readdirSync(join(state, 'compiled'))).toHaveLength(1);

    const compilers = readdirSync(bundle).filter((name) => name.startsWith('compile-'));
    expect(compilers).toHaveLength(1);
    for (const name of compilers) rmSync(join(bundle, name));
    expect(JSON.parse(await run())).toMatchObject({ config: { state: { pruneDays: 3 } } });
    put(home, 'rules/0.md', 'changed');
    await expect(run()).rejects.toThrow(/compile-/);
  });
});

describe("a project's layer", () => {
  const trust = () => acceptProject(listProject(project, depsWith()), depsWith());
  const fill = () => {
    put(project, '.fairlead/config.yaml', 'rules: { a/b: off }');
    put(project, '.fairlead/rules/one.md', rule('one'));
    put(project, '.fairlead/messages/a/b/c.md', 'text');
  };
  const INERT = { config: {}, rules: [], messages: {} };

  it('is inert and says what it skipped until its content is accepted', async () => {
    fill();
    const layer = await load('project');
    expect(layer).toMatchObject({ state: 'untrusted', ...INERT });
    expect(layer.skipped).toEqual({
      ...{ config: 1, rules: 1, messages: 1 },
      names: ['config.yaml', 'messages/a/b/c.md', 'rules/one.md'],
    });
    expect(trust()).toEqual({ accepted: true });
    expect(isFresh(layer, nodeFiles)).toBe(false);
    const accepted = await load('project');
    expect(accepted).toMatchObject({
      state: 'trusted',
      config: { rules: { 'a/b': { enabled: false } } },
      rules: [{ meta: { id: 'project/one' } }],
      messages: { 'a/b': { c: { text: 'text' } } },
    });
    expect(accepted.skipped).toBeUndefined();
  });

  it.each([
    ['changed', () => put(project, '.fairlead/rules/one.md', rule('eno')), { changed: ['rules/one.md'] }],
    ['broken', () => put(project, '.fairlead/rules/one.md', 'nothing'), { changed: ['rules/one.md'] }],
    ['added', () => put(project, '.fairlead/rules/two.md', rule('two')), { added: ['rules/two.md'] }],
    ['removed', () => rmSync(join(project, '.fairlead/messages/a/b/c.md')), { removed: ['messages/a/b/c.md'] }],
  ])('is inert as a whole once a file is %s', async (_name, change, difference) => {
    fill();
    trust();
    await load('project');
    change();
    const layer = await load('project');
    expect(layer).toMatchObject({ state: 'changed', trust: difference, ...INERT });
    expect(layer.skipped?.names.length).toBeGreaterThan(1);
  });

  it('does not fall back to an older version when broken content is accepted', async () => {
    fill();
    trust();
    await load('project');
    put(project, '.fairlead/rules/one.md', 'nothing');
    trust();
    expect(await load('project')).toMatchObject({
      state: 'trusted',
      rules: [],
      config: { rules: {} },
      problems: [{ line: 1 }],
    });
  });

  it('parses nothing that is not trusted', async () => {
    fill();
    const deps = { ...depsWith(), loadRuleParser: () => Promise.reject(new Error('must not be asked for')) };
    expect((await load('project', deps)).state).toBe('untrusted');
  });

  it('is absent without its directory, and with one that holds nothing of ours', async () => {
    expect((await load('project')).state).toBe('absent');
    put(project, '.fairlead/notes.txt', 'x');
    expect(await load('project')).toMatchObject({ state: 'absent', problems: [] });
    expect((await load('project')).skipped).toBeUndefined();
  });
});
