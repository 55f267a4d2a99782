import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tryLock } from '../../platform/lock.ts';
import { inspectInstall } from '../install/inspect.ts';
import { fakeWorld } from '../world.fixture.ts';
import type { FakeWorldOptions } from '../world.fixture.ts';
import { LINE, MINE, plantInit, put, read } from '../init.fixture.ts';
import type { InitPlace } from '../init.fixture.ts';
import { init } from './init.ts';
import { uninstall } from './uninstall.ts';

let tree: InitPlace['tree'];
let project: string;
let local: string;
let user: string;
let world: InitPlace['world'];

beforeEach(() => void ({ tree, project, local, user, world } = plantInit()));
afterEach(() => tree.remove());

const named = (option: string): readonly string[] => (option === 'agent' ? ['claude-code'] : []);
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('who decides', () => {
  it.each<[string, Partial<FakeWorldOptions>, string[], number, boolean]>([
    ['a person says yes', { answer: true }, [], 0, true],
    ['a person says no', { answer: false }, [], 1, false],
    ['nobody can be asked', {}, [], 2, false],
    ['--yes', {}, ['--yes'], 0, true],
    ['--dry-run', { answer: true }, ['--dry-run'], 0, false],
    ['--dry-run wins over --yes', {}, ['--dry-run', '--yes'], 0, false],
  ])('%s', async (_, options, args, code, written) => {
    const at = world(options);
    expect(await at.run(init, ...args)).toBe(code);
    expect(existsSync(local)).toBe(written);
    const asks = options.answer !== undefined && args.length === 0;
    expect(at.asked).toEqual(asks ? [LINE, 'Write this? [d]'] : []);
    expect(at.printed.out).toContain('To be written\n  .claude/settings.local.json');
    expect(at.printed.out.includes(`+++ ${local}\n`)).toBe(args.includes('--dry-run') || (!written && !asks));
    expect(existsSync(join(at.paths.state, 'installs.json'))).toBe(written);
  });
});

describe('there and back', () => {
  it.each([
    ['no file, no directory', undefined],
    ['an empty file', ''],
    ['hooks of others', MINE],
    ['blanks', '{\r\n\t\r\n}\r\n'],
    ['an empty event', '{"hooks":{"Stop":[ ]},"a":1}'],
  ])('%s', async (_, before) => {
    if (before !== undefined) put(local, before);
    const at = world();
    expect(await at.run(init, '--yes')).toBe(0);
    const written = read(local);
    at.printed.out = '';
    expect(await at.run(init, '--yes')).toBe(0);
    expect(at.printed.out).toContain('Nothing to do');
    expect(read(local)).toBe(written);
    expect(await at.run(uninstall, '--yes')).toBe(0);
    if (before === undefined) expect(existsSync(join(project, '.claude'))).toBe(false);
    else expect(read(local)).toBe(before);
    expect(read(join(at.paths.state, 'installs.json'))).toBe('{}\n');
    at.printed.out = '';
    expect(await at.run(uninstall, '--yes')).toBe(0);
    expect(at.printed.out).toContain('Nothing to do');
  });

  it('keeps what was added since: in the file, beside it, or by another installation', async () => {
    const at = world();
    await at.run(init, '--yes');
    const edited = JSON.stringify(
      { permissions: { allow: ['Read'] }, ...(JSON.parse(read(local)) as object) },
      null,
      4,
    );
    put(local, edited);
    put(join(project, '.claude', 'notes.md'), 'mine');
    await at.run(uninstall, '--yes');
    expect(read(local)).toBe(JSON.stringify({ permissions: { allow: ['Read'] } }, null, 4));
    expect(existsSync(join(project, '.claude', 'notes.md'))).toBe(true);
  });

  it('removes the file it made also after the agent wrote it anew', async () => {
    const at = world();
    await at.run(init, '--yes');
    put(local, JSON.stringify(JSON.parse(read(local))));
    await at.run(uninstall, '--yes');
    expect(existsSync(join(project, '.claude'))).toBe(false);
  });

  it('gives back the first bytes after entries were updated', async () => {
    put(local, MINE);
    const at = world();
    await at.run(init, '--yes');
    const written = read(local);
    // As an older version in another directory would have left it.
    const older = written.replaceAll(/"[^"]*bin\/fairlead"/g, '"/older/bin/fairlead"');
    put(local, older);
    expect(await at.run(init, '--yes')).toBe(0);
    expect(read(local)).toBe(written);
    await at.run(uninstall, '--yes');
    expect(read(local)).toBe(MINE);
  });

  it('takes a hand-written entry for ours, and does not trust a record that outlived its entries', async () => {
    const at = world();
    await at.run(init, '--yes');
    put(local, MINE);
    await at.run(init, '--yes');
    await at.run(uninstall, '--yes');
    expect(read(local)).toBe(MINE);
  });

  it('writes through a link and leaves it one', async () => {
    const target = join(tree.home, 'dotfiles.json');
    put(target, MINE);
    mkdirSync(join(project, '.claude'));
    symlinkSync(target, local);
    chmodSync(target, 0o640);
    const at = world();
    await at.run(init, '--yes');
    expect(flat(at.printed.out)).toContain(`the file is ${target} `);
    expect(at.printed.out).toContain(`events in ${local}, which is ${target}\n`);
    expect([lstatSync(local).isSymbolicLink(), statSync(target).mode & 0o777]).toEqual([true, 0o640]);
    expect(read(target)).toContain('--agent');
    await at.run(uninstall, '--yes');
    expect([read(target), lstatSync(local).isSymbolicLink()]).toEqual([MINE, true]);
  });
});

