/** The rooms of the product, lowest first: docs and figures name them in this order. */
export const ROOMS = [
  ...['core', 'shell', 'effects', 'undo', 'graph', 'agents', 'packs', 'team', 'observe', 'host', 'cli', 'page'],
];

/** Folders and files of `src/` that lie elsewhere than in a folder of their room's name. It shrinks as they move. */
const ELSEWHERE = {
  core: ['engine', 'event', 'handle.ts', 'ledger', 'state', 'text'],
  undo: ['git', 'losses'],
  agents: ['adapters', 'adopted'],
  observe: ['player', 'relay', 'replay', 'telemetry', 'transcripts'],
  host: [
    ...['assembly', 'facts', 'instructions', 'jobs', 'platform', 'roots', 'transport', 'user-rules', 'workspace'],
    ...['client.ts', 'copier.ts', 'daemon.ts', 'hook-streams.ts', 'hook.ts', 'indexer.ts', 'take-out.ts'],
  ],
  cli: ['cli.ts', 'mcp'],
};
const PREFIXES = ROOMS.flatMap((room) => [room, ...(ELSEWHERE[room] ?? [])].map((place) => [`src/${place}`, room]));
const LONGEST_FIRST = PREFIXES.sort(([one], [other]) => other.length - one.length);

/** The room of a file; undefined where nobody has said it. */
export function roomOf(path) {
  return LONGEST_FIRST.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1];
}
