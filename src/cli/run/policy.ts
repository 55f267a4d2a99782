import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { openEngine } from '../../assembly/open-engine.ts';
import { createJobs } from '../../jobs/jobs.ts';
import { nodeFiles } from '../../platform/files.ts';
import { basename, join, resolve } from '../../platform/paths.ts';
import { seenPath } from '../../team/seen.ts';
import type { TeamSettings } from '../../team/place.ts';
import { CommandError } from '../command.ts';
import type { CliWorld } from '../command.ts';
import { rootAt } from '../known-rules.ts';
import { refresh, settle } from '../team-policy.ts';

const PARTS = ['config.yaml', 'rules', 'messages'];

/** What was named as the policy of a run, and the keys that may have signed it. */
export interface GivenPolicy {
  readonly path: string;
  readonly keys: readonly string[];
}

/** Puts what holds for a run where a person's own settings lie; a signed policy is followed there, above them. */
export async function plantPolicy(
  { path: given, keys }: GivenPolicy,
  scratch: CliWorld,
  world: CliWorld,
): Promise<void> {
  const { config } = scratch.paths;
  const path = resolve(world.cwd, given);
  const kind = nodeFiles.stat(path)?.kind;
  mkdirSync(join(config, 'rules'), { recursive: true });
  if (kind === 'dir') plantDirectory(path, config);
  else if (kind === 'file' && /\.ya?ml$/.test(path)) cpSync(path, join(config, 'config.yaml'));
  else if (kind === 'file' && path.endsWith('.md')) cpSync(path, join(config, 'rules', basename(path)));
  else if (kind === 'file' && path.endsWith('.json')) await plantSigned(path, keys, scratch, world);
  else
    throw new CommandError(
      `there is no policy at ${path}: a directory, a .yaml file of settings, a .md file of a rule, or a .json file that is signed`,
    );
}

function plantDirectory(path: string, config: string): void {
  const found = PARTS.filter((name) => nodeFiles.exists(join(path, name)));
  if (found.length === 0)
    throw new CommandError(`${path} has no ${PARTS.join(', ')}; a policy is laid out as .fairlead is`);
  try {
    for (const name of found) cpSync(join(path, name), join(config, name), { recursive: true });
  } catch (error) {
    throw new CommandError(`the policy ${path} cannot be copied: ${(error as Error).message}`);
  }
}

/** What this machine has seen counts here too: its place in the rings, and that there is no way back. */
async function plantSigned(
  policy: string,
  given: readonly string[],
  scratch: CliWorld,
  world: CliWorld,
): Promise<void> {
  const pinned = await pinnedIn(scratch, world);
  const keys = given.length > 0 ? given : (pinned?.keys ?? []);
  if (keys.length === 0)
    throw new CommandError(
      `${policy} is a signed policy, and no key says whose.\nName the public key with --key, or pin it with \`fairlead policy follow\`.`,
    );
  const seen = join(world.paths.state, 'team');
  mkdirSync(join(scratch.paths.state, 'team'), { recursive: true });
  if (nodeFiles.exists(seenPath(seen))) cpSync(seenPath(seen), seenPath(join(scratch.paths.state, 'team')));
  const team = { policy, keys, ...(pinned?.labels && { labels: pinned.labels }) };
  // JSON is YAML.
  writeFileSync(join(scratch.paths.config, 'config.yaml'), JSON.stringify({ team }));
}

/** What the person's settings say of a team, read without touching their state. */
async function pinnedIn({ paths: { state, run } }: CliWorld, world: CliWorld): Promise<TeamSettings | undefined> {
  const paths = { config: world.paths.config, state, run };
  const engine = openEngine({ paths, userHome: world.userHome, resident: false, keeps: 'trial', createJobs });
  try {
    return (await engine.workspaces.layersAt(rootAt(world))).user.config.team;
  } finally {
    engine.close();
  }
}

/** A signed policy counts from the first event on, or nothing is started. */
export async function followForRun(team: TeamSettings | undefined, scratch: CliWorld): Promise<void> {
  if (!team) return;
  const { kept, problem } = await refresh(team, scratch);
  if (!kept)
    throw new CommandError(`the policy does not count, so nothing was started: ${problem ?? 'it cannot be had'}`);
  await settle(scratch);
}
