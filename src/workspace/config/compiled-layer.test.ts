import { build } from 'esbuild';
import fc from 'fast-check';
import { spawn } from 'node:child_process';
import type { SpawnOptionsWithoutStdio } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { Files } from '../../platform/files.ts';
import { isFresh, loadLayer } from './layer.ts';
import { countingFiles, depsWith, home, idsOf, load, put, rule, state, top, useDirectories } from './layer.fixture.ts';

useDirectories();

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
      cases(20),
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
      const dir = join(home, name);
      put(dir, 'rules/one.md', rule('one'));
      const { files, reads } = countingFiles();
      await loadLayer('user', dir, depsWith(files));
      expect(idsOf(await loadLayer('user', dir, depsWith(files)))).toEqual(['user/one']);
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
  let bundle: string;
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
    bundle = join(top, 'bundle');
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
