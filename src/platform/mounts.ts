import { nodeFiles } from './files.ts';
import { basename, contains, dirname, resolve } from './paths.ts';
import { readOutput } from './read-output.ts';

export interface Mount {
  readonly path: string;
  readonly type: string;
  /** What is mounted: a device, or a share as `//user@host/name`. */
  readonly source: string;
}

/** Where the answers come from; tests give their own. */
export interface MountWorld {
  readonly platform: string;
  /** The system's list; undefined where there is none. */
  table(): Promise<string | undefined>;
  /** Names in a directory. Another process asks, because whoever asks a server that is gone may wait for ever. */
  names(dir: string): Promise<readonly string[] | undefined>;
}

const LIMIT_MS = 500;
const MAX_BYTES = 4 << 20;
const SETTING = { env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' }, limitMs: LIMIT_MS, maxBytes: MAX_BYTES };
/** Of such a file system a directory below the place of its mount may be meant. */
const REMOTE = /^(cifs|smb|nfs|afp|webdav|davfs|fuse)/;
/** One mount for all shares that a person has opened on a desktop, each a directory in it. */
const DESKTOP = 'fuse.gvfsd-fuse';

const thisSystem: MountWorld = {
  platform: process.platform,
  table: async () =>
    process.platform === 'linux' ? nodeFiles.readText('/proc/self/mountinfo') : await readOutput('mount', [], SETTING),
  names: async (dir) => (await readOutput('ls', ['-1', '-a', '--', dir], SETTING))?.split('\n'),
};

/**
 * Whether something is mounted at a directory, or it lies in a share that is; for a URL as `smb://host/share`, whether that
 * share is mounted anywhere. Undefined where the system does not tell, or not in time.
 */
export async function isMounted(place: string, world: MountWorld = thisSystem): Promise<boolean | undefined> {
  if (world.platform === 'win32') return undefined;
  const text = await world.table();
  if (text === undefined) return undefined;
  const mounts = world.platform === 'linux' ? parseMountinfo(text) : parseMount(text);
  return /^smb:\/\//i.test(place) ? hasShare(place, mounts, world) : hasPlace(resolve(place), mounts, world);
}

async function hasPlace(path: string, mounts: readonly Mount[], world: MountWorld): Promise<boolean | undefined> {
  if (mounts.some((mount) => mount.path === path)) return true;
  const [holder] = mounts
    .filter((mount) => contains(mount.path, path))
    .toSorted((one, other) => other.path.length - one.path.length);
  if (holder === undefined || !REMOTE.test(holder.type)) return false;
  return (await world.names(dirname(path)))?.includes(basename(path));
}

async function hasShare(url: string, mounts: readonly Mount[], world: MountWorld): Promise<boolean | undefined> {
  const share = shareOf(url);
  if (share === undefined) return undefined;
  if (mounts.some(({ source }) => shareOf(source) === share)) return true;
  for (const { path } of mounts.filter(({ type }) => type === DESKTOP)) {
    const names = await world.names(path);
    if (names === undefined) return undefined;
    if (names.some((name) => desktopShareOf(name) === share)) return true;
  }
  return false;
}

/** `host/share` of a URL or of a source of a mount, without who asks for it. */
function shareOf(text: string): string | undefined {
  const [, host, name] = /^(?:smb:)?\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/([^/]+)/i.exec(text) ?? [];
  return host === undefined || name === undefined ? undefined : `${host}/${decoded(name)}`.toLowerCase();
}

/** `smb-share:server=host,share=name,user=me`. */
function desktopShareOf(name: string): string | undefined {
  const [, host, share] = /^smb-share:(?:.*,)?server=([^,]+),share=([^,]+)/.exec(name) ?? [];
  return host === undefined || share === undefined ? undefined : `${host}/${decoded(share)}`.toLowerCase();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `36 35 98:0 /root /mount/place options [more…] - type source options`, with blanks as octal escapes. */
export function parseMountinfo(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [own = '', rest = ''] = line.split(' - ', 2);
    const path = own.split(' ')[4];
    const [type = '', source = ''] = rest.split(' ');
    return path?.startsWith('/') === true ? [{ path: unescaped(path), type, source: unescaped(source) }] : [];
  });
}

/** `//user@host/share on /Volumes/share (smbfs, nodev)`. */
export function parseMount(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, source, path, type] = /^(.*?) on (\/.*) \(([^,)\s]+)[^()]*\)$/.exec(line) ?? [];
    return source === undefined || path === undefined || type === undefined ? [] : [{ path, type, source }];
  });
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
