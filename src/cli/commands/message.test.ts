import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandError, UsageError } from '../command.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { edit, list, reset, show } from './message.ts';

let project: PlantedProject;
beforeEach(() => void (project = plantProject()));
afterEach(() => project.remove());

const RULE = 'basics/conflict-marker';
const FILE = `messages/${RULE}/left.md`;

async function stateOf(): Promise<Record<string, unknown> | undefined> {
  const world = project.world();
  await world.run(list, '--json', '--rule', RULE);
  return (JSON.parse(world.printed.out) as { messages: Record<string, unknown>[] }).messages[0];
}

describe('message list', () => {
  it.each([
    ['no override', undefined, undefined, { source: 'built in', status: 'ok', placeholders: ['file'] }],
    ['an override', 'Look at {file}.', undefined, { source: 'user', status: 'ok', text: 'Look at {file}.' }],
    ['an empty override', ' \n', undefined, { source: 'user', status: 'silent' }],
    [
      'a placeholder that nothing fills',
      'See {path}.',
      undefined,
      {
        source: 'user',
        status: 'broken',
        problem: 'nothing fills {path}',
        text: expect.stringContaining('conflict markers'),
      },
    ],
    [
      'an open brace',
      'See {file.',
      undefined,
      { source: 'user', status: 'broken', problem: expect.stringContaining('not closed') },
    ],
    ['the project above the user', 'Mine.', 'Theirs.', { source: 'project', status: 'ok', text: 'Theirs.' }],
    [
      'a project file that cannot be read, above the user',
      'Mine.',
      'See {file',
      { source: 'project', status: 'broken', text: expect.stringContaining('conflict markers') },
    ],
  ])('tells %s', async (_, user, theirs, expected) => {
    if (user !== undefined) project.putUser(FILE, user);
    if (theirs !== undefined) project.putProject(`.fairlead/${FILE}`, theirs);
    project.trust();
    expect(await stateOf()).toMatchObject({ rule: RULE, variant: 'left', ...expected });
  });

  it('tells overrides without a message, and files without trust', async () => {
    project.putUser(`messages/${RULE}/gone.md`, 'x');
    project.putProject(`.fairlead/${FILE}`, 'x');
    const world = project.world();
    await world.run(list);
    expect(world.printed.out).toContain(`gone.md has no effect: there is no message ${RULE} gone.`);
    expect(world.printed.out).toContain(`Not trusted, so without effect:\n  .fairlead/${FILE}`);
  });
});

describe('message edit', () => {
  it.each([
    ['words', 'Look at {file}.', /in force\.\n/],
    ['words that leave a placeholder out', 'Look.', /in force and leave out \{file\}/],
    ['nothing', '', /is empty: basics\/conflict-marker says nothing here, as intended/],
  ])('takes %s', async (_, text, said) => {
    const world = project.world();
    expect(await world.run(edit, RULE, 'left', '--text', text)).toBe(0);
    expect(project.readUser(FILE).trim()).toBe(text);
    expect(world.printed.out).toMatch(said);
  });

  it('fails on words the rule cannot fill, and says which it can', async () => {
    const run = project.world().run(edit, RULE, '--text', 'See {path}.');
    await expect(run).rejects.toThrow(CommandError);
    await expect(run).rejects.toThrow('nothing fills {path}; the rule fills {file}');
    expect(await stateOf()).toMatchObject({ status: 'broken' });
  });

  it('opens the editor on a copy of the text', async () => {
    const world = project.world({ answer: true, env: { EDITOR: "sed -i -e 's/still holds/has/'" } });
    expect(await world.run(edit, RULE, 'left')).toBe(0);
    expect(project.readUser(FILE)).toContain('The new text of {file} has conflict markers');
    expect((await stateOf())?.['source']).toBe('user');
  });

  it('keeps no copy when the editor changed nothing', async () => {
    const world = project.world({ answer: true, env: { EDITOR: 'false', VISUAL: 'true' } });
    expect(await world.run(edit, RULE, 'left')).toBe(0);
    expect((await stateOf())?.['source']).toBe('built in');
  });

  it('says when the editor failed', async () => {
    await expect(project.world({ answer: true, env: { EDITOR: 'exit 3;' } }).run(edit, RULE)).rejects.toThrow(
      'exit code 3',
    );
  });

  it('leaves the copy to be edited where no editor is known', async () => {
    const world = project.world({ answer: true });
    expect(await world.run(edit, RULE)).toBe(0);
    expect(project.readUser(FILE)).toContain('conflict markers');
    expect(world.printed.out).toContain('set $EDITOR');
  });

  it('writes for the project, which waits for trust', async () => {
    const world = project.world();
    expect(await world.run(edit, RULE, '--scope', 'project', '--text', 'Ours.')).toBe(0);
    expect(readFileSync(join(project.root, '.fairlead', FILE), 'utf8')).toBe('Ours.\n');
    expect(world.printed.out).toContain('fairlead trust');
    expect((await stateOf())?.['source']).toBe('built in');
  });

  it('says when the project is above it', async () => {
    project.putProject(`.fairlead/${FILE}`, 'Theirs.');
    project.trust();
    const world = project.world();
    await world.run(edit, RULE, '--text', 'Mine.');
    expect(world.printed.out).toContain("the project's override is above it");
  });
});

