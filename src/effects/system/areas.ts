/** A part of the machine itself, and the programs that are there to change it. */
export interface Area {
  readonly how: string;
  /** As a message names it: `useradd` changes … */
  readonly target: string;
  /**
   * By program: the words with which it only looks. `-x` is an option, also in a bundle of letters; `--list*` stands for all
   * that begin so; a word without dashes is its first operand; `.` is a call without any words.
   */
  readonly looks?: Readonly<Record<string, string>>;
  /** By program: the words with which it changes something, where most of its calls only look. `=` is an operand `name=value`. */
  readonly changes?: Readonly<Record<string, string>>;
}

export const AREAS: readonly Area[] = [
  {
    how: 'account',
    target: 'the accounts of this machine',
    looks: {
      'useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup delgroup newusers chpasswd chgpasswd':
        '',
      'gpasswd chsh chfn vipw vigr pwconv pwunconv grpconv grpunconv smbpasswd sysadminctl': '',
      passwd: '-S --status',
      chage: '-l --list',
      visudo: '-c --check',
      faillock: '.',
      dscl: '-read -list -search -readall . read list search',
      dseditgroup: '',
      'pam-auth-update': '',
      realm: 'list discover',
      'new-localuser remove-localuser set-localuser add-localgroupmember remove-localgroupmember': '',
    },
    changes: { 'pw niutil': 'useradd usermod userdel groupadd groupmod groupdel -create -destroy -createprop' },
  },
  {
    how: 'privilege',
    target: 'what programs may do on this machine',
    looks: { setcap: '-v', setfsuid: '', 'polkit-agent-helper-1': '' },
    changes: { 'setenforce setsebool': '. = 0 1 on off -P Permissive Enforcing permissive enforcing' },
  },
  {
    how: 'kernel',
    target: 'the kernel of this machine, or how it starts',
    looks: {
      'insmod rmmod kextload kextunload depmod kexec': '',
      modprobe: '-n --dry-run --show -c --showconfig --show-depends -D --resolve-alias -R --dump-modversions',
      kmod: 'list static-nodes',
      dkms: 'status',
      kmutil: 'showloaded find print-diagnostics libraries inspect log check',
      'update-grub update-grub2 grub-install grub2-install update-initramfs mkinitcpio dracut grubby':
        '--info --default-kernel --default-index --default-title --list-kernels',
      efibootmgr: '. -v --verbose',
      bcdedit: '. /enum',
      csrutil: 'status report authenticated-root',
      nvram: '-p -x',
      mokutil: '--list* --sb-state --test-key --kek --pk --db --dbx',
    },
    changes: {
      sysctl: '-w --write -p --load --system -f = --load*',
      'grub-mkconfig grub2-mkconfig': '-o --output',
      bless: '--mount --folder --setBoot --device --file',
    },
  },
  {
    how: 'firewall',
    target: 'the firewall of this machine',
    looks: {
      'iptables ip6tables iptables-legacy iptables-nft ebtables arptables': '-L -S -C --list* --check -h',
      'iptables-restore ip6tables-restore': '-t --test',
      nft: 'list describe monitor -c --check',
      ufw: 'status show app version',
      'firewall-cmd': '--list* --get* --query* --state --info* --check-config --path*',
      'firewall-offline-cmd': '--list* --get* --query* --info*',
      pfctl: '-s -n',
      ipset: 'list test -L -T --list --test save',
      socketfilterfw: '--get* --list*',
    },
    changes: { netsh: 'advfirewall firewall' },
  },
  {
    how: 'logging',
    target: 'what this machine logs or watches over',
    looks: {
      auditctl: '-l -s -v',
      'auditpol wevtutil': '/get /list gl el qe gp ep gli',
      'aa-disable aa-teardown aa-remove-unknown': '',
    },
    changes: {
      journalctl: '--vacuum* --rotate --flush --relinquish-var --smart-relinquish-var --setup-keys',
      apparmor_parser: '-R --remove -C --Complain',
      dmesg: '-C -c -D --clear --read-clear --console-off',
      spctl: '--master-disable --global-disable --disable',
      semanage: 'permissive -a -d -m',
      'set-mppreference add-mppreference': '-DisableRealtimeMonitoring -Disable* -ExclusionPath -Exclusion*',
      augenrules: '--load',
      logrotate: '-f --force',
      systemsetup: '-set*',
    },
  },
  {
    how: 'service',
    target: 'services of this machine, or what it starts by itself',
    looks: { 'insserv rc-update': 'show -s', chkconfig: '--list .' },
    changes: {
      systemctl:
        'enable disable reenable mask unmask preset preset-all link revert edit set-property set-default set-environment ' +
        'unset-environment import-environment add-wants add-requires isolate stop kill daemon-reexec switch-root soft-reboot',
      launchctl: 'load unload bootstrap bootout enable disable remove submit kill asuser setenv unsetenv stop',
      'update-rc.d': 'enable disable remove defaults',
      loginctl: 'terminate-session terminate-user terminate-seat kill-session kill-user enable-linger disable-linger',
      'sc sc.exe': 'create delete config stop failure',
      schtasks: '/create /delete /change',
      'hostnamectl timedatectl localectl': 'set* hostname',
      scutil: '--set',
    },
  },
  {
    how: 'packages',
    target: 'where packages come from',
    looks: { 'add-apt-repository apt-add-repository': '-L --list', 'apt-key': 'list finger export exportall' },
    changes: { 'dnf yum': '--add-repo config-manager', zypper: 'addrepo ar', 'rpm rpmkeys': '--import' },
  },
  {
    how: 'power',
    target: 'this machine, which it stops or starts again',
    looks: {
      'reboot poweroff halt': '-w --wtmp-only',
      shutdown: '-c --show',
      killall5: '',
      'restart-computer stop-computer': '',
    },
    changes: {
      systemctl: 'poweroff reboot halt kexec suspend hibernate hybrid-sleep rescue emergency',
      'init telinit': '0 1 6',
    },
  },
];
