import { defineRule } from '../../engine/rule.ts';
import { HELD, holdEffect } from './denied.ts';

export default defineRule({
  id: 'guard/database',
  pack: 'guard',
  summary: 'Tables and databases are dropped or emptied only when a person agrees.',
  on: [{ event: 'tool.before', effect: ['destroy-data'] }],
  mode: 'ask',
  careful: 'enforce',
  guard: true,
  priority: 70,
  state: HELD,
  messages: {
    data: '`{seen}` destroys data ({target}). {instead} A person can allow it once (`fairlead allow-once`) or set `fairlead rules mode guard/database advise`.',
  },
  examples: {
    deny: ['psql app -c "DROP TABLE users"', 'dropdb app', 'redis-cli FLUSHALL', 'npx prisma migrate reset --force'],
    pass: [
      'psql app -c "SELECT * FROM users"',
      'psql app -c "DELETE FROM users WHERE id = 1"',
      'echo "drop table users"',
    ],
  },
  check(event, context) {
    const held = holdEffect('guard/database', event, context, ({ kind }) => kind === 'destroy-data');
    return held ? context.deny('data', held.seen) : context.pass('no data is destroyed');
  },
});
