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
import type { CliWorld } from '../command.ts';
import { counted } from '../table.ts';
import { readConfigAt, userConfigPath } from '../user-config.ts';
import { readWhole } from './file-change.ts';
import { PROGRAM } from './launcher.ts';

const CTX_SETTINGS = '.ctxrc';

/** Lines on packs that this project has something for and about which nobody has said anything yet. */
export function suggestPacks(root: string, chosen: readonly string[], world: CliWorld): string[] {
  const config = userConfigPath(world.paths.config);
  const isOpen = (pack: string) =>
    !chosen.includes(pack) && readConfigAt(readWhole(config) ?? '', ['packs', pack], config) === undefined;
  return [...(isOpen('codegraph') ? suggestCodegraph(root) : []), ...(isOpen('context') ? suggestContext(root) : [])];
}

function suggestCodegraph(root: string): string[] {
  const provider = PROVIDERS.find(({ index }) => index !== undefined && nodeFiles.exists(join(root, index.dir)));
  if (!provider?.index) return [];
  return [
    `${provider.index.dir} is an index of ${provider.name}: \`${PROGRAM} init --pack codegraph\` lets Fairlead point broad searches at it.`,
  ];
}

function suggestContext(root: string): string[] {
  const hasContext = nodeFiles.stat(contextPath(root))?.kind === 'dir';
  const hasSettings = nodeFiles.stat(join(root, CTX_SETTINGS))?.kind === 'file';
  if (!hasContext && !hasSettings) return [];
  const found = [
    ...(hasContext ? [describeContext(root)] : []),
    ...(hasSettings ? [`${CTX_SETTINGS} with settings for it`] : []),
  ];
  return [
    `Found ${found.join(', and ')}: \`${PROGRAM} init --pack context\` lets Fairlead give it to agents and tend it. The files stay as they are.`,
  ];
}

function describeContext(root: string): string {
  const reminders = remindersIn(parseStore(nodeFiles.readText(contextPath(root, REMINDERS_FILE))) ?? []).length;
  const entries = newestJournal(nodeFiles, root, Number.MAX_SAFE_INTEGER).length;
  const messages = nodeFiles.stat(contextPath(root, join('hooks', 'messages')))?.kind === 'dir';
  const parts = [
    counted(contextFileTimes(nodeFiles, root).length, 'file'),
    ...(reminders > 0 ? [counted(reminders, 'reminder')] : []),
    ...(entries > 0 ? [`${entries} in the journal`] : []),
    ...(messages ? ['messages of its own'] : []),
  ];
  return `${CONTEXT_DIR} (${parts.join(', ')})`;
}
