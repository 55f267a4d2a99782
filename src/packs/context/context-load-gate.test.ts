import { existsSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pausedId } from '../../engine/session/pause.ts';
import { cellId } from '../../state/cells.ts';
import { logPath } from '../../state/session-log.ts';
import type { World } from '../world.fixture.ts';
import { contextWorld, DAY, NOW } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { pauseSession, relaysOf } from './session.fixture.ts';

const open = (more: ContextWorldOptions = {}) => contextWorld({ only: ['context-load-gate'], ...more });
const read = (world: World, more = {}) => world.before('Read', { file_path: join(world.root, 'package.json') }, more);
const file = (name: string, text: string) => ({ files: { [`.context/${name}.md`]: text } });
const isLoaded = (world: World, session = 'session-1') => session in world.cells('context.loaded');

const CONFIG = 'packs: { basics: off, guard: off, increments: off, peers: off, context: { enabled: true } }\n';

describe('rows', () => {
  it('at the first tool call the packet comes', async () => {
    const world = open();
    const { note, action, warn } = await read(world);
    expect(action).toBe('pass');
    expect(warn).toBe('');
    expect(note).toContain('=== .context/CONSTITUTION.md\n# Constitution\n\nTests pass before a commit.');
    expect(note).not.toContain('Parse the file');
    expect(note).toContain('Tasks: .context/TASKS.md, 2 open.');
    expect(isLoaded(world)).toBe(true);
    expect(relaysOf(world)).toMatchObject([
      {
        event: 'relay',
        rule: 'context/context-load-gate',
        variant: 'packet',
        variables: { files: 1, shortened: 0, tokens: 11, chars: note.length - '[context/context-load-gate] '.length },
      },
    ]);
    expect(JSON.stringify(relaysOf(world))).not.toContain('Tests pass');
  });

  it('once it was given, calls do not reach the rule', async () => {
    const world = open();
    await read(world);
    const work = [world.work.stat, world.work.open, world.work.list].map((each) => each.length);
    const { stdout } = await world.before('Bash', { command: 'ls' });
    expect(stdout).toBe('');
    expect([world.work.stat, world.work.open, world.work.list].map((each) => each.length)).toEqual(work);
    world.engine.ledger.flush();
    const last = world.engine.memory.db?.prepare('SELECT tier FROM events ORDER BY n DESC LIMIT 1').get();
    expect(last).toEqual({ tier: 1 });
  });

  it('without DECISIONS.md nothing comes and nothing is made', async () => {
    const world = open({ uninitialised: true });
    expect((await read(world)).stdout).toBe('');
    expect(isLoaded(world)).toBe(false);
    expect(world.cells('context.session_log')).toEqual({});
    expect(existsSync(join(world.root, '.context/DECISIONS.md'))).toBe(false);
  });

  it('paused, it passes and the load is not used up', async () => {
    const world = open();
    pauseSession(world);
    expect((await read(world)).stdout).toBe('');
    expect(isLoaded(world)).toBe(false);
    world.engine.store.remove(pausedId('session-1'));
    expect((await read(world)).note).toContain('CONSTITUTION');
  });

  it('the call of an agent that the agent started does not use it up', async () => {
    const world = open();
    expect((await read(world, { agent_id: 'a1', agent_type: 'general' })).stdout).toBe('');
    expect(isLoaded(world)).toBe(false);
    expect((await read(world)).note).toContain('CONSTITUTION');
  });

  it('of a long file the outline and the path come', async () => {
    const sections = Array.from({ length: 30 }, (_, at) => `## Part ${at}\n\n${'detail '.repeat(140)}\n`);
    const world = open(file('ARCHITECTURE', `# Architecture\n\n${sections.join('\n')}`));
    const { note } = await read(world);
    expect(note.length).toBeLessThanOrEqual(9_000);
    expect(note).toContain('(headings only; the whole file is .context/ARCHITECTURE.md)');
    expect(note).toContain('## Part 3');
    expect(note).not.toContain('detail');
  });

  it('sources of 16,000 tokens are sent, and kept as too much', async () => {
    const world = open(file('CONVENTIONS', 'word\n'.repeat(12_800)));
    expect((await read(world)).note).toContain('CONSTITUTION');
    expect(world.cells('context.oversize')).toEqual({
      [world.root]: {
        tokens: 16_011,
        threshold: 15_000,
        files: [
          { name: 'CONSTITUTION.md', tokens: 11 },
          { name: 'CONVENTIONS.md', tokens: 16_000 },
        ],
      },
    });
  });

  it('after the conversation was compacted it comes again', async () => {
    const world = open();
    await read(world);
    await world.event('SessionStart', { source: 'compact' });
    expect((await read(world)).note).toContain('CONSTITUTION');
    expect((await read(world)).note).toBe('');
    await world.event('SessionStart', { source: 'resume' });
    expect((await read(world)).note).toBe('');
  });
});

