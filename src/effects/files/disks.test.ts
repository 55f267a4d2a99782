import { describe, expect, it } from 'vitest';
import { DISK_PROGRAMS } from './disks.ts';
import { effectsBy } from '../scene.fixture.ts';

const kinds = (text: string): readonly string[] =>
  effectsBy(DISK_PROGRAMS, text).map(({ kind, target }) => `${kind} ${target}`);

describe('DISK_PROGRAMS', () => {
  it.each([
    ['mkfs.ext4 -L data /dev/sdb1', '/dev/sdb1'],
    ['mkfs -t xfs /dev/nvme0n1', '/dev/nvme0n1'],
    ['mkswap /dev/sdb2', '/dev/sdb2'],
    ['dd if=/dev/zero of=/dev/sda bs=1M', '/dev/sda'],
    ['dd if=x of=/dev/sd?', '/dev/sd?'],
    ['wipefs -a /dev/sda', '/dev/sda'],
    ['blkdiscard /dev/sda', '/dev/sda'],
    ['fdisk /dev/sda', '/dev/sda'],
    ['sgdisk --zap-all /dev/sda', '/dev/sda'],
    ['parted -s /dev/sda mklabel gpt', '/dev/sda'],
    ['cryptsetup luksFormat /dev/sda1', '/dev/sda1'],
    ['lvremove --reportformat json vg/data', 'vg/data'],
    ['zpool destroy tank', 'tank'],
    ['zfs destroy -r tank/home', 'tank/home'],
    ['nvme format /dev/nvme0n1', '/dev/nvme0n1'],
    ['diskutil eraseDisk JHFS+ Untitled disk2', 'disk2'],
    ['diskutil apfs deleteContainer disk1', 'disk1'],
    ['format C:', 'C:'],
  ])('%s destroys', (text, target) => expect(kinds(text)).toEqual([`destroy-disk ${target}`]));

  it.each([
    'wipefs /dev/sda',
    'wipefs -n -a /dev/sda',
    'fdisk -l /dev/sda',
    'sfdisk --no-act --delete /dev/sda',
    'parted /dev/sda print',
    'mkfs.ext4 --help',
    'dd if=/dev/sda of=/dev/null',
    'dd if=a',
    'zpool list',
    'zfs list -t snapshot',
    'lvremove --test vg/data',
    'diskutil list',
    'diskutil info disk0',
    'hdiutil info',
    'cryptsetup status home',
    'tmutil listbackups',
  ])('%s does not', (text) => expect(kinds(text)).toEqual([]));

  it('overwrites an image that is an ordinary file', () => {
    expect(kinds('mkfs.ext4 disk.img')).toEqual(['overwrite disk.img']);
    expect(kinds('dd if=/dev/zero of=disk.img')).toEqual(['overwrite disk.img']);
  });
});
