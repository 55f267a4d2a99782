import { claudeCodeInstaller } from './claude-code/install.ts';
import type { Installer } from './installer.ts';

/** Apart from the adapters, because a hook answers an event without any of this. */
export const INSTALLERS: readonly Installer[] = [claudeCodeInstaller];
