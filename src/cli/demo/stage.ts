import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openEngine } from '../../assembly/open-engine.ts';
import type { OpenedEngine } from '../../assembly/open-engine.ts';
import { pathsOf } from '../../platform/paths.ts';
import { readSession } from '../../player/play.ts';
import type { RecordedCall } from '../../player/play.ts';

/** All output of the build lies side by side, one level below the package. */
const PACKAGE = join(import.meta.dirname, '..');
const SESSIONS = join(PACKAGE, 'test', 'fixtures', 'sessions');
const SESSION = 'heavy-parcel';
/** Where, and as which session, it was recorded. */
const RECORDED_AT = '/home/dev/project';
const RECORDED_AS = '586f2e51-c21d-4bcf-8472-b047eddabd85';

export interface Stage {
  /** Whose session it is. */
  readonly agent: string;
  readonly dir: string;
  readonly project: string;
  readonly engine: OpenedEngine;
  /** The session's calls, as of a session of that name. */
  calls(session?: string): RecordedCall[];
  strike(): void;
}

/** The project as it was when the session began, and a throw-away home with the example rules. */
export function setStage(): Stage {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-demo-')));
  const project = join(dir, 'parcel-quote');
  const script = JSON.parse(readFileSync(join(SESSIONS, `${SESSION}.script.json`), 'utf8')) as {
    readonly agent: string;
    readonly files: Record<string, string>;
  };
  for (const [name, content] of Object.entries(script.files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), content);
  }
  mkdirSync(join(project, '.git'));
  writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(project, '.git', 'config'), '[remote "origin"]\n\turl = https://example.com/parcel.git\n');
  const home = join(dir, 'home');
  cpSync(join(PACKAGE, 'examples', 'rules'), join(home, 'config', 'rules'), { recursive: true });
  const engine = openEngine({ paths: pathsOf(home), userHome: dir, resident: true, keeps: 'trial' });
  const text = readFileSync(join(SESSIONS, `${SESSION}.jsonl`), 'utf8');
  return {
    agent: script.agent,
    dir,
    project,
    engine,
    calls: (session = RECORDED_AS) => readSession(text, { [RECORDED_AT]: project, [RECORDED_AS]: session }),
    strike() {
      engine.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
