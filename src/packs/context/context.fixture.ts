import { onTestFinished } from 'vitest';
import { BUILT_IN } from '../index.generated.ts';
import { openWorld } from '../world.fixture.ts';
import type { World, WorldOptions } from '../world.fixture.ts';
import { MADE_HERE } from './command-cells.ts';
import { setCell } from './session.fixture.ts';

/** The rows of the pack begin here: a Tuesday, ten in the morning. */
export const NOW = Date.parse('2026-03-10T10:00:00Z');
export const DAY = 86_400_000;
export const HOUR = 3_600_000;

export interface ContextWorldOptions extends Omit<WorldOptions, 'config'> {
  /** The rules that are on, by name; all that are not opt-in when absent. */
  readonly only?: readonly string[];
  /** Options of the pack, as flow YAML: `task: { interval: 3 }`. */
  readonly options?: string;
  /** The project lacks DECISIONS.md. */
  readonly uninitialised?: true;
  /** The `.context` came with the repository: nobody made it here. */
  readonly foreign?: true;
}

/** An initialised project, made by this user, whose context files are a week old; closed when the test ends. */
export function contextWorld({ only, options, uninitialised, foreign, ...more }: ContextWorldOptions = {}): World {
  const names = BUILT_IN.map(({ meta }) => meta.id).filter((id) => id.startsWith('context/'));
  const rules = only ? names.map((id) => `"${id}": ${only.includes(id.slice('context/'.length)) ? 'on' : 'off'}`) : [];
  const pack = `{ enabled: true${options === undefined ? '' : `, ${options}`} }`;
  const config = `packs: { basics: off, guard: off, increments: off, peers: off, context: ${pack} }\nrules: { ${rules.join(', ')} }\n`;
  const world = openWorld({ ...more, config });
  onTestFinished(() => world.close());
  world.now = NOW;
  const old = NOW - 7 * DAY;
  const put = (name: string, text: string) =>
    world.put(`.context/${name}`, more.files?.[`.context/${name}`] ?? text, old);
  put('CONSTITUTION.md', '# Constitution\n\nTests pass before a commit.\n');
  put('TASKS.md', '# Tasks\n\n- [ ] Parse the file\n- [ ] Report errors\n- [x] Set up\n');
  if (uninitialised !== true) put('DECISIONS.md', '# Decisions\n');
  if (foreign !== true) setCell(world, MADE_HERE, { at: old });
  return world;
}

/** The last words of a path, command or title that a nudge names as the next step. */
export function nextIn(note: string): string | undefined {
  return /^Next: (.*)$/m.exec(note)?.[1];
}
