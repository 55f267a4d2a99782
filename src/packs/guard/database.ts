import { defineRule } from '../../engine/rule.ts';
import { HELD, holdLoss } from './denied.ts';

export default defineRule({
  id: 'guard/database',
  pack: 'guard',
  summary: 'Tables and databases are dropped or emptied only when a person agrees.',
  on: [{ event: 'tool.before', effect: ['destroy-data'] }],
  mode: 'ask',
  careful: 'enforce',
  guard: true,
  onError: 'block',
  budgetMs: 250,
  priority: 70,
  state: HELD,
  messages: {
    data: '`{seen}` destroys data ({target}).\n{instead}',
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
    const effects = context.effects.filter(({ kind }) => kind === 'destroy-data');
    if (effects.length === 0) return context.pass('no data is destroyed');
    return holdLoss('guard/database', event, context, effects).then((held) =>
      held ? context.deny('data', held.seen) : context.pass('a look found nothing that git does not bring back'),
    );
  },
});
