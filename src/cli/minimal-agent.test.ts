import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { recorded } from '../../test/fixtures/claude-code.ts';
import { answer } from '../transport/answer.ts';
import { plantTree } from '../roots/tree.fixture.ts';
import type { Tree } from '../roots/tree.fixture.ts';
import { doctor } from './commands/doctor.ts';
import { explain } from './commands/explain.ts';
import { init } from './commands/init.ts';
import { export as exportJournal, status as journalStatus } from '../packs/context/cli/commands/journal.ts';
import { status as memoryStatus } from '../packs/context/cli/commands/memory.ts';
import { statusline } from './commands/statusline.ts';
import { uninstall } from './commands/uninstall.ts';
import { fakeWorld } from './world.fixture.ts';
import type { FakeWorld, FakeWorldOptions } from './world.fixture.ts';

// As if the agent had a folder.
vi.mock(import('../adapters/index.generated.ts'), async (original) => {
  const { minimal } = await import('../adapters/minimal-agent.fixture.ts');
  return { ADAPTERS: [...(await original()).ADAPTERS, minimal] };
});
vi.mock(import('../adapters/installers.generated.ts'), async (original) => {
  const { minimalInstaller } = await import('../adapters/minimal-agent.fixture.ts');
  return { INSTALLERS: [...(await original()).INSTALLERS, minimalInstaller] };
});

let tree: Tree;
let project: string;
let worlds: FakeWorld[];
beforeEach(() => {
  tree = plantTree();
  project = tree.repository('project');
  worlds = [];
});
afterEach(() => {
  for (const each of worlds) each.close();
  return tree.remove();
});

function world(options: Partial<FakeWorldOptions> = {}): FakeWorld {
  const made = fakeWorld({
    home: tree.home,
    cwd: project,
    env: { PATH: '/nowhere' },
    columns: 200,
    agent: null,
    ...options,
  });
  worlds.push(made);
  return made;
}

async function wire(): Promise<void> {
  await world().run(init, '--agent', 'minimal', '--scope', 'user', '--yes');
}

const call = (command: string) => JSON.stringify({ event: 'calls', session: 's1', dir: project, command });
const settings = () => readFileSync(join(tree.home, '.minimal.json'), 'utf8');

