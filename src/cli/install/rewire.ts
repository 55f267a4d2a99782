import { INSTALLERS } from '../../adapters/installers.generated.ts';
import type { Installer } from '../../adapters/installer.ts';
import { nodeFiles } from '../../platform/files.ts';
import { areOtherUsersAccepted, readHttpAccess } from '../../transport/http-access.ts';
import { alone } from '../alone.ts';
import { CommandError } from '../command.ts';
import type { CliWorld } from '../command.ts';
import { shown } from '../known-rules.ts';
import { statusLineFor } from './ask-about.ts';
import { isNativeClient } from './client.ts';
import type { Client } from './client.ts';
import { writeAll } from './confirm.ts';
import { failClosedAt } from './fail-closed.ts';
import { differenceIn, followsRules, heardAt } from './heard.ts';
import type { Difference, Heard } from './heard.ts';
import { inspectInstall } from './inspect.ts';
import type { Wiring } from './inspect.ts';
import { launchFor } from './launcher.ts';
import { planWiring } from './plan.ts';
import type { SettingsChange } from './plan.ts';
import { writeRecord } from './record.ts';
import { targetOf } from './target.ts';
import { whyNotTrusted } from './trust.ts';
import { deliveryFor, DESPITE_OTHERS } from './transport.ts';
import type { Chosen } from './transport.ts';

const PATIENCE = { waitMs: 2_000, tooLong: 'another `fairlead init` is at work', mustRun: true } as const;

/**
 * After a change of rules: lets agents that are wired here tell of what rules listen to now, and no more of what none does. A person
 * who installed the hooks has agreed to them, so who asks for the rules is not asked again; an agent is told what a person runs.
 */
export async function rewire(root: string, world: CliWorld): Promise<void> {
  const wirings = inspectInstall(root, world).filter(({ wired }) => wired.length > 0);
  if (!wirings.some(({ scope }) => followsRules(scope))) return;
  const heard = await heardAt(root, world);
  for (const wiring of wirings) {
    const installer = INSTALLERS.find(({ agent }) => agent === wiring.agent);
    if (!installer || !followsRules(wiring.scope)) continue;
    const difference = differenceIn(wiring, wirings, installer, heard);
    if (difference.missing.length + difference.needless.length === 0) continue;
    const isDone = world.isPerson() && (await isRewired(installer, wiring, heard, root, world));
    const text = isDone ? describeDone(difference) : describeOpen(difference, wiring, world);
    if (text !== undefined) world.err(`note: ${shown(world, wiring.path)} ${text}\n`);
    const file = { installer, path: wiring.path };
    const { objections, byHand } = (isDone && whyNotTrusted(file, wiring.scope, targetOf(root, world))) || {};
    if (objections)
      world.err(`note: ${wiring.agent} leaves out what is new: ${objections.join('; ')}. A person: ${byHand}.\n`);
  }
}

async function isRewired(
  installer: Installer,
  wiring: Wiring,
  heard: Heard,
  root: string,
  world: CliWorld,
): Promise<boolean> {
  const chosen = await howItIs(wiring, heard, root, world);
  if (!chosen) return false;
  try {
    await alone(world, 'install', PATIENCE, () => {
      const change = planWiring(installer, chosen.scope, wiring.path, deliveryFor(installer, chosen), world);
      writeAll<SettingsChange>(change ? [change] : [], ({ recordKey, record }, moment) => {
        if (moment === 'before') writeRecord(nodeFiles, world.paths.state, recordKey, record);
      });
    });
    return true;
  } catch (error) {
    // The rules are changed by then; what keeps the file from being written is for `init` to tell.
    if (error instanceof CommandError) return false;
    throw error;
  }
}

/** How the entries that are there reach the engine; undefined where `init` has more to mend than events. */
async function howItIs(wiring: Wiring, heard: Heard, root: string, world: CliWorld): Promise<Chosen | undefined> {
  const { scope, calls, valid, transport, posted, statusLine } = wiring;
  const [call, another] = calls;
  if (!valid || !call || another || call.problem !== undefined || transport === 'mixed' || !followsRules(scope))
    return undefined;
  const [command = ''] = call.words;
  const client: Client = isNativeClient(command)
    ? { kind: 'native', path: command, built: 'before' }
    : { kind: 'node', why: 'it was chosen before' };
  const launch = launchFor(scope, world.paths, client);
  const access = posted.size > 0 ? readHttpAccess(nodeFiles, world.paths.run) : undefined;
  if (launch.command !== command || (posted.size > 0 && !access)) return undefined;
  return {
    ...{ scope, client, launch, heard, failClosed: await failClosedAt(root, world) },
    ...(access && { access }),
    ...(statusLine === 'own' && { statusLine: statusLineFor(scope, world) }),
  };
}

function describeDone({ missing, needless }: Difference): string {
  const more = missing.map(({ name }) => name).join(', ');
  const less = needless.join(', ');
  const parts = [
    ...(more === '' ? [] : [`now calls Fairlead on ${more}`]),
    ...(less === '' ? [] : [`no more on ${less}`]),
  ];
  return `${more === '' ? 'calls Fairlead ' : ''}${parts.join(', and ')}. It counts from the next session on.`;
}

/** Events that nobody hears cost little, and doctor names them. */
function describeOpen({ missing }: Difference, wiring: Wiring, world: CliWorld): string | undefined {
  const heard = missing.filter(({ rules }) => rules.length > 0).map(({ name }) => name);
  if (heard.length === 0) return undefined;
  return `does not call Fairlead on ${heard.join(', ')}, where rules listen now. A person runs \`${initFor(wiring, world)}\`.`;
}

/** The command that makes a file as it should be: over the transport that it uses, unless nobody has accepted what that risks. */
export function initFor({ scope, posted, plugin }: Wiring, { paths }: CliWorld): string {
  if (plugin) return `${plugin.removal}, then install it again`;
  if (scope === 'policy') return 'ask the administrator of this machine to run fairlead init';
  const isPosting = posted.size > 0 && areOtherUsersAccepted(nodeFiles, paths.run);
  return `fairlead init${scope === 'local' ? '' : ` --scope ${scope}`}${isPosting ? ` --transport http --${DESPITE_OTHERS}` : ''}`;
}
