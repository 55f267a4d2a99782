import { defineRule } from '../../engine/rule.ts';
import { HELD, holdEffect } from './denied.ts';

export default defineRule({
  id: 'guard/system',
  pack: 'guard',
  summary:
    'The machine itself (accounts, privileges, kernel, firewall, logging, services, power) and what runs later by itself change only when a person agrees.',
  on: [{ event: 'tool.before', effect: ['system'] }],
  mode: 'ask',
  careful: 'enforce',
  guard: true,
  onError: 'block',
  priority: 70,
  state: HELD,
  messages: {
    changed: '`{seen}` changes {target}.\n{instead}',
    power: '`{seen}` stops this machine, or starts it again.\n{instead}',
    'set-id': '`{seen}` lets everybody run {target} as its owner.\n{instead}',
  },
  examples: {
    deny: [
      'sudo useradd -m ann',
      'sysctl -w vm.swappiness=10',
      'iptables -F',
      'systemctl disable ssh',
      'reboot',
      'chmod u+s /usr/local/bin/tool',
      'docker run --privileged alpine sh',
      "git config core.sshCommand 'sh -c work'",
      'echo "@daily sh work.sh" | crontab -',
    ],
    pass: [
      'id',
      'sysctl vm.swappiness',
      'iptables -L -n',
      'systemctl status ssh',
      'systemctl restart app',
      'useradd --help',
      'docker run --rm -v "$PWD":/app alpine ls',
      'git config alias.st status',
      'crontab -l',
    ],
  },
  check(event, context) {
    const held = holdEffect('guard/system', event, context, ({ kind }) => kind === 'system');
    if (!held) return context.pass('the machine stays as it is');
    const { how } = held.first;
    return context.deny(how === 'power' || how === 'set-id' ? how : 'changed', held.seen);
  },
});
