import { defineRule } from '../../engine/rule.ts';
import type { Effect } from '../../engine/rule.ts';
import { HELD, holdEffect } from './denied.ts';

export default defineRule({
  id: 'guard/permissions',
  pack: 'guard',
  summary: 'Rights are given where they are needed, not to everybody or to a whole tree.',
  on: [{ event: 'tool.before', effect: ['permissions'] }],
  mode: 'advise',
  careful: 'enforce',
  guard: true,
  priority: 60,
  state: HELD,
  messages: {
    'world-writable': '`{seen}` lets every user change {target}.\n{instead}',
    'no-access': '`{seen}` leaves {target} readable by nobody.\n{instead}',
    wide: '`{seen}` changes the rights of everything in {target}.\n{instead}',
  },
  examples: {
    deny: ['chmod 777 config.json', 'chmod -R 000 src', 'chmod -R 777 .'],
    pass: ['chmod u+x scripts/build.sh', 'chmod 755 script.sh', 'ls -l config.json'],
  },
  check(event, context) {
    const held = holdEffect('guard/permissions', event, context, ({ kind }) => kind === 'permissions');
    return held ? context.deny(messageFor(held.first), held.seen) : context.pass('no rights change');
  },
});

function messageFor({ how }: Effect) {
  return how === 'world-writable' || how === 'no-access' ? how : 'wide';
}
