import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '../assembly/open-engine.ts';
import { pathsOf } from '../platform/paths.ts';
import { play, readSession } from '../player/play.ts';
import type { Played, RecordedCall } from '../player/play.ts';
import { fakeWorld } from './world.fixture.ts';
import type { FakeWorld, FakeWorldOptions } from './world.fixture.ts';

const SESSIONS = new URL('../../test/fixtures/sessions/', import.meta.url);

/** A home and a project of its own, in which recorded sessions can be played. */
export interface Stage {
  readonly home: string;
  readonly project: string;
  calls(name: string): RecordedCall[];
  /** Each call in a process of its own would do the same; here one engine answers them all. */
  play(calls: readonly RecordedCall[], options?: { readonly startAt?: number }): Promise<Played[]>;
  world(options?: Partial<FakeWorldOptions>): FakeWorld;
  remove(): void;
}

/** `place`: what the directory of the project is called. */
export function createStage(place = 'project'): Stage {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-stage-')));
  const home = join(base, 'home');
  const project = join(base, place);
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(home);
  const worlds: FakeWorld[] = [];
  return {
    home,
    project,
    calls: (name) =>
      readSession(readFileSync(new URL(`${name}.jsonl`, SESSIONS), 'utf8'), { '/home/dev/project': project }),
    async play(calls, { startAt = Date.now() - 60_000 } = {}) {
      const engine = openEngine({
        paths: pathsOf(join(home, '.fairlead')),
        userHome: home,
        resident: false,
        keeps: 'trial',
      });
      const played: Played[] = [];
      for await (const one of play(calls, engine, { agent: 'claude-code', home, startAt })) {
        engine.ledger.flush();
        played.push(one);
      }
      engine.close();
      return played;
    },
    world(options = {}) {
      const world = fakeWorld({ home, cwd: project, ...options });
      worlds.push(world);
      return world;
    },
    remove() {
      for (const world of worlds) world.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