describe('what is refused', () => {
  it.each<[string, () => string[], string, boolean]>([
    [
      'broken JSON',
      () => (put(local, '{\n  "a": 1,\n}'), []),
      'settings.local.json:3:1: not valid JSON: a comma with nothing after it',
      false,
    ],
    ['comments', () => (put(local, '{\n  // why\n}'), []), ':2:3: not valid JSON: a comment', false],
    ['hooks of a wrong shape', () => (put(local, '{"hooks":[]}'), []), '"hooks" in it is not an object', false],
    ['not text', () => (put(local, ''), writeFileSync(local, Uint8Array.of(0x7b, 0xff, 0x7d)), []), 'not UTF-8', false],
    ['a read-only file', () => (put(local, '{}'), chmodSync(local, 0o444), []), 'is read-only', false],
    ['a directory in its place', () => (mkdirSync(local, { recursive: true }), []), 'is not a file', false],
    ['the home directory', () => [tree.home], 'use --scope user', false],
    ['the top of the file system', () => ['/'], 'use --scope user', false],
    ['a directory that is not there', () => ['nowhere'], 'there is no directory', false],
    ['an unknown agent', () => ['--agent', 'nobody'], 'there is no agent "nobody"; there is claude-code', true],
    ['an unknown scope', () => ['--scope', 'global'], '--scope is one of local, project, user', true],
    ['an unknown pack', () => ['--pack', 'nothing'], 'there is no pack "nothing"; there is autocontext, basics', true],
    ['a shared file without the program on PATH', () => ['--scope', 'project'], 'not on your PATH', false],
  ])('%s', async (_, prepare, message, isUsage) => {
    const args = prepare();
    const before = existsSync(local) && statSync(local).isFile() ? readFileSync(local) : undefined;
    const error = await world()
      .run(init, ...args, '--yes')
      .then(
        () => undefined,
        (reason: unknown) => reason as Error,
      );
    expect(error?.message).toContain(message);
    expect(error?.constructor.name).toBe(isUsage ? 'UsageError' : 'CommandError');
    if (before) expect(readFileSync(local)).toEqual(before);
  });

  it('pointing hooks to another home, which would take their rules away', async () => {
    await world().run(init, '--yes');
    const written = read(local);
    const other = fakeWorld({ home: tree.home, cwd: project });
    const moved = { ...other, paths: { config: '/other/c', state: '/other/s', run: '/other/s/run' } };
    await expect(
      init.run({ args: [], text: () => undefined, list: named, has: (name) => name === 'yes' }, moved),
    ).rejects.toThrow('`fairlead uninstall` first');
    expect(read(local)).toBe(written);
  });

  it('writing over what changed while the person was reading', async () => {
    put(local, MINE);
    const at = world({ answer: true });
    const racing = { ...at, choose: async () => (put(local, '{"a":1}'), 'y' as const) };
    await expect(init.run({ args: [], text: () => undefined, list: named, has: () => false }, racing)).rejects.toThrow(
      'has changed in the meantime',
    );
    expect(read(local)).toBe('{"a":1}');
  });
});

