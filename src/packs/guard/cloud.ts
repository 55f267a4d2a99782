import { defineRule, own } from '../../engine/rule.ts';
import { HELD, holdEffect } from './denied.ts';

/** What a way of acting does, where it does not just remove what it is about. */
const DOES: Readonly<Record<string, string>> = {
  apply: 'changes or removes, without a question, what belongs to',
  archive: 'makes read-only',
  drain: 'moves everything away from',
  forget: 'no longer keeps track of',
  'leave-swarm': 'takes this machine out of',
  replace: 'removes and makes anew',
  'replace-state': 'overwrites the state with',
  'restore-over': 'overwrites what is there with',
  rollback: 'takes back the last change of',
  'scale-to-zero': 'ends every copy of',
  stop: 'ends and removes',
  'sync-delete': 'removes there what is missing here:',
  unlock: 'takes away the lock',
};

export default defineRule({
  id: 'guard/cloud',
  pack: 'guard',
  summary: 'What runs elsewhere, in a cloud, a cluster or a container, is looked at before it is destroyed.',
  on: [{ event: 'tool.before', effect: ['destroy-cloud'] }],
  mode: 'advise',
  careful: 'ask',
  guard: true,
  priority: 60,
  state: HELD,
  messages: {
    destroyed: '`{seen}` {does} {target}, which other people or services may use.\n{instead}',
  },
  examples: {
    deny: ['terraform destroy -auto-approve', 'kubectl delete namespace staging', 'aws s3 rb s3://bucket --force'],
    pass: ['terraform plan', 'kubectl get pods', 'aws s3 ls', 'docker ps'],
  },
  check(event, context) {
    const held = holdEffect('guard/cloud', event, context, ({ kind }) => kind === 'destroy-cloud');
    if (!held) return context.pass('nothing elsewhere is destroyed');
    return context.deny('destroyed', { ...held.seen, does: own(DOES[held.first.how ?? ''] ?? 'removes') });
  },
});