it.each<[string, string, (world: World) => Promise<void>]>([
  [
    'rearm_on names other sources',
    'load: { rearm_on: [resume] }',
    async (world) => {
      await read(world);
      await world.event('SessionStart', { source: 'compact' });
      expect((await read(world)).note).toBe('');
      await world.event('SessionStart', { source: 'resume' });
      expect((await read(world)).note).not.toBe('');
    },
  ],
  [
    'it may come with the start of the session',
    'load: { when: session_start }',
    async (world) => {
      expect((await world.event('SessionStart', { source: 'startup' })).note).toContain('CONSTITUTION');
      expect((await read(world)).note).toBe('');
      expect((await world.event('SessionStart', { source: 'compact' })).note).toContain('CONSTITUTION');
      expect((await read(world, { session_id: 'started-unseen' })).note).toContain('CONSTITUTION');
    },
  ],
  [
    'the minimal profile has two files',
    'load: { profile: minimal }',
    async (world) => {
      const { note } = await read(world);
      expect(note.match(/^=== \S+/gm)).toEqual(['=== .context/CONSTITUTION.md', '=== .context/AGENT_PLAYBOOK.md']);
      expect(note).toContain('TASKS.md, 2 open');
    },
  ],
  [
    'the order is the person’s, within the directory',
    'load: { order: [CONVENTIONS.md, ../package.json, /etc/hostname, CONSTITUTION.md, NONE.md] }',
    async (world) => {
      const { note } = await read(world);
      expect(note.match(/^=== \S+/gm)).toEqual(['=== .context/CONVENTIONS.md', '=== .context/CONSTITUTION.md']);
    },
  ],
  [
    'a limit',
    'load: { max_chars: 700, injection_token_warn: 20 }',
    async (world) => {
      expect((await read(world)).note.length).toBeLessThanOrEqual(700);
      expect(world.cells('context.oversize')).toMatchObject({ [world.root]: { threshold: 20 } });
    },
  ],
  [
    'no threshold',
    'load: { injection_token_warn: 0 }',
    async (world) => {
      await read(world);
      expect(world.cells('context.oversize')).toEqual({});
    },
  ],
  [
    'options of another kind count as not set',
    'prune_days: often, load: { when: 3, profile: [], max_chars: much, injection_token_warn: [], rearm_on: compact, order: {} }',
    async (world) => {
      await world.event('SessionStart', { source: 'startup' });
      expect((await read(world)).note).toContain('CONVENTIONS');
      await world.event('SessionStart', { source: 'compact' });
      expect((await read(world)).note).toContain('CONVENTIONS');
    },
  ],
  [
    'a group of another kind, too',
    'load: none',
    async (world) => expect((await read(world)).note).toContain('CONVENTIONS'),
  ],
])('%s', async (_, options, check) => {
  const files = {
    '.context/CONVENTIONS.md': '# Conventions\n\nPlain words.\n',
    '.context/AGENT_PLAYBOOK.md': '# Playbook\n\nRead first.\n',
    '.context/GLOSSARY.md': '# Glossary\n\nTerm.\n',
  };
  const world = open({ options, files });
  await check(world);
  expect(world.engine.failures.read()).toEqual([]);
});

it('names no session, no load', async () => {
  const world = open();
  const { stdout } = await read(world, { session_id: undefined, transcript_path: undefined });
  expect(stdout).toBe('');
  expect(world.cells('context.loaded')).toEqual({});
});

it('every session has its own, also in two at once', async () => {
  const world = open();
  const answers = await Promise.all(
    ['a', 'a', 'b', 'b'].map((session, at) => read(world, { session_id: session, tool_use_id: `call ${at}` })),
  );
  expect(answers.filter(({ note }) => note !== '')).toHaveLength(2);
  expect([isLoaded(world, 'a'), isLoaded(world, 'b')]).toEqual([true, true]);
});

it('is about the nearest context, which the agent can find from where it is', async () => {
  const world = open({ files: { 'src/deep/a.ts': '' } });
  const { note } = await read(world, { cwd: join(world.root, 'src/deep') });
  expect(note).toContain(`=== ${world.root}/.context/CONSTITUTION.md`);
});

