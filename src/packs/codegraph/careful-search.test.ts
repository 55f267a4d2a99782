import { afterEach, describe, expect, it } from 'vitest';
import { readCareful } from '../../engine/careful/book.ts';
import { Draft } from '../../state/draft.ts';
import { ask, EXPLORE, grep, NUDGE, openIndexed, seen, setCareful, shell } from '../nudge.fixture.ts';
import type { World } from '../world.fixture.ts';

let world: World;
afterEach(() => world.close());

const carefulBook = () => readCareful(new Draft(world.engine.store, world.now)).book.on;

describe('a nudge', () => {
  it('becomes a denial that has its facts, the mode and both ways out', async () => {
    world = await openIndexed();
    const { note } = await grep(world);
    await world.prompt('next');
    setCareful(world, undefined);
    const { action, reason } = await grep(world);
    expect(action).toBe('deny');
    const [fact] = note.split('\n');
    expect(reason.split('\n')).toEqual([
      `${fact} Careful mode holds a broad search back; a search of files that are named runs.`,
      `${EXPLORE} {"query":"parseConfig"}`,
      'Careful mode is on here; a person ends it with `fairlead careful off`.',
    ]);
  });

  it.each<[row: string, lasts: number | undefined]>([
    ['stays one when the record has ended', -1],
    ['stays one without a record', undefined],
  ])('%s', async (_, lasts) => {
    world = await openIndexed();
    if (lasts !== undefined) setCareful(world, lasts);
    expect(seen(await grep(world))).toBe('note');
  });

  it('stays one when the time is up, and the person is told once', async () => {
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

  it('the line comes with the first event after the end', async () => {
    world = await openIndexed();
    setCareful(world, 1_000);
    await world.pass(1_000);
    const { warn, note } = await grep(world);
    expect(warn).toMatch(/^\[guard\/careful\] Careful mode has ended/);
    expect(note).toContain(NUDGE);
  });

  it('denies twice in a turn, then lets the agent search', async () => {
    world = await openIndexed();
    setCareful(world, undefined);
    const answers = [await grep(world), await grep(world), await grep(world), await grep(world)];
    expect(answers.map(seen)).toEqual(['deny', 'deny', 'note', 'pass']);
    await world.prompt('next');
    expect(seen(await grep(world))).toBe('deny');
  });

  it('as often as the person says', async () => {
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

  it.each<[command: string, expected: string]>([
    ['git branch -D x', 'deny'],
    ['rm -rf node_modules && rm -rf /', 'deny'],
    ['rm  -rf /', 'deny'],
    ['rm --recursive --force /', 'deny'],
    ['find . -delete', 'deny'],
    ['git push origin +main', 'deny'],
    ['rm -rf node_modules', 'pass'],
    ['ls -la', 'pass'],
    ['npm run confirm -r', 'pass'],
    ['echo "drop table users"', 'pass'],
    ['git commit -m "no more rm -rf"', 'pass'],
    ['rm -rf ./dist', 'pass'],
    ['git push --force-with-lease', 'pass'],
    [`cat > notes.md <<'END'\n${WORDS}END`, 'pass'],
  ])('%s: %s', async (command, expected) => {
    world = await openIndexed();
    setCareful(world, undefined);
    const answer = await shell(world, command);
    expect(seen(answer)).toBe(expected);
    if (command.endsWith('&& rm -rf /')) expect(answer.reason).toMatch(/(^|[\s`'"])\/([\s`'".,;:)]|$)/);
  });

  it.each<[command: string, text: RegExp]>([
    ['kill -9 1234', /1234/],
    ['chmod 777 /etc/passwd', /777/],
    ['git push --force', /--force/],
  ])('without careful mode, %s is told to the model', async (command, text) => {
    world = await openIndexed();
    const { action, note, reason } = await shell(world, command);
    expect(['pass', 'ask']).toContain(action);
    expect(action === 'ask' ? reason : note).toMatch(text);
  });
});

describe('who may end it', () => {
  it.each(['fairlead careful off', `env -u CLAUDECODE sh -c 'fairlead careful off'`])(
    '%s is asked about, and changes nothing',
    async (command) => {
      world = await openIndexed();
      setCareful(world, undefined);
      expect((await shell(world, command)).action).toBe('ask');
      expect((await shell(world, command, { permission_mode: 'bypassPermissions' })).action).toBe('deny');
      expect(Object.keys(carefulBook())).toEqual([world.root]);
    },
  );

  it('a write to the record is denied', async () => {
    world = await openIndexed();
    setCareful(world, undefined);
    const file = `${world.paths.state}/careful.json`;
    expect((await world.before('Write', { file_path: file, content: '{}' })).action).toBe('deny');
    expect((await shell(world, `echo '{}' > ${file}`)).action).toBe('deny');
  });
});
