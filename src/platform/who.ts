import { hostname, userInfo } from 'node:os';

/** Who works on which machine, by the names that the system has for them. */
export function whoIsHere(): { readonly person: string; readonly machine: string } {
  return { person: plain(userName(), 'somebody'), machine: plain(hostname().split('.', 1)[0] ?? '', 'somewhere') };
}

/** A user without an entry, as in a container, has none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

function plain(name: string, otherwise: string): string {
  const kept = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 64);
  return kept === '' ? otherwise : kept;
}
