import { defineRule } from '../../engine/rule.ts';
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
    wide: '`{seen}` changes who may use {target} further than it looks.\n{instead}',
  },
  examples: {
    deny: ['chmod 777 config.json', 'chmod -R 000 src', 'chmod -R 777 .'],
    pass: ['chmod u+x scripts/build.sh', 'chmod 755 script.sh', 'ls -l config.json'],
  },
  check(event, context) {
    const held = holdEffect('guard/permissions', event, context, ({ kind }) => kind === 'permissions');
    return held ? context.deny('wide', held.seen) : context.pass('no rights change');
  },
});
