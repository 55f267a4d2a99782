import { nodeFiles } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { openReplayEngine } from '../../replay/replay-engine.ts';
import type { RuleTally } from '../../replay/tally.ts';
import { baseOf } from '../../workspace/config/compiled.ts';
import type { LayerKind } from '../../workspace/config/compiled.ts';
import { acceptProject, listProject } from '../../workspace/config/trust.ts';
import type { CliWorld } from '../command.ts';
import { findTranscripts, hasTranscripts } from '../replay/find-transcripts.ts';
import { makeReport } from '../replay/make-report.ts';
import { scratchFiles } from '../replay/settings-tried.ts';
import { RECORD_DAYS } from '../rule-record.ts';
import type { Proposal } from './proposals.ts';

export interface WouldFire {
  readonly calls: number;
  readonly sessions: number;
  readonly rules: ReadonlyMap<string, RuleTally>;
}

/** What the rules would have said in the person's own sessions, were they in force; undefined where there are none. */
export async function wouldFire(
  proposals: readonly Proposal[],
  scope: LayerKind,
  root: string,
  world: CliWorld,
  showsProgress: boolean,
): Promise<WouldFire | undefined> {
  if (proposals.length === 0 || !hasTranscripts(world, nodeFiles)) return undefined;
  const { paths, userHome } = world;
  const dir = scope === 'project' ? root : paths.config;
  const files = scratchFiles(nodeFiles);
  for (const { name, text } of proposals) files.writeAtomic(join(baseOf(scope, dir), 'rules', `${name}.md`), text);
  const deps = { files, state: paths.state, now: Date.now };
  if (scope === 'project') acceptProject(listProject(root, deps), deps, 'own');
  const since = Date.now() - RECORD_DAYS * 86_400_000;
  const engine = openReplayEngine({ paths, userHome, files });
  const found = findTranscripts([], world, nodeFiles);
  const { tally } = await makeReport(found, [engine], { since, rule: undefined }, world, showsProgress);
  return { calls: tally.calls, sessions: tally.sessions.size, rules: tally.rules };
}
