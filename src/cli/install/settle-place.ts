import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { STAMP } from '../../platform/build.ts';
import { nodeFiles } from '../../platform/files.ts';
import { basename, dirname, join } from '../../platform/paths.ts';
import type { HomePaths } from '../../platform/paths.ts';
import {
  aboutLaunched,
  forgetGone,
  launchDir,
  mustRefresh,
  readLaunched,
  versionsDir,
} from '../../transport/launch-place.ts';
import type { Launched } from '../../transport/launch-place.ts';
import { isNewer } from '../../transport/newer-build.ts';
import { CLIENT, findClient, stampOf } from './client.ts';
import type { Client } from './client.ts';
import { ownLauncher, PROGRAM, stableNode } from './launcher.ts';
import { launcherScript, NODE_CLIENT, TAKE_OUT } from './launcher-script.ts';

const PROGRAM_MODE = 0o700;
const LEFT_MS = 60_000;

/** This copy. */
export function ownCopy(): Launched {
  const root = dirname(dirname(ownLauncher(nodeFiles)));
  return { stamp: STAMP, root, node: stableNode(process.execPath, nodeFiles) };
}

/** Lets hooks start a copy from now on. Returns the client that they start: Node where no program can be started from a home. */
export function settlePlace(paths: HomePaths, copy: Launched, client: Client): Client {
  place(paths, copy, client);
  const dir = launchDir(paths.state);
  if (client.kind === 'node' || stampOf(join(dir, CLIENT)) !== undefined) return client;
  const byNode: Client = { kind: 'node', why: `no program can be started from ${dir}` };
  place(paths, copy, byNode);
  return byNode;
}

/**
 * Writes what hooks start into a directory of its own, then switches the link to it in one step. Where there is no native
 * client, the launcher stands in under its name, since settings of agents may name it.
 */
function place(paths: HomePaths, copy: Launched, client: Client): void {
  const script = launcherScript({ ...copy, ...paths });
  const takeOut = nodeFiles.readBytes(join(copy.root, 'dist', 'take-out.js')) ?? '';
  const native = client.kind === 'native' ? readFileSync(client.path) : script;
  const byNode = client.kind === 'node' ? nodeFiles.readBytes(join(copy.root, 'dist', 'client.cjs')) : undefined;
  const about = aboutLaunched(copy);
  const parts = [
    [PROGRAM, script, PROGRAM_MODE],
    [CLIENT, native, PROGRAM_MODE],
    [TAKE_OUT, takeOut, 0o600],
    ...(byNode === undefined ? [] : ([[NODE_CLIENT, byNode, 0o600]] as const)),
    [about.name, about.text, 0o600],
  ] as const;
  const hash = createHash('sha256');
  for (const [, content] of parts) hash.update(content);
  const name = `${copy.stamp}-${hash.digest('hex').slice(0, 12)}`;
  const [versions, current] = [versionsDir(paths.state), launchDir(paths.state)];
  const dir = join(versions, name);
  const before = nodeFiles.readLink(current);
  if (!nodeFiles.exists(dir)) {
    const fresh = join(versions, `.${name}.${process.pid}`);
    mkdirSync(fresh, { recursive: true, mode: 0o700 });
    try {
      for (const [file, content, mode] of parts) {
        writeFileSync(join(fresh, file), content, { flush: true });
        chmodSync(join(fresh, file), mode);
      }
      renameSync(fresh, dir);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  const link = `${current}.${process.pid}`;
  rmSync(link, { force: true });
  symlinkSync(join(basename(versions), name), link);
  renameSync(link, current);
  // A hook that started a moment ago still reads from the one before, and another process may be about to switch to its own.
  const kept = new Set([name, before === undefined ? name : basename(before)]);
  for (const each of nodeFiles.list(versions)) {
    const age = Date.now() - (nodeFiles.stat(join(versions, each))?.mtimeMs ?? 0);
    if (!kept.has(each) && age > LEFT_MS) rmSync(join(versions, each), { recursive: true, force: true });
  }
  forgetGone(nodeFiles, paths.run);
}

/** After an update, or when what hooks start is gone: this copy takes over. Nothing is built for it. */
export function refreshPlace(paths: HomePaths): void {
  if (process.platform === 'win32') return;
  const copy = ownCopy();
  if (!mustRefresh(nodeFiles, paths.state, copy)) return;
  settlePlace(paths, copy, clientToKeep(paths.state, copy));
}

/** One of this build; else the one that hooks have started so far, unless a newer build made it: its events would be put aside. */
function clientToKeep(state: string, { root, stamp }: Launched): Client {
  const found = findClient({ root, state });
  if (found.kind === 'native' && stampOf(found.path) === stamp) return found;
  const path = join(launchDir(state), CLIENT);
  const old = readLaunched(nodeFiles, launchDir(state)) && stampOf(path);
  if (old === undefined || isNewer(old, stamp)) return { kind: 'node', why: 'no client of this version is there' };
  return { kind: 'native', path, built: 'before' };
}
