import { knownWords } from '../adapters/registry.ts';
import type { RuleBody } from '../engine/rule.ts';
import { GRAPH_PACK } from '../event/known-packs.ts';
import type { Graphs } from '../graph/index.ts';
import { graphWanted } from '../graph/settings.ts';
import { BUILT_IN } from '../packs/index.generated.ts';
import { loadBorrowed } from '../packs/load-borrowed.ts';
import { BUILD } from '../platform/build.ts';
import type { Files } from '../platform/files.ts';
import { createProgramLookup } from '../platform/find-program.ts';
import type { HomePaths } from '../platform/paths.ts';
import { afterThis } from '../platform/timers.ts';
import { whoIsHere } from '../platform/who.ts';
import { createResolver } from '../roots/resolver.ts';
import type { ParseRule } from '../workspace/config/compiled.ts';
import type { DeclaredRule } from '../workspace/policy.ts';
import { createWorkspaces } from '../workspace/workspaces.ts';
import type { Workspaces, WorkspacesOptions } from '../workspace/workspaces.ts';

export interface OpenWorkspacesOptions extends Pick<WorkspacesOptions, 'variable'> {
  readonly paths: HomePaths;
  readonly userHome: string;
  readonly resident: boolean;
  readonly files: Files;
  readonly graphs: Graphs | undefined;
  now(): number;
}

/** How long the settings of a resident engine count as current; its process looks at them more often, between events. */
const RECHECK_MS = 1_500;

/** The workspaces of one home, with the rules of all packs and the parts of user rules, which come when one is in force. */
export function openWorkspaces(options: OpenWorkspacesOptions): Workspaces {
  const { paths, userHome, resident, files, graphs, now, variable } = options;
  const hasProgram = createProgramLookup(now);
  /** Only the person says that; a project that could would widen itself. */
  const forcesRoots = () => graphWanted(workspaces.userSettings().packs[GRAPH_PACK])?.force === true;
  const workspaces = createWorkspaces({
    resolver: createResolver({ files, home: userHome, now, force: forcesRoots }),
    files,
    home: userHome,
    config: paths.config,
    builtIn: BUILT_IN,
    layer: { files, state: paths.state, now, build: BUILD, loadRuleParser, loadBorrowed },
    loadDeclared,
    whoIsHere,
    hasProgram: (name, session) => hasProgram(name, variable('PATH', session)),
    variable,
    ...(graphs && { graphAt: graphs.at }),
    ...(resident ? { recheckMs: RECHECK_MS, afterReply } : {}),
  });
  return workspaces;
}

/** A record that cannot be written is written at the next change. */
function afterReply(work: () => void): void {
  afterThis(() => {
    try {
      work();
    } catch {
      // A disk that is full or read-only: what was accepted before still counts.
    }
  });
}

async function loadRuleParser(): Promise<ParseRule> {
  const { parseUserRule } = await import('../user-rules/parse.ts');
  return (text, place) => parseUserRule(text, { ...place, ...knownWords() });
}

async function loadDeclared(rule: DeclaredRule): Promise<RuleBody> {
  const { userRuleBody } = await import('../user-rules/body.ts');
  if (!rule.match.runs && !rule.match.unless) return userRuleBody(rule.match);
  const { whySilent } = await import('../user-rules/run-tests.ts');
  return userRuleBody(rule.match, whySilent);
}
