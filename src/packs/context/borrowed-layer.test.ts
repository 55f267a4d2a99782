import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import type { Files } from '../../platform/files.ts';
import { isAccepted } from '../../workspace/policy.ts';
import { isFresh } from '../../workspace/config/layer.ts';
import type { Layer } from '../../workspace/config/layer.ts';
import { countingFiles, depsWith, load, project, put, useDirectories } from '../../workspace/config/layer.fixture.ts';
import { acceptProject, forgetProject, listProject, trustStatus } from '../../workspace/config/trust.ts';

useDirectories();

const GATE = '.context/hooks/messages/qa-reminder/gate.txt';
const accept = () => acceptProject(listProject(project, depsWith()), depsWith());
const status = () => trustStatus(project, depsWith());
const loaded = () => load('project');

describe('trust', () => {
  it('accepts the text of a .context where there is nothing to hash, and forgets it', async () => {
    put(project, '.context/TASKS.md', '# Tasks');
    const before = await loaded();
    expect(before).toMatchObject({ state: 'absent', files: [] });
    expect(isAccepted(before)).toBe(false);
    expect(accept()).toEqual({ accepted: true });
    expect(isFresh(before, nodeFiles)).toBe(false);
    const after = await loaded();
    expect(isAccepted(after)).toBe(true);
    put(project, '.context/TASKS.md', '# Other tasks');
    expect(isFresh(after, nodeFiles)).toBe(true);
    forgetProject(project, depsWith());
    expect(isAccepted(await loaded())).toBe(false);
  });

  it('needs more than accepted settings for the text of a .context that comes later', async () => {
    put(project, '.fairlead/config.yaml', 'packs: {}');
    accept();
    put(project, '.context/TASKS.md', '# Tasks');
    expect(await loaded()).toMatchObject({ state: 'trusted' });
    expect(isAccepted(await loaded())).toBe(false);
    accept();
    expect(isAccepted(await loaded())).toBe(true);
  });

  it.each<[string, () => void, ReturnType<typeof status>['state'], string, boolean]>([
    ['nothing changed', () => {}, 'trusted', 'trusted', true],
    ['.ctxrc changed', () => put(project, '.ctxrc', 'context_window: 2'), 'trusted', 'changed', false],
    ['a message came', () => put(project, '.context/hooks/messages/a/b.txt', 'x'), 'trusted', 'changed', false],
    ['.ctxrc is gone', () => rmSync(join(project, '.ctxrc')), 'trusted', 'trusted', true],
    ['settings changed', () => put(project, '.fairlead/config.yaml', 'rules: {}'), 'changed', 'trusted', false],
    ['settings are gone', () => rmSync(join(project, '.fairlead'), { recursive: true }), 'absent', 'trusted', true],
    ['a note changed', () => put(project, '.context/TASKS.md', 'new'), 'trusted', 'trusted', true],
  ])('%s', async (_, change, state, context, isText) => {
    put(project, '.fairlead/config.yaml', 'packs: {}');
    put(project, '.ctxrc', 'context_window: 1');
    put(project, '.context/TASKS.md', 'old');
    accept();
    await loaded();
    change();
    expect(status()).toMatchObject({ state, context });
    expect(isAccepted(await loaded())).toBe(isText);
  });

  it('tells what differs, each part by itself', () => {
    put(project, '.fairlead/config.yaml', 'packs: {}');
    put(project, '.ctxrc', 'context_window: 1');
    put(project, GATE, 'x');
    accept();
    put(project, '.ctxrc', 'context_window: 2');
    put(project, '.context/hooks/messages/a/b.txt', 'x');
    rmSync(join(project, GATE));
    expect(status()).toEqual({
      ...{ state: 'trusted', context: 'changed' },
      ...{ changed: ['.ctxrc'], added: ['.context/hooks/messages/a/b.txt'], removed: [GATE] },
    });
  });

  it('has nothing to accept in an empty project, and nothing in a damaged record', () => {
    expect(accept()).toEqual({ accepted: false, reason: 'empty' });
    put(project, '.context/TASKS.md', '');
    for (const context of ['x', 1, {}, null, { digest: 1 }]) {
      const record = { version: 1, projects: { [project]: { digest: 'x', acceptedAt: 0, context } } };
      put(depsWith().state, 'trust.json', JSON.stringify(record));
      expect(status().context).toBe('absent');
    }
  });
});