describe('an agent with nothing optional, beside one that has it all', () => {
  it('is answered', async () => {
    const engine = world().engine();
    const ask = async (text: string) => {
      const body = new TextEncoder().encode(text);
      const request = {
        agent: 'minimal',
        body,
        size: body.length,
        cwd: project,
        home: tree.home,
        env: { PATH: '/bin' },
      };
      return (await answer(request, engine)).stdout;
    };
    expect(await ask(call('rm -rf /'))).toMatch(/^\{"stop":"\[guard\/catastrophe\] `rm -rf/);
    const transcript = join(tree.home, 'transcript');
    writeFileSync(transcript, '{}\n');
    expect(await ask(JSON.stringify({ event: 'began', session: 's1', dir: project, transcript }))).toBe('');
    expect(await ask(JSON.stringify({ event: 'ended', session: 's1', dir: project, transcript }))).toBe('');
    // A body of which only the beginning was kept.
    const body = new TextEncoder().encode(call('ls'));
    const cut = { agent: 'minimal', eventHint: 'calls', body, size: 64 << 20, cwd: project, home: tree.home, env: {} };
    expect((await answer(cut, engine)).stdout).toContain('cannot be read');
  });

  it('init names the scopes it has, and wires it there', async () => {
    await expect(world().run(init, '--agent', 'minimal', '--yes')).rejects.toThrow(
      'minimal has no settings of the scope local; it has project and user',
    );
    const at = world();
    expect(await at.run(init, '--agent', 'minimal', '--scope', 'user', '--yes')).toBe(0);
    expect(at.printed.out).toContain('Wired minimal for all your sessions: 3 events');
    expect(settings()).toContain('"--agent"');
  });

  it('init without --agent takes the agents that are on the PATH', async () => {
    await expect(world().run(init, '--yes')).rejects.toThrow(
      /no agent was found on your PATH; name one with --agent: claude-code, .*minimal$/,
    );
    mkdirSync(join(tree.home, 'bin'));
    for (const name of ['claude', 'minimal']) writeFileSync(join(tree.home, 'bin', name), '', { mode: 0o755 });
    const at = world({ env: { PATH: join(tree.home, 'bin') } });
    expect(await at.run(init, '--yes')).toBe(0);
    expect(at.printed.err).toContain(
      'note: minimal has no settings of the scope local; it has project and user: `fairlead init --agent minimal --scope user`\n',
    );
    expect(at.printed.out).toContain('Wired claude-code for');
    expect(at.printed.out).not.toContain('Wired minimal');
  });

  it('init says that it cannot post, and starts the program for it', async () => {
    const at = world();
    await at.run(
      init,
      '--agent',
      'minimal',
      '--scope',
      'user',
      ...['--transport', 'http', '--despite-other-users'],
      '--yes',
    );
    expect(at.printed.out).toContain('events; command, by ');
    expect(settings()).not.toContain('127.0.0.1');
  });

  it('doctor says what is missing, a line for each part, where it is wired', async () => {
    await world().run(init, '--agent', 'claude-code', '--yes');
    const before = world();
    await before.run(doctor);
    expect(before.printed.out).not.toContain('minimal');
    await wire();
    const at = world();
    await at.run(doctor);
    const lines = at.printed.out.split('\n').filter((line) => line.includes('minimal, '));
    expect(lines.map((line) => line.trim().replace(/ {2,}/, '  '))).toEqual([
      expect.stringMatching(/^minimal, user {2}3 events by /),
      'minimal, transcripts  none that Fairlead reads: no journal of its sessions, no count of their tokens',
      'minimal, memory  none that Fairlead reads: `fairlead memory` has nothing of it to copy',
      'minimal, status line  none that Fairlead knows: `fairlead statusline` tells nothing of its sessions',
      'minimal, setup  not read: rules do not know its tool servers, its other hooks and its model',
      'minimal, tool server  not registered by `fairlead init`: tell the agent of `fairlead mcp` yourself',
      'minimal, proof  not tried by `fairlead doctor --prove`: nobody knows how the agent calls its hooks',
    ]);
    expect(at.printed.out).not.toContain('claude-code, transcripts');
  });

  it('journal and memory say that they read nothing of it', async () => {
    await wire();
    mkdirSync(join(project, '.context'));
    const note = 'note: transcripts of minimal: none that Fairlead reads: no journal of its sessions';
    const at = world();
    expect(await at.run(exportJournal)).toBe(0);
    expect(at.printed.err).toContain(note);
    expect(await world().run(journalStatus)).toBe(0);
    const memory = world();
    expect(await memory.run(memoryStatus)).toBe(0);
    expect(memory.printed.err).toContain('note: memory of minimal: none that Fairlead reads');
  });

  it('statusline prints its line', async () => {
    const at = world({ stdin: '{"event":"status"}' });
    expect(await at.run(statusline)).toBe(0);
    expect(at.printed.out).toMatch(/^Fairlead \d+ rules · 0 stopped today\n$/);
  });

  it('explain knows a payload by its words, and asks where it cannot tell', async () => {
    const own = world({ stdin: call('rm -rf /') });
    expect(await own.json(explain)).toMatchObject({ row: { agent: 'minimal', action: 'deny' } });
    const other = world({ stdin: JSON.stringify({ ...recorded('PreToolUse/write.json'), cwd: project }) });
    expect(await other.json(explain)).toMatchObject({ row: { agent: 'claude-code' } });
    const which = /say which agent is meant, with --agent; there is claude-code, .*minimal$/;
    await expect(world({ stdin: '{"x":1}' }).run(explain)).rejects.toThrow(which);
    await expect(world().run(explain, '--', 'rm -rf /')).rejects.toThrow(which);
    await wire();
    const reply = async (...argv: readonly string[]) => {
      const at = world();
      await at.run(explain, '--json', ...argv, '--', 'rm -rf /');
      return (JSON.parse(at.printed.out) as { reply: string }).reply;
    };
    expect(await reply()).toMatch(/^\{"stop":/);
    expect(await reply('--agent', 'claude-code')).not.toMatch(/"stop":/);
  });

  it('uninstall takes it out', async () => {
    await wire();
    const at = world();
    expect(await at.run(uninstall, '--scope', 'user', '--yes')).toBe(0);
    expect(at.printed.out).toContain(`Took minimal out: ${join(tree.home, '.minimal.json')} is gone, as before.\n`);
    const again = world();
    expect(await again.run(uninstall, '--yes')).toBe(0);
    expect(again.printed.out).toContain(join(project, '.minimal.json'));
  });
});
