import { listed, NONE } from '../words/arguments.ts';
import type { ReadEffects } from '../scene.ts';
import { systemEffect } from './effect.ts';

const REMOVES = /^(?:remove|purge|autoremove|erase|del|rm|-r|-P|-e|--remove|--purge|--erase|-R\w*|-re)$/;
/** Options that remove what others need, or what the machine cannot do without. */
const FORCED =
  /^(?:--allow-remove-essential|--force-remove-essential|--force-(?:depends|all|remove-protected)|--nodeps|-R\w*dd?\w*|--setopt=protected_packages=.*)$/;
/** Without these the machine does not start, or nobody gets in. */
const ESSENTIAL: ReadonlySet<string> = new Set(
  listed(
    'bash dash sh coreutils libc6 libc-bin glibc musl busybox util-linux dpkg apt rpm dnf yum zypper pacman apk-tools systemd ' +
      'systemd-sysv init sysvinit-core openrc sudo passwd shadow login pam libpam-modules openssh-server openssh mount grub ' +
      'grub-pc grub2 grub-efi-amd64 kernel linux base-files base-passwd filesystem e2fsprogs network-manager networkmanager ' +
      'iproute2 ifupdown perl-base findutils grep sed tar gzip hostname ncurses-base',
  ),
);
const KERNEL = /^(?:linux-image|linux-generic|kernel-core|kernel-)/;

/** Removing what the machine itself lives by. */
export const readEssential: ReadEffects = (command, scene) => {
  const words = command.words.slice(1).map(({ value }) => value);
  if (!words.some((word) => REMOVES.test(word)) || words.some((word) => ASKS.test(word))) return NONE;
  const names = words.filter((word) => !word.startsWith('-')).map((word) => word.replace(/[:=*].*$/, ''));
  const isHit =
    words.some((word) => FORCED.test(word)) || names.some((name) => ESSENTIAL.has(name) || KERNEL.test(name));
  return isHit ? [systemEffect('essential', 'packages that this machine lives by', command, scene)] : NONE;
};

const ASKS = /^(?:--help|--version|-s|--simulate|--just-print|--dry-run|--recon|--no-act|--test|--assumeno)$/;
