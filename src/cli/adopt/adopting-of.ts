import { INSTALLERS } from '../../adapters/installers.generated.ts';
import type { Adopting, Installer } from '../../adapters/installer.ts';
import { CommandError } from '../command.ts';

/** The installer of an agent whose hooks can be adopted. */
export function adoptingOf(agent: string): Installer & { readonly adopting: Adopting } {
  const installer = INSTALLERS.find((each) => each.agent === agent);
  if (!installer?.adopting) throw new CommandError(`hooks of ${agent} cannot be adopted`);
  return { ...installer, adopting: installer.adopting };
}
