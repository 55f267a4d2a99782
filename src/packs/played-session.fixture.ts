import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { spellerOf } from '../../test/agents/spelling.ts';
import type { Adapter } from '../adapters/adapter.ts';
import { callOf } from '../adapters/contract.ts';
import { adapterNamed } from '../adapters/registry.ts';
import type { Event } from '../event/event.ts';
import { openWorld } from './world.fixture.ts';
import type { Answer, World, WorldOptions } from './world.fixture.ts';

interface Call {
  readonly at: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Script {
  readonly files: Readonly<Record<string, string>>;
}

export interface Step {
  /** The agent's name of the event, with the tool where it has one. */
  readonly what: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Which of the recorded calls it is. */
  readonly at: number;
  /** What the payload tells of. */
  readonly event: Event;
  readonly answer: Answer;
}

const FOLDER = new URL('../../test/fixtures/sessions/', import.meta.url);
const RECORDED_AT = '/home/dev/project';

/**
 * Plays a recorded session in a project that starts as the recorded one did. A call that is not stopped changes the files
 * as it did then: edits are made, commands are run. A call that is stopped has no sequel. With another agent the same
 * things happen in that agent's own payloads, as far as it tells of them.
 */
export async function playSession(
  name: string,
  options: WorldOptions & {
    /** Nothing is done again: the files stay as they are at the start. */
    readonly keepsFiles?: true;
  },
  during?: (step: Step, world: World) => Promise<void> | void,
): Promise<{ readonly world: World; readonly steps: readonly Step[] }> {
  const { agent } = options;
  const recorder = adapterNamed('claude-code') as Adapter;
  const spell = agent === undefined ? undefined : spellerOf(adapterNamed(agent) as Adapter);
  const script = JSON.parse(readFileSync(new URL(`${name}.script.json`, FOLDER), 'utf8')) as Script;
  const world = openWorld({ ...options, files: { ...script.files, ...options.files } });
  const text = readFileSync(new URL(`${name}.jsonl`, FOLDER), 'utf8').replaceAll(RECORDED_AT, world.root);
  const started = world.now;
  const stopped = new Set<unknown>();
  /** A command may leave its directory, so where it started is told by its first event. */
  const startedIn = new Map<unknown, string>();
  const steps: Step[] = [];
  const calls = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Call);
  for (const [line, { at, payload }] of calls.entries()) {
    if (started + at > world.now) await world.pass(started + at - world.now);
    const { hook_event_name: event, tool_name: tool, tool_use_id: id } = payload;
    if (event !== 'PreToolUse' && id !== undefined && stopped.has(id)) continue;
    if (event === 'PostToolUse') {
      if (options.keepsFiles !== true) redo(payload, startedIn.get(id) ?? world.root, world);
    }
    if (event === 'PreToolUse') startedIn.set(id, payload['cwd'] as string);
    const told = recorder.parse(callOf(payload, { cwd: world.root, home: world.home, receivedAt: world.now }));
    const spelt = spell?.(told, world.home);
    if (spell && !spelt) continue;
    const answer = await (spelt ? world.send(spelt.call.payload, spelt.call) : world.send(payload));
    const { action } = answer.decision ?? answer;
    if (event === 'PreToolUse' && (action === 'deny' || action === 'ask')) stopped.add(id);
    const step = {
      what: tool === undefined ? (event as string) : `${event as string} ${tool as string}`,
      payload,
      at: line,
      event: told,
      answer,
    };
    steps.push(step);
    await during?.(step, world);
  }
  return { world, steps };
}

function redo({ tool_name: tool, tool_input: given }: Step['payload'], cwd: string, world: World): void {
  const input = given as Readonly<Record<string, string>>;
  const path = input['file_path'] ?? '';
  if (tool === 'Write') world.put(path, input['content'] ?? '', world.now);
  if (tool === 'Edit') {
    const before = readFileSync(path, 'utf8');
    world.put(
      path,
      before.replace(input['old_string'] ?? '', () => input['new_string'] ?? ''),
      world.now,
    );
  }
  if (tool === 'Bash') {
    const started = Date.now();
    const { status } = spawnSync('bash', ['-c', input['command'] ?? ''], { cwd });
    if (status !== 0) throw new Error(`${input['command']} failed`);
    moveToNow(started, world);
  }
}

/** What a real command has written just now was written just now on the test's clock. */
function moveToNow(since: number, { root, now }: World): void {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && statSync(path).mtimeMs >= since - 5) utimesSync(path, now / 1_000, now / 1_000);
  }
}
