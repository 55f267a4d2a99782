import { nodeFiles } from '../platform/files.ts';
import { loggedSessions, readLog } from '../state/session-log.ts';
import type { LoggedLine } from '../state/session-log.ts';
import type { CliWorld } from './command.ts';
import { formatCount, paint, printableLine, printTable } from './table.ts';

/** Sessions that `given` may mean and that have a stats log, also when no other record of them is left. */
export function sessionsWithPrompts({ paths }: CliWorld, given: string): readonly string[] {
  const named = loggedSessions(nodeFiles, paths.state).filter((session) => session.startsWith(given));
  return readLog(nodeFiles, paths.state, given) ? [given, ...named] : named;
}

/** How full the session's context was at each of its prompts; undefined when nobody kept track. */
export function promptsOf({ paths }: CliWorld, session: string): readonly LoggedLine[] | undefined {
  return readLog(nodeFiles, paths.state, session);
}

export function showPrompts(world: CliWorld, prompts: readonly LoggedLine[]): void {
  world.out(`\n${paint(world, 'bold', 'Prompts')}\n`);
  const right = (title: string) => ({ title, align: 'right' }) as const;
  printTable(
    world,
    [right('prompt'), right('tokens'), right('percent'), { title: 'event' }],
    prompts.map(({ prompt, tokens, pct, event }) => [
      formatCount(prompt),
      formatCount(tokens),
      `${pct} %`,
      printableLine(event),
    ]),
  );
}
