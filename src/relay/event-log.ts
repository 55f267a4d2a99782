import type { RelayRecord } from '../event/follow-up.ts';
import { appendRotating } from '../platform/append-rotating.ts';
import { canonicalPath } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { contains, join } from '../platform/paths.ts';
import { RELAY_DIR } from './settings.ts';
import { toWire } from './wire.ts';

const MAX_BYTES = 1024 * 1024;

/** Adds a record to the project's own log, where the project has a place for it. A link out of the project is not followed. */
export function logEvent(files: Files, record: RelayRecord): void {
  const { root } = record;
  const home = join(root, RELAY_DIR);
  const dir = join(home, 'state');
  if (files.stat(home)?.kind !== 'dir') return;
  const path = join(dir, 'events.jsonl');
  if (!contains(root, canonicalPath(files, path))) throw new Error(`${path} leads out of the project`);
  files.makeDirLikeParent(dir);
  appendRotating(path, join(dir, 'events.1.jsonl'), `${JSON.stringify(toWire(record))}\n`, MAX_BYTES);
}
