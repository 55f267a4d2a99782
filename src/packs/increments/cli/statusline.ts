import { incrementIds, readWhole } from '../increments.ts';
import { incrementFile, incrementsDir, statusFilePath, WATCHED } from '../layout.ts';
import { readOptions } from '../options.ts';
import type { IncrementOptions } from '../options.ts';
import { renderStatusLine } from '../render-status.ts';
import { countStatus, readStatus } from '../status-line.ts';
import type { StatusFile } from '../status-line.ts';
import { nodeFiles } from '../../../platform/files.ts';
import type { PackStatus } from '../../../cli/pack-parts.ts';
import { findIncrementsRoot, incrementOptions } from './increments-root.ts';

/** The engine keeps the file up to date; one that is older is held against the files it was made of. */
const TRUSTED_MS = 30_000;

export const statusline: PackStatus = {
  async at(dirs, now, world, isOff) {
    const root = dirs.map((dir) => findIncrementsRoot(dir, world.userHome)).find((found) => found !== undefined);
    if (root === undefined) return undefined;
    const options = isOff ? readOptions({}) : await incrementOptions(world, root);
    const { ascii, showContext } = options.statusline;
    const status = statusIn(root, options, now);
    return {
      ...(status && status.activeIncrements.length > 0
        ? { text: (columns: number) => renderStatusLine(status, { ascii, columns }) }
        : {}),
      ascii,
      showContext,
    };
  },
};

function statusIn(root: string, options: IncrementOptions, now: number): StatusFile | undefined {
  const status = readStatus(readWhole(nodeFiles, statusFilePath(root)) ?? '');
  if (!status) return undefined;
  const writtenAt = Date.parse(status.lastUpdate) || 0;
  if (now - writtenAt <= TRUSTED_MS || !isOutdated(root, writtenAt)) return status;
  return countStatus(nodeFiles, root, options, status.lastUpdate);
}

function isOutdated(root: string, writtenAt: number): boolean {
  const isNewer = (path: string) => (nodeFiles.stat(path)?.mtimeMs ?? 0) > writtenAt;
  // The directory itself changes when an increment comes or goes.
  if (isNewer(incrementsDir(root))) return true;
  return incrementIds(nodeFiles, root).some((id) => WATCHED.some((file) => isNewer(incrementFile(root, id, file))));
}
