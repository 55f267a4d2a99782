import { nodeFiles } from './files.ts';
import { contains, resolve } from './paths.ts';
import { readOutput } from './read-output.ts';

export interface Mount {
  readonly path: string;
  readonly type: string;
}

/** Where the answers come from; tests give their own. */
export interface MountWorld {
  readonly platform: string;
  /** The system's list; undefined where there is none. */
  table(): Promise<string | undefined>;
  /** Whether a name is there, asked of another process: who asks a server that is gone may wait for ever. */
  exists(path: string): Promise<boolean | undefined>;
}

const LIMIT_MS = 500;
const MAX_BYTES = 4 << 20;
const ENV = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };
/** File systems of which one mount holds several shares, or of whose shares a part may be meant. */
const REMOTE = /^(cifs|smb|nfs|afp|webdav|davfs|fuse)/;

const thisSystem: MountWorld = {
  platform: process.platform,
  table: async () =>
    process.platform === 'linux'
      ? nodeFiles.readText('/proc/self/mountinfo')
      : await readOutput('mount', [], { env: ENV, limitMs: LIMIT_MS, maxBytes: MAX_BYTES }),
  exists: async (path) => {
    const found = await readOutput('ls', ['-d', '--', path], { env: ENV, limitMs: LIMIT_MS, maxBytes: MAX_BYTES });
    return found !== undefined;
  },
};

/** Whether something is mounted at a directory, or it lies in a share that is. Undefined where the system does not tell. */
export async function isMounted(path: string, world: MountWorld = thisSystem): Promise<boolean | undefined> {
  if (world.platform === 'win32') return undefined;
  const text = await world.table();
  if (text === undefined) return undefined;
  const mounts = world.platform === 'linux' ? parseMountinfo(text) : parseMount(text);
  const place = resolve(path);
  if (mounts.some((mount) => mount.path === place)) return true;
  const holder = mounts
    .filter((mount) => contains(mount.path, place))
    .toSorted((one, other) => other.path.length - one.path.length)[0];
  return holder !== undefined && REMOTE.test(holder.type) ? world.exists(place) : false;
}

/** `36 35 98:0 /root /mount/place options [more…] - type source options`, with blanks as octal escapes. */
export function parseMountinfo(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [own = '', rest = ''] = line.split(' - ', 2);
    const path = own.split(' ')[4];
    const [type = ''] = rest.split(' ');
    return path?.startsWith('/') === true ? [{ path: unescaped(path), type }] : [];
  });
}

/** `//user@host/share on /Volumes/share (smbfs, nodev)`. */
export function parseMount(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, path, type] = /^.*? on (\/.*) \(([^,)\s]+)[^()]*\)$/.exec(line) ?? [];
    return path === undefined || type === undefined ? [] : [{ path, type }];
  });
}

function unescaped(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
