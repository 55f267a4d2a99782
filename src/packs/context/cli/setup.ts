import { borrowed } from '../borrowed.ts';
import { CONTEXT_DIR, contextFileTimes, contextPath, isInitialised, newestJournal, REMINDERS_FILE } from '../files.ts';
import { pack } from '../pack.ts';
import { parseStore, remindersIn } from '../reminders.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { join } from '../../../platform/paths.ts';
import { parseBorrowedSettings } from '../../../workspace/config/borrowed-settings.ts';
import { listProject, trustStatus } from '../../../workspace/config/trust.ts';
import type { ListedFile } from '../../../workspace/config/trust.ts';
import type { CliWorld } from '../../../cli/command.ts';
import { PROGRAM } from '../../../cli/install/launcher.ts';
import type { PackSetup } from '../../../cli/pack-parts.ts';
import { counted } from '../../../cli/table.ts';
import { findContext, isMadeHere } from './context-place.ts';

const { settings: SETTINGS } = pack.borrows;

export const setup: PackSetup = {
  found(root, world) {
    const found = foundOfContext(root, world);
    if (!found) return undefined;
    return {
      what: found.found,
      suggestion: `gives ${found.short} to agents and tends it; the files stay as they are`,
      report: [
        `Found ${found.found}. The pack context reads and tends this; the files stay as they are.`,
        ...(found.isMadeHere ? ['  made here with `context init`, so its text and reminders go to the agent'] : []),
        ...found.afterTrust.map((line) => `  once you accept it with \`${PROGRAM} trust\`: ${line}`),
      ],
    };
  },
  textAt(world) {
    const place = findContext(world);
    if (!place || !isInitialised(nodeFiles, place.root)) return undefined;
    return { dir: join(place.root, CONTEXT_DIR), workspace: place.workspace };
  },
};

export interface FoundContext {
  /** What it is called in a sentence. */
  readonly short: string;
  /** What is there, for somebody who decides about the pack. */
  readonly found: string;
  /** The user made it, so that its text needs no further word. */
  readonly isMadeHere: boolean;
  /** What would happen once a person accepts it; empty where that is so. */
  readonly afterTrust: readonly string[];
}

/** What a project has for the context pack, perhaps from ctx. Nothing of it is changed by the pack being switched on. */
export function foundOfContext(root: string, world: CliWorld): FoundContext | undefined {
  const hasContext = nodeFiles.stat(contextPath(root))?.kind === 'dir';
  const deps = { files: nodeFiles, state: world.paths.state, now: Date.now };
  const files = listProject(root, deps).files.filter(({ kind }) => kind.startsWith('borrowed-'));
  const settings = files.find(({ kind }) => kind === 'borrowed-settings');
  if (!hasContext && !settings) return undefined;
  const parts = [
    ...(hasContext ? [describeContext(root, files)] : []),
    ...(settings ? [`${SETTINGS} with settings of ctx`] : []),
  ];
  const isTrusted = trustStatus(root, deps).context === 'trusted';
  const isOwn = hasContext && isMadeBefore(root, world);
  return {
    short: hasContext ? CONTEXT_DIR : `what ${SETTINGS} sets`,
    found: parts.join(', and '),
    isMadeHere: isOwn,
    afterTrust: isTrusted ? [] : whatTrustAdds(hasContext && !isOwn, settings, files),
  };
}

/** Where nothing was ever kept nothing was made; asking would make the state file. */
function isMadeBefore(root: string, world: CliWorld): boolean {
  return nodeFiles.exists(join(world.paths.state, 'state.db')) && isMadeHere(world, { root, workspace: root });
}

function whatTrustAdds(hasText: boolean, settings: ListedFile | undefined, files: readonly ListedFile[]): string[] {
  const read = settings ? parseBorrowedSettings(settings.text, settings.name, 'context', borrowed).read : [];
  const messages = files.filter(({ kind }) => kind === 'borrowed-message').length;
  return [
    ...(hasText ? [`the text of ${CONTEXT_DIR}/*.md, and reminders, go to the agent`] : []),
    ...(read.length > 0 ? [`${SETTINGS} sets ${read.join(', ')} where your own settings do not`] : []),
    ...(messages > 0 ? [`${counted(messages, 'message')} in its words instead of the built-in ones`] : []),
  ];
}

function describeContext(root: string, files: readonly ListedFile[]): string {
  const reminders = remindersIn(parseStore(nodeFiles.readText(contextPath(root, REMINDERS_FILE))) ?? []).length;
  const entries = newestJournal(nodeFiles, root, Number.MAX_SAFE_INTEGER).length;
  const messages = files.filter(({ kind }) => kind === 'borrowed-message').length;
  const parts = [
    counted(contextFileTimes(nodeFiles, root).length, 'file'),
    ...(reminders > 0 ? [counted(reminders, 'reminder')] : []),
    ...(entries > 0 ? [`${entries} in the journal`] : []),
    ...(messages > 0 ? [`${counted(messages, 'message')} of its own`] : []),
  ];
  return `${CONTEXT_DIR} (${parts.join(', ')})`;
}
