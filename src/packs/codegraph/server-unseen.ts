import { defineRule, own } from '../../engine/rule.ts';
import { EDITED } from './freshness.ts';
import { forgetIndexes } from './find-index.ts';
import { providersIn } from './providers.ts';
import { SEEN_TOOLS } from './routes.ts';
import { coveredAt } from './usable.ts';

export default defineRule({
  id: 'codegraph/server-unseen',
  pack: 'codegraph',
  summary: 'Tells the person at the start of a session that an index is there and no way to ask it is seen.',
  on: [{ event: 'session.start' }],
  needs: { session: true, main: true },
  throttle: { once: 'session' },
  mode: 'advise',
  priority: 20,
  state: { tools: SEEN_TOOLS, edited: EDITED },
  options: { providers: {} },
  messages: {
    unseen:
      'A {index} index covers this project, and Fairlead sees no way to ask it, so it points no search there. Register its tool server {server} with the agent{program}; `fairlead doctor` has the details.',
  },
  examples: { pass: [{ event: 'session.start' }] },
  check(event, context) {
    const { options, pass, warn } = context;
    if (event.start?.source === 'compact') return pass('the session goes on');
    forgetIndexes();
    const covered = coveredAt(event.cwd, providersIn(options), event, context);
    const [unseen] = covered;
    if (!unseen) return pass('no index is here');
    if (covered.some(({ route }) => route)) return pass('an index can be asked');
    const { name, server, command } = unseen.index.provider;
    const program = command ? own`, or put the program ${own(command.program)} on the search path` : own('');
    return warn('unseen', { index: own(name), server: own(server), program });
  },
});