describe('files of ctx', () => {
  const summary = ({ borrowed, messages, skippedBorrowed, problems }: Layer) => ({
    borrowed,
    messages,
    skippedBorrowed,
    problems,
  });

  it('have no effect until they are accepted', async () => {
    put(project, '.ctxrc', 'context_window: 7\ntoken_budget: 1');
    const file = put(project, GATE, 'Lint first.\n');
    expect(summary(await loaded())).toEqual({ messages: {}, skippedBorrowed: ['.ctxrc', GATE], problems: [] });
    accept();
    const layer = await loaded();
    expect(layer).toMatchObject({
      state: 'absent',
      skippedBorrowed: [],
      borrowed: { packs: { context: { options: { window: { size: 7 } } } } },
      config: {},
      messages: { 'context/qa-reminder': { gate: { text: 'Lint first.', file, from: 'ctx' } } },
    });
    expect(layer.files[0]?.keys).toEqual({ read: ['context_window'], ignored: ['token_budget'] });
    const { files, reads } = countingFiles();
    expect(await load('project', depsWith(files))).toEqual(layer);
    expect(reads).toEqual([]);
  });

  it('stand below those of the project itself', async () => {
    put(project, GATE, 'theirs');
    const own = put(project, '.fairlead/messages/context/qa-reminder/gate.md', 'ours');
    accept();
    const gate = (await loaded()).messages['context/qa-reminder']?.['gate'];
    expect(gate).toMatchObject({ text: 'ours', file: own });
    expect(gate).not.toHaveProperty('from');
  });

  it.each([
    ['.ctxrc', 'a: [', { messages: {} }],
    [
      GATE,
      '{{.Open',
      { messages: { 'context/qa-reminder': { gate: { problem: expect.stringContaining('not closed') } } } },
    ],
    [GATE, new Uint8Array([0xff]), { messages: { 'context/qa-reminder': { gate: { problem: 'is not UTF-8 text' } } } }],
    ['.context/hooks/messages/lone.txt', 'x', { messages: {} }],
  ])('%s that is broken is a warning: %j', async (name, text, expected) => {
    const path = put(project, name, text);
    accept();
    const layer = await loaded();
    expect(layer).toMatchObject(expected);
    expect(layer).not.toHaveProperty('borrowed');
    expect(layer.problems).toEqual([expect.objectContaining({ file: path, severity: 'warning' })]);
    expect(layer.files[0]?.state).toBe('broken');
  });

  it.each(['.ctxrc', '.context', '.context/hooks/messages'])(
    'are not used when %s leads out of the project',
    async (name) => {
      const outside = join(dirname(project), 'outside');
      put(outside, 'hooks/messages/a/b.txt', 'x');
      put(outside, 'a/b.txt', 'x');
      put(outside, 'rc', 'context_window: 1');
      mkdirSync(dirname(join(project, name)), { recursive: true });
      symlinkSync(name === '.ctxrc' ? join(outside, 'rc') : outside, join(project, name));
      accept();
      const layer = await loaded();
      expect(layer).toMatchObject({ files: [], messages: {} });
      expect(layer.problems).toEqual([expect.objectContaining({ severity: 'warning' })]);
      rmSync(join(project, name));
      put(project, '.ctxrc', 'context_window: 2');
      expect(isFresh(layer, nodeFiles)).toBe(false);
    },
  );

  it.each<[string, () => unknown]>([
    ['.ctxrc comes', () => put(project, '.ctxrc', '')],
    ['messages come', () => put(project, GATE, 'x')],
    ['something is accepted', () => put(depsWith().state, 'trust.json', '{}')],
    ['settings come', () => put(project, '.fairlead/config.yaml', '')],
  ])('are noticed in a project that had none: %s', async (_, change) => {
    put(project, '.context/TASKS.md', '');
    const layer = await loaded();
    expect(isFresh(layer, nodeFiles)).toBe(true);
    change();
    expect(isFresh(layer, nodeFiles)).toBe(false);
  });

  it('that change are noticed, as are new ones beside them', async () => {
    const rc = put(project, '.ctxrc', 'context_window: 1');
    put(project, GATE, 'x');
    accept();
    const layer = await loaded();
    expect(isFresh(layer, nodeFiles)).toBe(true);
    writeFileSync(rc, 'context_window: 2');
    expect(isFresh(layer, nodeFiles)).toBe(false);
    accept();
    const next = await loaded();
    expect(next.borrowed).toMatchObject({ packs: { context: { options: { window: { size: 2 } } } } });
    put(project, '.context/hooks/messages/qa-reminder/other.txt', 'x');
    expect(isFresh(next, nodeFiles)).toBe(false);
  });
});

it.each<[string, () => unknown, number]>([
  ['a project that brings nothing', () => {}, 4],
  ['a .context nobody accepted', () => put(project, '.context/TASKS.md', ''), 4],
  ['an accepted .context', () => (put(project, '.context/TASKS.md', ''), accept()), 4],
  ['settings of its own', () => (put(project, '.fairlead/config.yaml', ''), accept()), 6],
  ['a .ctxrc', () => (put(project, '.ctxrc', ''), accept()), 5],
])('looking again costs few stats: %s', async (_, plant, most) => {
  plant();
  const layer = await loaded();
  let stats = 0;
  const counted: Files = {
    ...nodeFiles,
    stat: (path) => ((stats += 1), nodeFiles.stat(path)),
    lstat: (path) => ((stats += 1), nodeFiles.lstat(path)),
  };
  expect(isFresh(layer, counted)).toBe(true);
  expect(stats).toBe(most);
});