describe('two at once', () => {
  it('the second waits for the first, whatever that has to ask, and finds its work done', async () => {
    put(local, MINE);
    let say: (answer: boolean) => void = () => {};
    // Of what it asks, the first waits.
    const ask = vi
      .fn<() => Promise<boolean>>(async () => false)
      .mockImplementationOnce(() => new Promise<boolean>((resolve) => (say = resolve)));
    const first = { ...world({ answer: true }), ask };
    const input = { args: [], text: () => undefined, list: named, has: () => false };
    const asking = init.run(input, first);
    await expect.poll(() => existsSync(join(first.paths.state, 'locks', 'install.lock'))).toBe(true);
    const second = world();
    const waiting = second.run(init, '--yes');
    await expect.poll(() => second.printed.err, { timeout: 20_000 }).toContain('this one waits for it');
    expect([read(local), second.printed.out]).toEqual([MINE, '']);
    say(true);
    expect([await asking, await waiting]).toEqual([0, 0]);
    expect(second.printed.out).toContain('Nothing to do');
  });

  it('a dry run waits for nobody', async () => {
    const lock = join(world().paths.state, 'locks');
    mkdirSync(lock, { recursive: true });
    const held = tryLock(join(lock, 'install.lock'));
    expect(await world().run(init, '--dry-run')).toBe(0);
    held?.release();
  });

  it('where no lock can be made it is done all the same', async () => {
    put(join(world().paths.state, 'locks'), 'a file');
    expect(await world().run(init, '--yes')).toBe(0);
    expect(await world().run(uninstall, '--yes')).toBe(0);
    expect(existsSync(local)).toBe(false);
  });
});

describe('what is said', () => {
  it('which root was taken, what is wired, and what comes next', async () => {
    tree.putDir('project/src/deep');
    const at = world({ cwd: join(project, 'src', 'deep') });
    await at.run(init, '--yes');
    expect(at.printed.out).toMatch(new RegExp(`^  project +${project}$`, 'm'));
    for (const word of ['fairlead log -f', 'fairlead explain --last', 'fairlead uninstall'])
      expect(at.printed.out).toContain(word);
    expect(existsSync(local)).toBe(true);
  });

  it.each<[string, () => void, string | undefined]>([
    ['git does not ignore the file', () => {}, 'is not ignored by git'],
    ['git ignores the file', () => tree.put('project/.gitignore', '.claude/settings.local.json\n'), undefined],
    ['hooks are turned off', () => put(user, '{"disableAllHooks":true}'), 'sets disableAllHooks'],
    [
      'an entry of others is invalid',
      () => put(local, '{"hooks":{"PreToolUse":[{"hooks":[{"type":"nope"}]}]}}'),
      'ignores every hook in this file',
    ],
    [
      'another file is none that can be read',
      () => put(user, '{\n  // mine\n}'),
      'settings.json: not valid JSON: a comment, which JSON does not have; the agent ignores every hook in this file',
    ],
    [
      'another scope is wired',
      () =>
        put(
          user,
          '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"fairlead","args":["hook","--agent","claude-code"]}]}]}}',
        ),
      'start fairlead twice',
    ],
  ])('%s', async (_, prepare, warning) => {
    prepare();
    const at = world();
    expect(await at.run(init, '--yes')).toBe(0);
    if (warning === undefined) expect(at.printed.err).toBe('');
    else expect(at.printed.err).toContain(warning);
    expect(read(local)).toContain('--agent');
  });
});

