import { addressName, remoteAddress } from '../git/remote-address.ts';
import type { Files } from '../platform/files.ts';
import { sha256 } from '../platform/hash.ts';
import { join } from '../platform/paths.ts';

/** How long the remote of a repository counts as current. */
const CURRENT_MS = 60_000;
const MAX_CONFIG_BYTES = 64 * 1024;
const MAX_REPOSITORIES = 500;

/** Names repositories for all machines of a team, by the address that they are fetched from; the address itself is not told. */
export function createRemoteNames(files: Pick<Files, 'readText'>, now: () => number) {
  const known = new Map<string, { readonly at: number; readonly name: string | undefined }>();
  return (commonDir: string): string | undefined => {
    const found = known.get(commonDir);
    if (found && Math.abs(now() - found.at) < CURRENT_MS) return found.name;
    const address = remoteAddress(files.readText(join(commonDir, 'config'), MAX_CONFIG_BYTES) ?? '');
    const plain = address === undefined ? undefined : addressName(address);
    const name = plain === undefined ? undefined : sha256(plain).slice(0, 16);
    if (known.size >= MAX_REPOSITORIES) known.clear();
    known.set(commonDir, { at: now(), name });
    return name;
  };
}
