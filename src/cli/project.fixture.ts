import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeTree } from '../platform/remove-tree.fixture.ts';
import { nodeFiles } from '../platform/files.ts';
import { cellId, parseValue } from '../state/cells.ts';
import { acceptProject, listProject } from '../workspace/config/trust.ts';
import { fakeWorld } from './world.fixture.ts';
import type { FakeWorld, FakeWorldOptions } from './world.fixture.ts';

export interface PlantedProject {
  readonly home: string;
  readonly root: string;
  /** A world whose working directory is the project. */
  world(options?: Omit<FakeWorldOptions, 'home' | 'cwd'>): FakeWorld;
  /** Writes below the user's settings directory. */
  putUser(path: string, text: string): string;
  /** Writes below the project's root. */
  putProject(path: string, text: string): string;
  readUser(path: string): string;
  /** What a cell of the project holds. */
  cell(world: FakeWorld, name: string, key?: string): unknown;
  /** Writes that a session was heard of so many milliseconds ago. */
  heard(world: FakeWorld, session: string, ago: number, at?: string): void;
  trust(): void;
  remove(): Promise<void>;
}

/** A home with one project in it, both on disk. */
export function plantProject(): PlantedProject {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-cli-')));
  const root = join(home, 'project');
  const { config, state } = fakeWorld({ home, cwd: root }).paths;
  const worlds: FakeWorld[] = [];
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  put(join(root, 'package.json'), '{}');
  return {
    home,
    root,
    world(options = {}) {
      const world = fakeWorld({ home, cwd: root, ...options });
      worlds.push(world);
      return world;
    },
    putUser: (path, text) => put(join(config, path), text),
    putProject: (path, text) => put(join(root, path), text),
    readUser: (path) => readFileSync(join(config, path), 'utf8'),
    cell(world, name, key) {
      const { store, clock } = world.engine();
      store.refresh(clock.now());
      return parseValue(store.get(cellId('workspace', root, name, key), clock.now()));
    },
    heard(world, session, ago, place = root) {
      const { ledger } = world.engine();
      const at = Date.now() - ago;
      const row = {
        id: ledger.nextId(at),
        at,
        session,
        agent: 'some-agent',
        event: 'tool.before',
        tool: '',
        root: place,
        action: 'pass' as const,
        rules: '',
        chars: 0,
        replyBytes: 0,
        micros: 1,
        tier: 0,
        digest: '',
        changed: false,
        copy: false,
      };
      const times = { parse: 0, workspace: 0, select: 0, rules: 0, commit: 0, render: 0 };
      ledger.record(row, () => ({ event: {}, trace: [], decision: {}, times, attempts: 1 }), false);
      ledger.flush();
    },
    trust() {
      const deps = { files: nodeFiles, state, now: Date.now };
      acceptProject(listProject(root, deps), deps);
    },
    remove() {
      for (const world of worlds) world.close();
      return removeTree(home);
    },
  };
}
