import { plantRepository } from '../../git/repository.fixture.ts';
import type { Answer, World, WorldOptions } from '../world.fixture.ts';
import { contextWorld, DAY, NOW } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';

/** How often a rule may speak. */
export type Kind = 'one-shot' | 'none' | 'interval' | 'adaptive' | 'daily' | 'tombstone' | 'silent';

/** A rule in a project where it has something to say, and the event at which it says it. */
export interface Due {
  readonly rule: string;
  readonly kind: Kind;
  readonly priority: number | undefined;
  readonly isOptIn?: true;
  open(): World;
  fire(world: World, session: string): Promise<Answer>;
}

type Fields = Readonly<Record<string, unknown>>;
const of = (session: string): Fields => ({ session_id: session });
const prompt = (world: World, session: string) => world.prompt('Go on.', of(session));
const bash = (command: string) => (world: World, session: string) => world.before('Bash', { command }, of(session));

const entries = Array.from({ length: 21 }, (_, at) => `## [2026-01-01-0000${10 + at}] Decision ${at}\n`).join('\n');
const JOURNAL = { '.context/journal/2026-03-07-0900-aaaaaaaa.md': '---\nenriched: false\n---\nA session.\n' };
const REMINDER = [{ id: 1, message: 'Rotate the key', created: '2026-03-01', after: null }];
const SAMPLE = { disk: { used: 97, total: 100 } };

function due(
  rule: string,
  kind: Kind,
  priority: number | undefined,
  world: Omit<ContextWorldOptions, 'only'> & { readonly arrange?: (world: World) => void },
  fire: Due['fire'] = prompt,
): Due {
  const { arrange, ...options } = world;
  return {
    rule,
    kind,
    priority,
    fire,
    open() {
      const opened = contextWorld({ ...options, only: [rule] });
      arrange?.(opened);
      return opened;
    },
  };
}

const repository = (world: World) => plantRepository(world.root).commit('Start', NOW - DAY, 'src/a.ts');

async function commit(world: World, session: string): Promise<Answer> {
  const id = { ...of(session), tool_use_id: `commit-${world.now}-${session}-${(commits += 1)}` };
  const command = 'git commit -q --allow-empty -m Step';
  await world.before('Bash', { command }, id);
  plantRepository(world.root).commit('Step', Date.now());
  return world.after('Bash', { command }, { stdout: '', stderr: '', interrupted: false }, id);
}
let commits = 0;

const versions: WorldOptions['sources'] = {
  releases: async () => ({ engine: '1.4.2', registered: '1.3.9' }),
};

export const ALL_DUE: readonly Due[] = [
  due('context-load-gate', 'one-shot', 95, {}, (world, session) =>
    world.before('Read', { file_path: `${world.root}/package.json` }, of(session)),
  ),
  due('block-non-path-ctx', 'none', undefined, {}, bash('./ctx status')),
  due('qa-reminder', 'none', 60, { options: 'qa: { repeat: full }' }, bash('git status')),
  due('specs-nudge', 'none', 60, {}, async (world, session) => {
    const answer = await world.before('EnterPlanMode', {}, of(session));
    await prompt(world, session);
    return answer;
  }),
  due('post-commit', 'none', 70, { arrange: repository }, commit),
  due('check-task-completion', 'interval', 40, {}, (world, session) => {
    const input = { file_path: `${world.root}/a.ts`, old_string: 'a', new_string: 'b' };
    return world.after('Edit', input, { filePath: input.file_path, structuredPatch: [] }, of(session));
  }),
  due('check-context-size', 'adaptive', 70, {}),
  due('check-ceremonies', 'daily', 35, { files: JOURNAL }),
  due('check-freshness', 'daily', 20, {
    options: 'freshness: { files: [{ path: prices.md, desc: prices }] }',
    arrange: (world) => void world.put('prices.md', 'old', NOW - 200 * DAY),
  }),
  due('check-journal', 'daily', 40, { files: JOURNAL }),
  due('check-knowledge', 'daily', 30, { files: { '.context/DECISIONS.md': entries } }),
  due('check-map-staleness', 'daily', 25, {
    files: { '.context/map-tracking.json': '{"opted_out":false,"last_run":"2026-01-20"}', 'src/a.ts': '1' },
    arrange: repository,
  }),
  due('check-memory-drift', 'tombstone', 50, {
    files: { '.context/memory/mirror.md': '- old\n' },
    arrange: (world) => {
      world.put('.context/memory/mirror.md', '- old\n', NOW - 2 * DAY);
      world.put(`${world.home}/memory/MEMORY.md`, '- new\n', NOW - DAY);
    },
  }),
  due('check-persistence', 'adaptive', 60, {}),
  due('check-reminders', 'none', 75, {
    options: 'reminders: { repeat: always }',
    files: { '.context/reminders.json': JSON.stringify(REMINDER) },
  }),
  due('check-resources', 'none', 85, {
    options: 'resources: { repeat: always }',
    sources: { resources: async () => SAMPLE },
  }),
  due('check-version', 'daily', 55, { sources: versions }),
  due('heartbeat', 'silent', undefined, {}),
  { ...due('block-dangerous-commands', 'none', undefined, {}, bash('sudo ls')), isOptIn: true },
  { ...due('check-backup-age', 'daily', 45, {}), isOptIn: true },
];
