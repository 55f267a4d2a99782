import { afterEach, describe, expect, it } from 'vitest';
import { readCareful } from '../../engine/careful/book.ts';
import { Draft } from '../../state/draft.ts';
import { ask, EXPLORE, grep, NUDGE, openIndexed, seen, setCareful, shell } from '../nudge.fixture.ts';
import type { World } from '../world.fixture.ts';

let world: World;
afterEach(() => world.close());

const carefulBook = () => readCareful(new Draft(world.engine.store, world.now)).book.on;

describe('a nudge', () => {
  it('row 14: becomes a denial that has its facts, the mode and both ways out', async () => {
    world = await openIndexed();
    const { note } = await grep(world);
    await world.prompt('next');
    setCareful(world, undefined);
    const { action, reason } = await grep(world);
    expect(action).toBe('deny');
    expect(reason.startsWith(note)).toBe(true);
    expect(reason).toContain(`${EXPLORE} {"query":"parseConfig"}`);
    expect(reason).toContain('Careful mode held this search back');
    expect(reason).toContain('fairlead careful off');
  });

  it.each<[row: string, lasts: number | undefined]>([
    ['row 15: stays one when the record has ended', -1],
    ['row 16: stays one without a record', undefined],
  ])('%s', async (_, lasts) => {
    world = await openIndexed();
    if (lasts !== undefined) setCareful(world, lasts);
    expect(seen(await grep(world))).toBe('note');
  });

  it('row 69: stays one when the time is up, and the person is told once', async () => {
    world = await openIndexed();
    setCareful(world, 1_000);
    expect(seen(await grep(world))).toBe('deny');
    await world.pass(1_000);
    await world.prompt('next');
    const warned = await grep(world);
    expect(seen(warned)).toBe('note');
    await world.prompt('next');
    expect((await grep(world)).warn).toBe('');
    expect(carefulBook()).toEqual({});
  });

  it('row 69: the line comes with the first event after the end', async () => {
    world = await openIndexed();
    setCareful(world, 1_000);
    await world.pass(1_000);
    const { warn, note } = await grep(world);
    expect(warn).toMatch(/careful mode has ended/);
    expect(note).toContain(NUDGE);
  });

  it('row 70: denies twice in a turn, then lets the agent search', async () => {
    world = await openIndexed();
    setCareful(world, undefined);
    const answers = [await grep(world), await grep(world), await grep(world), await grep(world)];
    expect(answers.map(seen)).toEqual(['deny', 'deny', 'note', 'pass']);
    await world.prompt('next');
    expect(seen(await grep(world))).toBe('deny');
  });

  it('row 70: as often as the person says', async () => {
    world = await openIndexed({ config: 'packs: { codegraph: { enabled: true, careful: { maxDenials: 1 } } }' });
    setCareful(world, undefined);
    expect([await grep(world), await grep(world)].map(seen)).toEqual(['deny', 'note']);
  });

  it('a search after the graph was asked passes', async () => {
    world = await openIndexed();
    setCareful(world, undefined);
    expect(seen(await grep(world))).toBe('deny');
    await ask(world);
    expect(seen(await grep(world))).toBe('pass');
  });

  it('a file is read as usual', async () => {
    world = await openIndexed();
    setCareful(world, undefined);
    expect(seen(await world.before('Read', { file_path: `${world.root}/src/a.ts` }))).toBe('pass');
    expect(seen(await grep(world, { pattern: '[0-9]+' }))).toBe('pass');
  });

  it('a pack in shadow mode denies nothing', async () => {
    world = await openIndexed({ config: 'packs: { codegraph: shadow }' });
    setCareful(world, undefined);
    expect((await grep(world)).stdout).toBe('');
  });
});

describe('commands that destroy', () => {
  const WORDS = 'git branch -D x\nrm -rf /\nrm --recursive --force /\nfind . -delete\ngit push origin +main\n';

  it.each<[row: number, command: string, expected: string]>([
    [58, 'git branch -D x', 'deny'],
    [59, 'rm -rf node_modules && rm -rf /', 'deny'],
    [60, 'rm  -rf /', 'deny'],
    [60, 'rm --recursive --force /', 'deny'],
    [61, 'find . -delete', 'deny'],
    [61, 'git push origin +main', 'deny'],
    [62, 'rm -rf node_modules', 'pass'],
    [62, 'ls -la', 'pass'],
    [63, 'npm run confirm -r', 'pass'],
    [63, 'echo "drop table users"', 'pass'],
    [63, 'git commit -m "no more rm -rf"', 'pass'],
    [64, 'rm -rf ./dist', 'pass'],
    [64, 'git push --force-with-lease', 'pass'],
    [66, `cat > notes.md <<'END'\n${WORDS}END`, 'pass'],
  ])('row %i: %s', async (row, command, expected) => {
    world = await openIndexed();
    setCareful(world, undefined);
    const answer = await shell(world, command);
    expect(seen(answer)).toBe(expected);
    if (row === 59) expect(answer.reason).toMatch(/(^|[\s`'"])\/([\s`'".,;:)]|$)/);
  });

  it.each<[command: string, text: RegExp]>([
    ['kill -9 1234', /1234/],
    ['chmod 777 /etc/passwd', /777/],
    ['git push --force', /--force/],
  ])('row 65: without careful mode, %s is told to the model', async (command, text) => {
    world = await openIndexed();
    const { action, note, reason } = await shell(world, command);
    expect(['pass', 'ask']).toContain(action);
    expect(action === 'ask' ? reason : note).toMatch(text);
  });
});

describe('who may end it', () => {
  it.each(['fairlead careful off', `env -u CLAUDECODE sh -c 'fairlead careful off'`])(
    'row 67: %s is asked about, and changes nothing',
    async (command) => {
      world = await openIndexed();
      setCareful(world, undefined);
      expect((await shell(world, command)).action).toBe('ask');
      expect((await shell(world, command, { permission_mode: 'bypassPermissions' })).action).toBe('deny');
      expect(Object.keys(carefulBook())).toEqual([world.root]);
    },
  );

  it('row 68: a write to the record is denied', async () => {
    world = await openIndexed();
    setCareful(world, undefined);
    const file = `${world.paths.state}/careful.json`;
    expect((await world.before('Write', { file_path: file, content: '{}' })).action).toBe('deny');
    expect((await shell(world, `echo '{}' > ${file}`)).action).toBe('deny');
  });
});
