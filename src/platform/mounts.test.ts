import { expect, it } from 'vitest';
import { isMounted, parseMount, parseMountinfo } from './mounts.ts';
import type { MountWorld } from './mounts.ts';

const LINUX = `22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
25 22 0:23 / /proc rw,nosuid,nodev,noexec,relatime shared:12 - proc proc rw
61 22 0:50 / /mnt/my\\040share rw,relatime shared:31 - cifs //nas/backup rw,vers=3.1.1
62 22 254:2 / /home rw,relatime - ext4 /dev/vda2 rw
63 22 0:51 / /run/user/1000/gvfs rw,nosuid,nodev,relatime shared:200 - fuse.gvfsd-fuse gvfsd-fuse rw,user_id=1000
`;
const MAC = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
devfs on /dev (devfs, local, nobrowse)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
//me@nas/backup on /Volumes/backup (1) (smbfs, nodev, nosuid, mounted by me)
`;
const names: Readonly<Record<string, readonly string[]>> = {
  '/run/user/1000/gvfs': [
    '.',
    '..',
    'smb-share:server=nas.local,share=my%20backup',
    'smb-share:domain=W,server=b,share=c,user=me',
  ],
  '/mnt/my share': ['.', '..', 'daily'],
  '/home/me': ['mnt'],
};

function world(platform: string, table: string | undefined): MountWorld {
  return { platform, table: async () => table, names: async (dir) => names[dir] };
}

it('reads the tables of both systems', () => {
  expect(parseMountinfo(LINUX).map(({ path, type }) => `${type} ${path}`)).toEqual([
    'ext4 /',
    'proc /proc',
    'cifs /mnt/my share',
    'ext4 /home',
    'fuse.gvfsd-fuse /run/user/1000/gvfs',
  ]);
  expect(parseMount(MAC).map(({ path, type }) => `${type} ${path}`)).toEqual([
    'apfs /',
    'devfs /dev',
    'autofs /System/Volumes/Data/home',
    'smbfs /Volumes/backup (1)',
  ]);
});

it.each<[string, string, string | undefined, boolean | undefined]>([
  ['linux', '/mnt/my share', LINUX, true],
  ['linux', '/mnt/my share/', LINUX, true],
  ['linux', '/mnt/other', LINUX, false],
  ['linux', '/mnt/my share/daily', LINUX, true],
  ['linux', '/mnt/my share/weekly', LINUX, false],
  ['linux', '/mnt/my shared', LINUX, false],
  // A directory that is there with nothing mounted at it.
  ['linux', '/home/me/mnt', LINUX, false],
  ['linux', '/run/user/1000/gvfs/smb-share:server=nas.local,share=my%20backup', LINUX, true],
  ['linux', '/run/user/1000/gvfs/smb-share:server=nas,share=other', LINUX, false],
  // Nobody tells what is in there.
  ['linux', '/mnt/my share/hangs/x', LINUX, undefined],
  ['linux', 'smb://nas/backup', LINUX, true],
  ['linux', 'SMB://me:secret@NAS:445/Backup/some/dir', LINUX, true],
  ['linux', 'smb://nas.local/my%20backup', LINUX, true],
  ['linux', 'smb://b/c', LINUX, true],
  ['linux', 'smb://nas/other', LINUX, false],
  ['linux', 'smb://nas', LINUX, undefined],
  ['linux', 'smb://nas/other', LINUX.replace('1000', '1001'), undefined],
  ['darwin', 'smb://nas/backup', MAC, true],
  ['darwin', 'smb://nas/back', MAC, false],
  ['darwin', '/Volumes/backup (1)', MAC, true],
  ['darwin', '/Volumes/backup', MAC, false],
  ['linux', '/mnt/x', undefined, undefined],
  ['win32', 'Z:\\', LINUX, undefined],
])('%s %s', async (platform, path, table, expected) => {
  await expect(isMounted(path, world(platform, table))).resolves.toBe(expected);
});

it('asks this machine', async () => {
  await expect(isMounted('/')).resolves.toBe(true);
  await expect(isMounted('/no/such/place')).resolves.toBe(false);
});
