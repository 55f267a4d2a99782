import type { Answer, World } from '../world.fixture.ts';
import { contextWorld } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';

const only = ['qa-reminder'];
/** A project that has both checks as scripts. */
export const SCRIPTS = { 'package.json': '{"scripts":{"lint":"oxlint","test":"vitest run"}}' };
export const SUB_AGENT = { agent_id: 'a1', agent_type: 'general' };

type Fields = Readonly<Record<string, unknown>>;

export function open(options?: string, more: ContextWorldOptions = {}): World {
  return contextWorld({ only, files: SCRIPTS, ...(options === undefined ? {} : { options }), ...more });
}

export const git = (world: World, command: string, promptId = 'p1', more: Fields = {}) =>
  world.before('Bash', { command }, { prompt_id: promptId, ...more });

/** A minute later, as all that happens here. */
export async function ran(world: World, command: string, more: Fields = {}, response: Fields = {}): Promise<Answer> {
  world.now += 60_000;
  return world.after('Bash', { command }, { stdout: '', stderr: '', interrupted: false, ...response }, more);
}

export async function edited(world: World, path = 'src/app.ts', more: Fields = {}): Promise<Answer> {
  world.now += 60_000;
  const full = path.startsWith('/') ? path : `${world.root}/${path}`;
  return world.after('Edit', { file_path: full, old_string: 'a', new_string: 'b' }, { filePath: full }, more);
}