describe('message show and reset', () => {
  it('shows the words in force and those below', async () => {
    project.putUser(FILE, 'Look at {file}.');
    const world = project.world();
    await world.run(show, RULE);
    expect(world.printed.out).toMatch(
      /left: user, ok\noverride: .*left\.md\nplaceholders: \{file\}\n\nLook at \{file\}\.\n\nwithout the override:\n\nThe new text of/,
    );
  });

  it('goes back to the built-in words', async () => {
    const path = project.putUser(FILE, 'Look.');
    const world = project.world();
    expect(await world.run(reset, RULE, 'left')).toBe(0);
    expect(existsSync(path)).toBe(false);
    expect(world.printed.out).toContain('now says what is built in');
    expect(await world.run(reset, RULE, 'left')).toBe(0);
    expect(world.printed.out).toContain('There is no override');
  });

  it('removes what is left of a rule that is gone', async () => {
    const path = project.putUser('messages/basics/gone/left.md', 'x');
    expect(await project.world().run(reset, 'basics/gone', 'left')).toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    [['basics/conflict-markers'], 'did you mean "basics/conflict-marker"?'],
    [[RULE, 'lefty'], 'did you mean "left"?'],
    [[RULE, 'else'], 'it has left'],
    [[RULE, 'left', '--scope', 'all'], 'user or project'],
  ])('refuses %j', async (argv, message) => {
    await expect(project.world().run(edit, ...argv, '--text', 'x')).rejects.toThrow(UsageError);
    await expect(project.world().run(edit, ...argv, '--text', 'x')).rejects.toThrow(message);
  });
});

describe('a message that the project has for ctx', () => {
  const KNOWLEDGE = 'context/check-knowledge';
  const CTX = '.context/hooks/messages/check-knowledge/warning.txt';
  const listed = async () => {
    const world = project.world();
    await world.run(list, '--rule', KNOWLEDGE);
    return world.printed.out;
  };

  it.each([
    ['Mind {{.FileWarnings}}.', /warning +ctx +ok /],
    [' \n', /warning +ctx +silent /],
    ['{{.Nope}}', /warning +ctx +broken: nothing fills \{nope\}/],
    ['{{.Nope', /warning +ctx +broken: two braces/],
  ])('%j is listed with its source and status', async (text, expected) => {
    project.putProject(CTX, text);
    expect(await listed()).toMatch(/warning +built in +ok [^]*Not trusted, so without effect:\n {2}\.context\/hooks/);
    project.trust();
    expect(await listed()).toMatch(expected);
  });

  it('is shown, stands above one of the person’s, and is not removed', async () => {
    const path = project.putProject(CTX, 'Mind {{.FileWarnings}}.');
    project.trust();
    const world = project.world();
    await world.run(show, KNOWLEDGE);
    expect(world.printed.out).toContain(`warning: ctx, ok\noverride: ${CTX}\n`);
    expect(world.printed.out).toContain('\n\nMind {fileWarnings}.\n');
    await world.run(edit, KNOWLEDGE, '--text', 'Mine.');
    expect(world.printed.out).toContain("the project's override for ctx is above it");
    await world.run(reset, KNOWLEDGE);
    expect(world.printed.out).toContain("now says what is in the project's override for ctx");
    await world.run(reset, KNOWLEDGE, '--scope', 'project');
    expect(world.printed.out).toContain(`The one in force is a file of ctx, ${CTX}`);
    expect(existsSync(path)).toBe(true);
  });
});
