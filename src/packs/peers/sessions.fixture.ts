import changes from './changes.ts';
import commands from './commands.ts';
import overlap from './overlap.ts';
import reads from './reads.ts';
import {
  activate,
  activeRule,
  NOW,
  plainEvent,
  promptEvent,
  send,
  testEngine,
  toolEvent,
} from '../../engine/engine.fixture.ts';
import type { TestEngine } from '../../engine/engine.fixture.ts';
import type { Event, ToolCall } from '../../event/event.ts';

/** Sessions of any agent in the work trees of one repository, played one event at a time. */
export interface Sessions {
  readonly engine: TestEngine;
  /** What the session is told when it is about to change a file by its tool; it then changes it. */
  edit(who: string, file: string, more?: Partial<Event>): Promise<readonly string[]>;
  /** The same by a command. */
  run(
    who: string,
    command: string,
    ends?: 'tool.after' | 'tool.failed' | 'never',
    does?: (at: number) => unknown,
  ): Promise<readonly string[]>;
  read(who: string, file: string): Promise<void>;
  prompt(who: string, text?: string): Promise<void>;
  event(who: string, name: Event['name']): Promise<void>;
  pass(ms: number): void;
  /** When a file was last written, by its path; without a time it is not there. */
  readonly disk: Map<string, number | undefined>;
}

export const TREES = { one: '/home/dev/one', two: '/home/dev/two' } as const;
export const MINUTE = 60_000;

/** As the guard does. */
const WANTS_EFFECTS = activeRule('test/guard', () => undefined, {
  on: [{ event: 'tool.before', effect: ['write', 'delete', 'discard'] }],
});

/** A session is called by its work tree, an agent and a number: `one/claude/1`. */
export function playSessions(options: { readonly isGuarded?: false } = {}): Sessions {
  const rules = [overlap, changes, commands, reads].map((rule) => activate(rule));
  const engine = testEngine([...rules, ...(options.isGuarded === false ? [] : [WANTS_EFFECTS])]);
  let calls = 0;
  const { locate } = engine;
  const disk = new Map<string, number | undefined>();
  const written = (path: string) => (disk.has(path) ? disk.get(path) : 0);
  const stat = (path: string) => {
    const mtimeMs = written(path);
    return mtimeMs === undefined ? undefined : ({ kind: 'file', size: 1, mtimeMs } as const);
  };
  const placed: TestEngine = Object.assign(engine, {
    files: { ...engine.files, stat },
    locate: async (event: Event, project: string | undefined) => {
      const place = await locate(event, project);
      const root = Object.values(TREES).find((tree) => event.cwd.startsWith(tree)) ?? event.cwd;
      const nameOf = (path: string) =>
        path === root ? '' : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
      const workspace = { ...place.workspace, root, repository: `${TREES.one}/.git`, nameOf };
      return { ...place, root, project: root, workspace, rootOf: () => root, atCwd: () => workspace };
    },
  });
  const base = (who: string): Partial<Event> => {
    const [tree = 'one', agent = 'test'] = who.split('/');
    return { session: who, agent, cwd: TREES[tree as 'one'], receivedAt: (engine.now += 1_000) };
  };
  const told = async (event: Event): Promise<readonly string[]> =>
    (await send(placed, event)).notes.map(({ text }) => text);
  const call = (who: string, tool: Partial<ToolCall>, more: Partial<Event> = {}): Event =>
    toolEvent({ id: `call-${(calls += 1)}`, ...tool }, { ...base(who), ...more });
  const later = (event: Event, who: string, name: Event['name']): Event => ({ ...event, ...base(who), name });

  return {
    engine,
    disk,
    async edit(who, file, more) {
      const path = `${String(base(who).cwd)}/${file}`;
      const edits = [{ path, operation: 'replace', old: 'const before = 1;', new: 'const after = 2;' }] as const;
      const before = call(who, { kind: 'edit', paths: [path], edits }, more);
      const notes = await told(before);
      await told({ ...later(before, who, 'tool.after'), ...more });
      return notes;
    },
    async run(who, command, ends = 'tool.after', does = () => {}) {
      const before = call(who, { kind: 'shell', command });
      const notes = await told(before);
      does(engine.now + 1);
      if (ends !== 'never') await told(later(before, who, ends));
      return notes;
    },
    async read(who, file) {
      const paths = [file.startsWith('/') ? file : `${String(base(who).cwd)}/${file}`];
      await told(call(who, { kind: 'read', paths }, { name: 'tool.after' }));
    },
    prompt: async (who, text = 'Go on.') => void (await told({ ...promptEvent(text), ...base(who) })),
    event: async (who, name) => void (await told(plainEvent(name, base(who)))),
    pass: (ms) => void (engine.now += ms),
  };
}

/** Cells of the repository by name. */
export function cellsOf({ engine }: Sessions, name: string): Record<string, unknown> {
  const cells = engine.store.list('repository', Math.max(engine.now, NOW));
  return Object.fromEntries(
    cells
      .map(({ id, value }) => [...id.split('\u001f').slice(2), value] as const)
      .filter(([each]) => each === name)
      .map(([, key = '', value = '']) => [key, JSON.parse(value) as unknown]),
  );
}
