/**
 * The rooms of `src/`, lowest first. A room imports what stands before it and what is its own, never what stands after it
 * or beside it in the same line; types count too.
 */
const ROOMS: readonly (readonly string[])[] = [
  ['event'],
  ['undo/keeper.ts'],
  ['text'],
  ['git', 'shell'],
  ['platform'],
  ['adapters'],
  ['effects/scene.ts'],
  ['effects/words', 'effects/network/hosts.ts'],
  ['effects/paths', 'effects/marks.ts'],
  ['effects/system'],
  ['effects/agent', 'effects/git', 'effects/packages', 'effects/processes.ts'],
  ['effects/files'],
  ['effects/network'],
  ['effects/tools'],
  ['effects/databases'],
  ['effects/cloud', 'effects/code', 'effects/secrets'],
  ['effects/flow', 'effects/mentions.ts', 'effects/perhaps.ts'],
  ['effects/effects.ts'],
  ['state'],
  ['team/state/server.ts'],
  ['ledger'],
  ['engine/api'],
  ['engine/session'],
  ['engine/rule.ts'],
  ['engine/registry.ts', 'engine/match'],
  ['engine/advice'],
  ['engine/limits'],
  ['engine/careful'],
  ['engine/settings.ts'],
  ['engine/engine.ts'],
  ['engine/decide'],
  ['engine/trial'],
  ['transcripts'],
  ['telemetry'],
  ['relay'],
  ['jobs'],
  ['user-rules', 'adopted'],
  ['team'],
  ['roots'],
  ['graph', 'losses'],
  ['undo'],
  ['workspace'],
  ['facts'],
  ['instructions'],
  ['packs'],
  ['handle.ts'],
  ['transport'],
  ['assembly'],
  ['player', 'replay'],
  ['mcp'],
  ['hook-streams.ts'],
  // Runs inside an agent, as the clients run beside one.
  ['adapters/*/plugin'],
  ['cli', 'hook.ts', 'client.ts', 'daemon.ts', 'indexer.ts', 'copier.ts'],
  ['take-out.ts', 'cli.ts', 'page'],
];

/** What an agent loads into its own process. */
export const IN_AGENT = /^src\/adapters\/[^/]+\/plugin\//;

const LEVELS: ReadonlyMap<string, number> = new Map(
  ROOMS.flatMap((rooms, level) => rooms.map((room) => [room, level])),
);

/** The innermost room that a file lies in; undefined when it has none. */
export function roomOf(path: string): string | undefined {
  // What packs have for the command line belongs to it.
  if (/^src\/packs\/([^/]+\/cli\/|cli\.generated\.ts$)/.test(path)) return 'cli';
  if (IN_AGENT.test(path)) return 'adapters/*/plugin';
  const parts = path.split('/').slice(1);
  for (let count = parts.length; count > 0; count -= 1) {
    const room = parts.slice(0, count).join('/');
    if (LEVELS.has(room)) return room;
  }
  return undefined;
}

export function mayImport(from: string, to: string): boolean {
  return from === to || (LEVELS.get(to) ?? 0) < (LEVELS.get(from) ?? 0);
}
