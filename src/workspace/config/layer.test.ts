import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { isFresh } from './layer.ts';
import { acceptProject, listProject } from './trust.ts';
import { countingFiles, depsWith, home, idsOf, load, project, put, rule, useDirectories } from './layer.fixture.ts';

useDirectories();

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
  ])('a broken message override says what is wrong, and no older text: %s', async (_name, text) => {
    put(home, 'messages/a/b/c.md', 'good');
    put(home, 'messages/a/b/d.md', 'good');
    await load();
    const path = put(home, 'messages/a/b/c.md', text);
    const layer = await load();
    expect(layer.messages['a/b']).toMatchObject({ c: { text: '', problem: expect.any(String) }, d: { text: 'good' } });
    expect(layer.messages['a/b']?.['d']).not.toHaveProperty('problem');
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
