import { asPath, defineRule, record } from '../../engine/rule.ts';
import type { Wiring } from './agent-settings.ts';
import { isSwitchedOff, isWeaker, MOST_SETTINGS, NOT_WIRED, wiringOf } from './agent-settings.ts';

export default defineRule({
  id: 'guard/settings-change',
  pack: 'guard',
  summary: 'Settings that switch the hooks off in the middle of a session are not applied, whoever wrote them.',
  on: [{ event: ['config.changed', 'session.start'], effect: ['settings'] }],
  mode: 'enforce',
  guard: true,
  priority: 90,
  remembersOn: ['session.start'],
  state: {
    /** By path: what the settings said about us when the session began, or have said since. */
    wiring: record<Readonly<Record<string, Wiring>>>('guard.wiring'),
  },
  messages: {
    'switched-off':
      '{target} now keeps hooks from running, so the change is not applied.\nA person who wants that uses `fairlead off` or `fairlead uninstall` in a terminal.',
    unwired:
      '{target} no longer calls Fairlead, as it did when the session began, so the change is not applied.\nA person who wants that uses `fairlead uninstall` in a terminal, and the next session is without it.',
    weakened:
      '{target} calls Fairlead for less than when the session began, or leaves it no time to answer, so the change is not applied.\n`fairlead init` in a terminal repairs it; what a person leaves out on purpose counts from the next session on.',
    steered:
      '{target} now sets variables that steer Fairlead, so the change is not applied.\nWhat a person sets there on purpose counts from the next session on.',
  },
  examples: { pass: [{ event: 'session.start' }] },
  check(event, context) {
    const settings = context.effects.filter(({ path }) => path !== undefined);
    const read = (path = '') => context.files.readText(path, MOST_SETTINGS);
    const { wiring } = context.state;
    const known = wiring.get() ?? {};
    if (event.name === 'session.start') {
      const found = settings.map(({ path = '', words }) => [path, wiringOf(read(path), words)] as const);
      const telling = found.filter(([, { calls, variables }]) => calls || variables !== NOT_WIRED.variables);
      // A conversation that goes on in a smaller form still runs under the settings that it began with.
      const earlier = event.start?.source === 'compact' ? known : {};
      if (telling.length > 0) wiring.set({ ...Object.fromEntries(telling), ...earlier });
      return context.pass(`${telling.filter(([, { calls }]) => calls).length} of the settings call us`);
    }
    const found: Record<string, Wiring> = {};
    for (const { path = '', words, how } of settings) {
      const text = read(path);
      const target = asPath(context.workspace.relative(path));
      if (how === 'changed' && isSwitchedOff(text, words)) return context.deny('switched-off', { target });
      const before = known[path] ?? NOT_WIRED;
      const after = wiringOf(text, words);
      if (before.calls && !after.calls) return context.deny('unwired', { target });
      if (how !== 'changed' && !before.calls) continue;
      if (before.variables !== after.variables) return context.deny('steered', { target });
      if (isWeaker(before, after)) return context.deny('weakened', { target });
      if (how === 'changed' && after.calls) found[path] = after;
    }
    if (Object.keys(found).length > 0) wiring.set({ ...known, ...found });
    return context.pass('the hooks are still there');
  },
});
