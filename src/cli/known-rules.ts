import type { ActiveRule } from '../engine/match/rule-index.ts';
import { BUILT_IN } from '../packs/index.generated.ts';
import { nodeFiles } from '../platform/files.ts';
import { contains, relative } from '../platform/paths.ts';
import { wholeRuleBody } from '../user-rules/whole-body.ts';
import type { Problem } from '../user-rules/problem.ts';
import type { LayerFile } from '../workspace/config/compiled.ts';
import { findWorkspaceRoot } from '../roots/find-root.ts';
import { rulesOf } from '../workspace/policy.ts';
import type { DeclaredRule } from '../workspace/policy.ts';
import type { Layers } from '../workspace/standing.ts';
import { hint } from './hint.ts';
import { UsageError } from './command.ts';
import type { CliWorld } from './command.ts';

/** The rules of the workspace that a verb was called in, `off` ones included. */
export interface KnownRules {
  readonly root: string;
  readonly layers: Layers;
  readonly rules: readonly ActiveRule[];
}

/** The root that an agent working in `dir` has: like a hook's, it does not depend on the environment. */
export function rootAt(world: CliWorld, dir = world.cwd): string {
  return findWorkspaceRoot(dir, { files: nodeFiles, home: world.userHome, preferEnv: false }).path;
}

export async function knownRules(world: CliWorld, root = rootAt(world)): Promise<KnownRules> {
  const layers = await world.engine().workspaces.layersAt(root);
  return { root, layers, rules: rulesOf(layers, { builtIn: BUILT_IN, loadDeclared }) };
}

function loadDeclared(rule: DeclaredRule) {
  return wholeRuleBody(rule.match);
}

/** By its id, or by its name alone where no other rule has that. `packs` might have been meant as well. */
export function ruleNamed({ rules, layers }: KnownRules, name: string, packs: readonly string[] = []): ActiveRule {
  const found = rules.find(({ meta }) => meta.id === name);
  if (found) return found;
  const [short, ...others] = rules.filter(({ meta }) => meta.id.endsWith(`/${name}`));
  if (short && others.length === 0) return short;
  const ids = rules.map(({ meta }) => meta.id);
  if (short)
    throw new UsageError(
      `"${name}" stands for ${ids.filter((id) => id.endsWith(`/${name}`)).join(' and ')}; give the whole name`,
    );
  const { names = [] } = layers.project.skipped ?? {};
  const bare = name.replace(/^project\//, '');
  if (names.includes(`rules/${bare}.md`))
    throw new UsageError(
      `project/${bare} has no effect yet: what this project brings is not trusted; \`fairlead trust\` shows and accepts it`,
    );
  const what = packs.length > 0 && !name.includes('/') ? 'rule or pack' : 'rule';
  throw new UsageError(
    `no ${what} "${name}"${hint(name, [...ids, ...packs]) || '; `fairlead rules list --all` names them all'}`,
  );
}

export function packsOf({ rules }: KnownRules): readonly string[] {
  return [...new Set([...rules.map(({ meta }) => meta.pack), 'user', 'project'])];
}

/** Rule files that do not say what they were meant to say. */
export function brokenRuleFiles({
  layers,
}: KnownRules): readonly { readonly file: LayerFile; readonly problems: readonly Problem[] }[] {
  return [layers.user, layers.project].flatMap(({ files, problems }) =>
    files
      .filter(({ kind, state }) => kind === 'rule' && (state === 'broken' || state === 'kept'))
      .map((file) => ({ file, problems: problems.filter((problem) => problem.file === file.path) })),
  );
}

/** A path as people would type it where they are. */
export function shown(world: CliWorld, path: string): string {
  const cwd = nodeFiles.realpath(world.cwd) ?? world.cwd;
  if (contains(cwd, path)) return relative(cwd, path);
  return contains(world.userHome, path) ? `~${path.slice(world.userHome.length)}` : path;
}
