import { defineRule } from '../../engine/rule.ts';
import { HELD, holdEffect } from './denied.ts';

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
    destroyed: '`{seen}` removes {target}, which other people or services may use.\n{instead}',
  },
  examples: {
    deny: ['terraform destroy -auto-approve', 'kubectl delete namespace staging', 'aws s3 rb s3://bucket --force'],
    pass: ['terraform plan', 'kubectl get pods', 'aws s3 ls', 'docker ps'],
  },
  check(event, context) {
    const held = holdEffect('guard/cloud', event, context, ({ kind }) => kind === 'destroy-cloud');
    return held ? context.deny('destroyed', held.seen) : context.pass('nothing elsewhere is destroyed');
  },
});