describe('scopes', () => {
  it('user: covers all projects, from the home directory too', async () => {
    const at = world({ cwd: tree.home });
    expect(await at.run(init, '--scope', 'user', '--yes')).toBe(0);
    expect(read(user)).toContain(`"--config", "${at.paths.config}"`);
    const inside = world();
    expect(await inside.run(uninstall, '--yes')).toBe(0);
    expect(inside.printed.err).toContain('--scope user');
    expect(existsSync(user)).toBe(true);
    expect(await at.run(uninstall, '--scope', 'user', '--yes')).toBe(0);
    expect(existsSync(user)).toBe(false);
  });

  it('project: a bare name and no path of this machine', async () => {
    const at = world({ env: { PATH: `${join(process.cwd(), 'bin')}:${process.env['PATH']}` } });
    expect(await at.run(init, '--scope', 'project', '--yes')).toBe(0);
    const text = read(join(project, '.claude', 'settings.json'));
    expect(text).toContain(
      '"command": "fairlead", "args": ["hook", "--agent", "claude-code", "--event", "PreToolUse", "--within", "55000"]',
    );
    expect(text).not.toContain(tree.home);
    expect(at.printed.err).toContain('names no directories');
  });

  it('uninstall without a scope covers both files of the project', async () => {
    const at = world({
      env: { PATH: `${join(process.cwd(), 'bin')}:${process.env['PATH']}`, CLAUDE_CONFIG_DIR: join(tree.home, 'cc') },
    });
    await at.run(init, '--yes');
    await at.run(init, '--scope', 'project', '--yes');
    expect(await at.run(uninstall, '--scope', 'local', '--yes')).toBe(0);
    expect(await at.run(uninstall, '--scope', 'project', '--yes')).toBe(0);
    expect(existsSync(join(project, '.claude'))).toBe(false);
    await at.run(init, '--yes');
    await at.run(init, '--scope', 'project', '--yes');
    expect(await at.run(uninstall, '--dry-run')).toBe(0);
    expect(existsSync(local)).toBe(true);
    expect(await at.run(uninstall, '--yes')).toBe(0);
    expect(existsSync(join(project, '.claude'))).toBe(false);
  });
});

describe('inspectInstall', () => {
  it('tells of every file what is ours and what is wrong', async () => {
    const at = world();
    const found = inspectInstall(undefined, at).map(({ agent, scope, exists, wired }) => ({
      agent,
      seen: [scope, exists, wired.length],
    }));
    const scopesOf = (name: string) => found.filter(({ agent }) => agent === name).map(({ seen }) => seen);
    expect(scopesOf('claude-code')).toEqual([
      ['local', false, 0],
      ['project', false, 0],
      ['user', false, 0],
      ['policy', false, 0],
    ]);
    expect(scopesOf('codex')).toEqual([
      ['project', false, 0],
      ['user', false, 0],
    ]);
    put(local, MINE);
    await at.run(init, '--yes');
    const [wiring] = inspectInstall(project, at);
    expect(wiring).toMatchObject({ valid: true, duplicates: [], foreign: 1, switches: [], problems: [] });
    expect(wiring?.wired).toContain('PreToolUse');
    expect(wiring?.calls).toEqual([{ words: expect.arrayContaining(['hook']), home: at.paths }]);
  });

  it('finds programs that are gone, files that are ignored and double installations', () => {
    const own = (event: string) =>
      `"${event}":[{"hooks":[{"type":"command","command":"/gone/node","args":["/gone/fairlead","hook","--agent","claude-code"]}]}]`;
    put(local, `{"hooks":{${own('Stop')},${own('PreToolUse')}}}`);
    put(user, `{"hooks":{${own('Stop')}}}`);
    put(join(project, '.claude', 'settings.json'), `{"hooks":{${own('PreToolUse')}},}`);
    const [mine, shared, everywhere] = inspectInstall(undefined, world());
    expect(mine).toMatchObject({ duplicates: ['Stop'], calls: [{ problem: '/gone/node does not exist' }] });
    expect(shared).toMatchObject({ valid: false, wired: [], problems: [{ line: 1 }] });
    expect(everywhere).toMatchObject({ scope: 'user', duplicates: ['Stop'] });
  });
});
