import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { trustStatus } from '../../workspace/config/trust.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { trust, untrust, visible } from './trust.ts';

let project: PlantedProject;
beforeEach(() => void (project = plantProject()));
afterEach(() => project.remove());

function stateNow(): string {
  return trustStatus(project.root, { files: nodeFiles, state: project.world().paths.state, now: Date.now }).state;
}

describe('trust', () => {
  it('shows every file whole and accepts what the person accepts', async () => {
    project.putProject('.fairlead/config.yaml', 'rules:\n  basics/conflict-marker: off\n');
    project.putProject(
      '.fairlead/messages/a/b.md',
      `${Array.from({ length: 300 }, (_, at) => `line ${at}`).join('\n')}\n`,
    );
    const world = project.world({ answer: true });
    expect(await world.run(trust)).toBe(0);
    expect(world.printed.out).toMatch(/config\.yaml\n1 │ rules:\n2 │ {3}basics\/conflict-marker: off\n\n/);
    expect(world.printed.out).toContain('300 │ line 299');
    expect(world.asked).toEqual(['Let 2 files in .fairlead take effect?']);
    expect(stateNow()).toBe('trusted');
    await world.run(trust);
    expect(world.printed.out).toContain('already trusted as it is: 2 files');
    expect(world.asked).toHaveLength(1);
  });

  it('accepts nothing when the person does not', async () => {
    project.putProject('.fairlead/config.yaml', 'packs: {}\n');
    expect(await project.world({ answer: false }).run(trust)).toBe(1);
    expect(stateNow()).toBe('untrusted');
  });

  it('accepts nothing that changed while it was looked at', async () => {
    const path = project.putProject('.fairlead/config.yaml', 'packs: {}\n');
    const world = project.world({ answer: true });
    const sly = { ...world, ask: async () => (writeFileSync(path, 'packs: { basics: off }\n'), true) };
    await expect(async () =>
      trust.run({ args: [], text: () => undefined, list: () => [], has: () => false }, sly),
    ).rejects.toThrow('changed while you were looking');
    expect(stateNow()).toBe('untrusted');
  });

  it('says what is different since the last time', async () => {
    project.putProject('.fairlead/config.yaml', 'packs: {}\n');
    const gone = project.putProject('.fairlead/rules/gone.md', 'x');
    await project.world().run(trust, '--yes');
    project.putProject('.fairlead/config.yaml', 'packs: { basics: off }\n');
    project.putProject('.fairlead/rules/new.md', 'x');
    rmSync(gone);
    const world = project.world();
    await world.run(trust, '--yes');
    expect(world.printed.out).toContain(
      'Since you last accepted it:\n  changed: config.yaml\n  new: rules/new.md\n  gone: rules/gone.md\n',
    );
    expect(world.printed.out).toContain('config.yaml (changed)\n');
    expect(stateNow()).toBe('trusted');
  });

  it('tells problems of the files with their lines', async () => {
    project.putProject('.fairlead/config.yaml', 'packs: {}\nrulez: {}\n');
    project.putProject('.fairlead/rules/x.md', '---\nevent: bsh\n---\nx\n');
    const world = project.world();
    await world.run(trust, '--yes');
    expect(world.printed.out).toMatch(/warning: \.fairlead\/config\.yaml:2: unknown key/);
    expect(world.printed.out).toMatch(/error: \.fairlead\/rules\/x\.md:2: there is no event `bsh`/);
  });

  it.each([
    ['a terminal escape', 'a\u001b[2Jb', 'a\\u{1b}[2Jb'],
    ['text that runs backwards', 'a\u202eb', 'a\\u{202e}b'],
    ['a hidden letter', 'a\u200bb\u{e0041}', 'a\\u{200b}b\\u{e0041}'],
    ['a return over the line', 'bad\rgood', 'bad\\u{d}good'],
    ['what people write', 'naïve\t日本 🎉', 'naïve\t日本 🎉'],
  ])('makes %s visible', (_, text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it('takes the workspace of the directory that was named', async () => {
    project.putProject('.fairlead/config.yaml', 'packs: {}\n');
    mkdirSync(join(project.root, 'src'));
    const world = project.world();
    await world.run(trust, 'src', '--yes');
    expect(world.printed.err).toContain(`src belongs to the project ${project.root}`);
    expect(stateNow()).toBe('trusted');
    await expect(async () => world.run(trust, 'none')).rejects.toThrow('no directory none');
  });

  it('has nothing to trust in a project that brings nothing', async () => {
    const world = project.world({ answer: true });
    expect(await world.run(trust)).toBe(0);
    expect(world.printed.out).toContain('Nothing to trust');
    expect(world.asked).toEqual([]);
  });
});

describe('untrust', () => {
  it('takes trust back, once', async () => {
    project.putProject('.fairlead/config.yaml', 'packs: {}\n');
    const world = project.world();
    await world.run(trust, '--yes');
    await world.run(untrust);
    expect(stateNow()).toBe('untrusted');
    await world.run(untrust);
    expect(world.printed.out).toMatch(/is no longer trusted.*\n.*nothing to take back/);
  });
});

describe('a project that comes from ctx', () => {
  const plant = (files: Readonly<Record<string, string>> = {}) => {
    for (const name of ['CONSTITUTION', 'TASKS', 'DECISIONS']) project.putProject(`.context/${name}.md`, 'secret plan');
    for (const [name, text] of Object.entries(files)) project.putProject(name, text);
  };
  const contextNow = () =>
    trustStatus(project.root, { files: nodeFiles, state: project.world().paths.state, now: Date.now }).context;

  it('is accepted for the text of its .context alone, which is not shown', async () => {
    plant();
    const world = project.world({ answer: true });
    expect(await world.run(trust)).toBe(0);
    expect(world.asked).toEqual(['Let the text of .context reach the agent?']);
    expect(world.printed.out).toContain(
      'The text of .context/*.md, and reminders kept there, will be given to the agent',
    );
    expect(world.printed.out).not.toContain('secret plan');
    expect(contextNow()).toBe('trusted');
    await world.run(trust);
    expect(world.printed.out).toContain('this project is already trusted as it is: the text of .context.');
    await world.run(untrust);
    expect(world.printed.out).toContain('this project is no longer trusted');
    expect(contextNow()).toBe('absent');
  });

  it('shows its settings and messages whole, with what is wrong in them', async () => {
    plant({ '.ctxrc': 'event_log: true\nnotify: [', '.context/hooks/messages/qa-reminder/gate.txt': 'Lint {{if}}\n' });
    project.putProject('.fairlead/config.yaml', 'packs: {}\n');
    const world = project.world({ answer: true });
    expect(await world.run(trust)).toBe(0);
    expect(world.asked).toEqual(['Let 3 files in this project take effect, and that text reach the agent?']);
    expect(world.printed.out).toMatch(/\.ctxrc\n1 │ event_log: true\n2 │ notify: \[\n/);
    expect(world.printed.out).toContain('.context/hooks/messages/qa-reminder/gate.txt\n1 │ Lint {{if}}\n');
    expect(world.printed.out).toMatch(/warning: \.ctxrc:2: not valid YAML/);
    expect(world.printed.out).toMatch(/warning: \.context\/hooks\/messages\/qa-reminder\/gate\.txt:1: .*no variable/);
    expect([stateNow(), contextNow()]).toEqual(['trusted', 'trusted']);
  });

  it('says what is different since the last time', async () => {
    plant({ '.ctxrc': 'event_log: true\n' });
    await project.world().run(trust, '--yes');
    project.putProject('.ctxrc', 'event_log: false\n');
    const world = project.world({ answer: false });
    expect(await world.run(trust)).toBe(1);
    expect(world.printed.out).toContain('.ctxrc (changed)\n');
    expect(world.printed.out).toContain('Since you last accepted it:\n  changed: .ctxrc\n');
    expect(contextNow()).toBe('changed');
  });

  it('that was trusted before it had a .context is asked about again', async () => {
    project.putProject('.fairlead/config.yaml', 'packs: {}\n');
    await project.world().run(trust, '--yes');
    plant();
    const world = project.world({ answer: true });
    await world.run(trust);
    expect(world.asked).toEqual(['Let 1 file in this project take effect, and that text reach the agent?']);
  });

  it('may have its context below the root', async () => {
    for (const name of ['CONSTITUTION', 'TASKS', 'DECISIONS']) project.putProject(`sub/.context/${name}.md`, '');
    const world = project.world({ answer: true });
    expect(await world.run(trust, 'sub')).toBe(0);
    expect(world.asked).toEqual(['Let the text of sub/.context reach the agent?']);
    expect(contextNow()).toBe('trusted');
  });

  it('has nothing to trust in a .context that no rule reads', async () => {
    project.putProject('.context/notes.md', '');
    const world = project.world({ answer: true });
    expect(await world.run(trust)).toBe(0);
    expect(world.printed.out).toContain('Nothing to trust');
    expect(world.asked).toEqual([]);
  });
});
