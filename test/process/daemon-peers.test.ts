import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../patience.ts';
import { describeUsual, eventIn, newHome, put, send } from './daemon-home.ts';
import type { Client, Home, Payload } from './daemon-home.ts';

interface Who {
  readonly session: string;
  readonly dir: string;
}

/** Sessions of the real client's payloads, each event a process that talks to the daemon's socket. */
function sessionsIn(home: Home, client: Client) {
  const told = async (payload: Payload): Promise<string> => {
    const { out, code } = await send(home, payload, { client });
    expect(code).toBe(0);
    const { hookSpecificOutput: said } = (out === '' ? {} : JSON.parse(out)) as {
      hookSpecificOutput?: { additionalContext?: string };
    };
    return said?.additionalContext ?? '';
  };
  const about = ({ session, dir }: Who, id: string): Payload => ({ session_id: session, cwd: dir, tool_use_id: id });
  let calls = 0;
  return {
    /** What it is told before the edit. */
    async edit(who: Who, path = join(who.dir, 'src/app.ts')): Promise<string> {
      const call = { ...about(who, `edit-${(calls += 1)}`), tool_input: EDIT(path) };
      const note = await told(eventIn(home, 'PreToolUse/edit.json', call));
      await told(eventIn(home, 'PostToolUse/edit.json', call));
      return note;
    },
    async run(who: Who, command: string): Promise<string> {
      const call = { ...about(who, `run-${(calls += 1)}`), tool_input: { command } };
      const note = await told(eventIn(home, 'PreToolUse/bash.json', call));
      await told(eventIn(home, 'PostToolUse/bash.json', call));
      return note;
    },
    read: (who: Who, path = join(who.dir, 'src/app.ts')) =>
      told(
        eventIn(home, 'PostToolUse/read.json', {
          ...about(who, `read-${(calls += 1)}`),
          tool_input: { file_path: path },
        }),
      ),
    end: (who: Who) =>
      told({ session_id: who.session, cwd: who.dir, hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' }),
  };
}

const EDIT = (path: string) => ({ file_path: path, old_string: 'const a = 1;', new_string: 'const a = 2;' });

function repositoryIn(home: Home): { readonly main: string; readonly topic: string } {
  const topic = join(home.dir, 'topic');
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', home.project, ...args], { stdio: 'ignore' });
  rmSync(join(home.project, '.git'), { recursive: true });
  put(join(home.project, 'src/app.ts'), 'const a = 1;\n');
  git('init', '-b', 'main');
  git('add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-m', 'First');
  git('worktree', 'add', '-b', 'topic', topic);
  return { main: home.project, topic };
}

describeUsual('sessions at the same time, with the %s client', (client) => {
  it('hear of each other over the socket, across engines and work trees', async () => {
    const home = newHome();
    const { main, topic } = repositoryIn(home);
    const { edit, run, read, end } = sessionsIn(home, client);
    const one = { session: 'session-one', dir: main };
    const two = { session: 'session-two', dir: main };
    const three = { session: 'session-three', dir: topic };

    // The first event finds no daemon and is decided by a process of its own.
    await read(two);
    expect(await edit(one)).toBe('');
    const { pid } = await home.daemon();
    expect(await edit(two)).toMatch(/src\/app\.ts was changed .+ ago by another session \(claude-code "session-/);
    expect(await edit(two)).toBe('');
    expect(await edit(one)).toContain('You have not read it since.');
    await read(two);
    expect(await edit(two), 'read since').toBe('');
    expect(await edit(three)).toContain('in another work tree of this repository');

    // What is kept outlives the engine.
    await run(one, 'sed -i s/1/3/ src/app.ts');
    process.kill(pid, 'SIGKILL');
    await until('the daemon is gone', () => !home.daemons().includes(pid));
    const note = await edit(two);
    expect(note).toContain('by `sed -i');
    await edit(one);
    await end(one);
    expect(await edit(two), 'the other has ended').toBe('');
  });
});