describe('a context that came with the repository', () => {
  it('is not given; one line says so, once per session', async () => {
    const world = open({ foreign: true });
    const { note, warn } = await read(world);
    expect(note).toMatch(
      /^\[context\/context-load-gate\] This project's \.context was not loaded: .*`fairlead trust`\.$/,
    );
    expect(warn).toBe(note);
    expect((await read(world)).stdout).toBe('');
    await world.event('SessionStart', { source: 'compact' });
    expect((await read(world)).stdout).toBe('');
    expect((await read(world, { session_id: 'other' })).note).toContain('not loaded');
    expect(relaysOf(world).map(({ variant }) => variant)).toEqual(['untrusted', 'untrusted']);
  });

  it('is given once the project is accepted, also to the session at hand', async () => {
    const world = open({ foreign: true, files: { '.fairlead/config.yaml': 'rules: {}\n' } });
    await read(world);
    world.trust();
    world.now += 5_000;
    await world.prompt('Go on.');
    expect((await read(world)).note).toContain('CONSTITUTION');
    expect((await read(world)).note).toBe('');
  });
});

it('follows no link out of the project', async () => {
  const world = open();
  writeFileSync(join(world.home, 'secret.md'), '# Secret\n\nhush\n');
  symlinkSync(join(world.home, 'secret.md'), join(world.root, '.context/CONVENTIONS.md'));
  writeFileSync(join(world.root, 'notes.md'), '# Notes\n\nours\n');
  symlinkSync(join(world.root, 'notes.md'), join(world.root, '.context/ARCHITECTURE.md'));
  const { note } = await read(world);
  expect(note).not.toContain('hush');
  expect(note).toContain('ours');
});

describe('the packet arrives whole', () => {
  const LONG = file('CONVENTIONS', `# Conventions\n\n${'A line of forty characters, more or less.\n'.repeat(190)}`);

  it('at the limit of an event', async () => {
    const world = open(LONG);
    const { note } = await read(world);
    expect(note.length).toBeGreaterThan(8_000);
    expect(note).not.toContain('[cut]');
    expect(note).toMatch(/A decision in full: .*$/);
  });

  it('in what the turn has left, or with the next turn', async () => {
    const world = open({ ...LONG, options: 'load: { rearm_on: [resume, compact] }' });
    const again = async (source = 'resume') => {
      await world.event('SessionStart', { source });
      return (await read(world)).note;
    };
    await world.prompt('Go on.');
    const { note: first } = await read(world);
    const second = await again();
    expect(second.length).toBeLessThanOrEqual(12_000 - first.length);
    for (const note of [first, second]) {
      expect(note).not.toContain('[cut]');
      expect(note).toMatch(/A decision in full: .*$/);
    }
    const more = [await again(), await again(), await again()];
    expect(more.at(-1), 'too little is left').toBe('');
    expect((await world.prompt('And on.')).note).toBe(first);
    expect(await again('compact'), 'the agent has forgotten the one before').toBe(first);
  });

  it('under a lower limit of the person', async () => {
    const world = open(LONG);
    world.put(join(world.paths.config, 'config.yaml'), `${CONFIG}attention: { event: 3000 }\n`);
    world.restart();
    const { note } = await read(world);
    expect(note.length).toBeLessThanOrEqual(3_000);
    expect(note).toMatch(/A decision in full: .*$/);
  });
});

it.each<[string, string, readonly string[]]>([
  ['seven days by default', '', ['new', 'Not a UUID']],
  ['as many days as are set', 'prune_days: 2', ['new']],
  ['seven when none are left', 'prune_days: 0', ['new', 'Not a UUID']],
  ['seven for what is no number', 'prune_days: soon', ['new', 'Not a UUID']],
])('with the load, what is old of sessions goes: %s', async (_, options, left) => {
  const world = open(options === '' ? {} : { options });
  const ages = { new: 1, 'Not a UUID': 5, '../old': 8 };
  await world.prompt('Go on.');
  await world.pass(1_000);
  for (const [session, age] of Object.entries(ages)) {
    const at = NOW - age * DAY;
    const change = { op: 'set', id: cellId('session', session, 'x'), value: '1', expires: 0 } as const;
    world.engine.store.commit({ reads: new Map(), changes: [change], now: at });
    const path = logPath(world.paths.state, session);
    world.put(path, '');
    utimesSync(path, at / 1_000, at / 1_000);
  }
  expect(Object.keys(world.cells('x'))).toHaveLength(3);
  await read(world);
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect(Object.keys(world.cells('x')).sort()).toEqual(left.toSorted());
  expect(Object.keys(ages).filter((session) => existsSync(logPath(world.paths.state, session)))).toEqual(left);
});
