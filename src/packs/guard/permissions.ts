import { defineRule } from '../../engine/rule.ts';
import { HELD, remember } from './denied.ts';
import { seenOf } from './wording.ts';

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
    wide: '`{seen}` changes who may use {target} further than it looks. {instead} How hard this is held is the mode of guard/permissions, which a person sets.',
  },
  examples: {
    deny: ['chmod 777 config.json', 'chmod -R 000 src', 'chmod -R 777 .'],
    pass: ['chmod u+x scripts/build.sh', 'chmod 755 script.sh', 'ls -l config.json'],
  },
  check(event, context) {
    const held = context.effects.filter(({ kind }) => kind === 'permissions');
    const [first] = held;
    if (!first) return context.pass('no rights change');
    remember('guard/permissions', event, context, held);
    return context.deny('wide', seenOf(first, held));
  },
});
