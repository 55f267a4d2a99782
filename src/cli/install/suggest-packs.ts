import { PROVIDERS } from '../../packs/codegraph/providers.ts';
import {
  CONTEXT_DIR,
  contextFileTimes,
  contextPath,
  newestJournal,
  REMINDERS_FILE,
} from '../../packs/context/files.ts';
import { parseStore, remindersIn } from '../../packs/context/reminders.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { parseCtxrc } from '../../workspace/config/ctxrc.ts';
import { CTX_SETTINGS } from '../../workspace/config/ctx-files.ts';
import { listProject, trustStatus } from '../../workspace/config/trust.ts';
import type { ListedFile } from '../../workspace/config/trust.ts';
import type { CliWorld } from '../command.ts';
import { isMadeHere } from '../context-place.ts';
import { counted } from '../table.ts';
import { readConfigAt, userConfigPath } from '../user-config.ts';
import { readWhole } from './file-change.ts';
import { PROGRAM } from './launcher.ts';

/** Lines on packs that this project has something for and about which nobody has said anything yet. */
export function suggestPacks(root: string, chosen: readonly string[], world: CliWorld): string[] {
  return [
    ...(isOpen('codegraph', chosen, world) ? suggestCodegraph(root) : []),
    ...(isContextOpen(root, chosen, world)
      ? [
          `\`${PROGRAM} init --pack context\` lets Fairlead give ${foundOfContext(root, world)?.short} to agents and tend it. The files stay as they are.`,
        ]
      : []),
  ];
}

/** Whether the project has something for the context pack, and nobody has said anything about that yet. */
export function isContextOpen(root: string, chosen: readonly string[], world: CliWorld): boolean {
  return isOpen('context', chosen, world) && foundOfContext(root, world) !== undefined;
}

function isOpen(pack: string, chosen: readonly string[], world: CliWorld): boolean {
  const config = userConfigPath(world.paths.config);
  return !chosen.includes(pack) && readConfigAt(readWhole(config) ?? '', ['packs', pack], config) === undefined;
}

function suggestCodegraph(root: string): string[] {
  const provider = PROVIDERS.find(({ index }) => index !== undefined && nodeFiles.exists(join(root, index.dir)));
  if (!provider?.index) return [];
  return [
    `${provider.index.dir} is an index of ${provider.name}: \`${PROGRAM} init --pack codegraph\` lets Fairlead point broad searches at it.`,
  ];
}

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
  const files = listProject(root, deps).files.filter(({ kind }) => kind === 'ctxrc' || kind === 'ctx-message');
  const settings = files.find(({ kind }) => kind === 'ctxrc');
  if (!hasContext && !settings) return undefined;
  const parts = [
    ...(hasContext ? [describeContext(root, files)] : []),
    ...(settings ? [`${CTX_SETTINGS} with settings of ctx`] : []),
  ];
  const isTrusted = trustStatus(root, deps).context === 'trusted';
  const isOwn = hasContext && isMadeBefore(root, world);
  return {
    short: hasContext ? CONTEXT_DIR : `what ${CTX_SETTINGS} sets`,
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
  const read = settings ? parseCtxrc(settings.text, settings.name).read : [];
  const messages = files.filter(({ kind }) => kind === 'ctx-message').length;
  return [
    ...(hasText ? [`the text of ${CONTEXT_DIR}/*.md, and reminders, go to the agent`] : []),
    ...(read.length > 0 ? [`${CTX_SETTINGS} sets ${read.join(', ')} where your own settings do not`] : []),
    ...(messages > 0 ? [`${counted(messages, 'message')} in its words instead of the built-in ones`] : []),
  ];
}

function describeContext(root: string, files: readonly ListedFile[]): string {
  const reminders = remindersIn(parseStore(nodeFiles.readText(contextPath(root, REMINDERS_FILE))) ?? []).length;
  const entries = newestJournal(nodeFiles, root, Number.MAX_SAFE_INTEGER).length;
  const messages = files.filter(({ kind }) => kind === 'ctx-message').length;
  const parts = [
    counted(contextFileTimes(nodeFiles, root).length, 'file'),
    ...(reminders > 0 ? [counted(reminders, 'reminder')] : []),
    ...(entries > 0 ? [`${entries} in the journal`] : []),
    ...(messages > 0 ? [`${counted(messages, 'message')} of its own`] : []),
  ];
  return `${CONTEXT_DIR} (${parts.join(', ')})`;
}
