import type { Scope } from '../../adapters/installer.ts';
import { DEFAULT_PACKS } from '../../event/known-packs.ts';
import { quote } from '../../shell/quote.ts';
import type { CliWorld, Input } from '../command.ts';
import type { FittingPack } from './fitting-packs.ts';
import type { Wiring } from './inspect.ts';
import { launchFor, PROGRAM } from './launcher.ts';

/** Only a person who can be asked says so here; options say it beforehand. */
export function canAsk(input: Input, world: CliWorld): boolean {
  return world.interactive && !input.has('yes') && !input.has('dry-run');
}

/** Packs that this project has something for and about which nobody has said anything yet. */
export async function askAboutPacks(fitting: readonly FittingPack[], input: Input, world: CliWorld): Promise<string[]> {
  const wanted: string[] = [];
  for (const { pack } of openPacks(fitting, input.list('pack'))) {
    const where = input.has('user') ? 'in every project' : 'in this project';
    if (canAsk(input, world) && (await world.ask(`Switch the pack ${pack} on, ${where}?`))) wanted.push(pack);
  }
  return wanted;
}

function openPacks(fitting: readonly FittingPack[], chosen: readonly string[]): readonly FittingPack[] {
  return fitting.filter(({ pack, isOpen }) => isOpen && !DEFAULT_PACKS.has(pack) && !chosen.includes(pack));
}

export function suggestPacks(fitting: readonly FittingPack[], chosen: readonly string[], world: CliWorld): void {
  for (const { pack, found, does } of openPacks(fitting, chosen))
    world.out(`\n${found}: \`${PROGRAM} packs on ${pack}\` ${does}.\n`);
}

/** One that is ours is brought up to date; where there is another nobody is asked. */
export async function wantsStatusLine(
  scope: Scope,
  wirings: readonly Wiring[],
  input: Input,
  world: CliWorld,
): Promise<boolean> {
  const lines = wirings.flatMap(({ statusLine, scope: where }) => (statusLine ? [{ statusLine, where }] : []));
  if (lines.some(({ statusLine, where }) => statusLine === 'own' && where === scope)) return true;
  if (scope === 'project' || lines.length > 0) return false;
  if (input.has('statusline')) return true;
  return canAsk(input, world) && world.ask('Show rules, stopped calls and context left in the status line?');
}

/** A shell takes it apart. */
export function statusLineFor(scope: Scope, { paths }: CliWorld): string {
  const { command, args, homeArgs } = launchFor(scope, paths, { kind: 'node', why: 'only Node can run it' });
  return [command, ...args, 'statusline', ...homeArgs].map(quote).join(' ');
}
