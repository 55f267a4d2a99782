import { onTestFinished } from 'vitest';
import { openWorld } from '../world.fixture.ts';
import type { Answer, World, WorldOptions } from '../world.fixture.ts';

export const ON = 'packs: { diagrams: on }';
export const withOptions = (options: string): string => `packs: { diagrams: { enabled: true, ${options} } }`;

export type More = Readonly<Record<string, unknown>>;

/** Closed when the test ends. */
export function world(options: WorldOptions = {}): World {
  const opened = openWorld({ config: ON, ...options });
  onTestFinished(() => opened.close());
  return opened;
}

/** Is about to be written. */
export function write(to: World, text: string, path = 'docs/a.md', more: More = {}): Promise<Answer> {
  return to.before('Write', { file_path: `${to.root}/${path}`, content: text }, more);
}

/** The write goes through. */
export function written(to: World, text: string, id: string, path = 'docs/a.md'): Promise<Answer> {
  const file = to.put(path, text);
  return to.after('Write', { file_path: file, content: text }, { type: 'create', filePath: file }, { tool_use_id: id });
}

/** A command ran and printed; by default a diagram tool whose output is not what is written later. */
export function ran(to: World, command = 'graph-easy in.txt', stdout = 'done\n', more: More = {}): Promise<Answer> {
  return to.after('Bash', { command }, { stdout, stderr: '', interrupted: false }, more);
}
