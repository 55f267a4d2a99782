import { defineRule, record } from '../../engine/rule.ts';
import { callsUs, isSwitchedOff, MOST_SETTINGS } from './agent-settings.ts';

export default defineRule({
  id: 'guard/settings-change',
  pack: 'guard',
  summary: 'Settings that switch the hooks off in the middle of a session are not applied, whoever wrote them.',
  on: [{ event: ['config.changed', 'session.start'], effect: ['settings'] }],
  mode: 'enforce',
  guard: true,
  priority: 90,
  state: {
    /** The settings that called us when the session began, or have done so since. */
    wired: record<readonly string[]>('guard.wired'),
  },
  messages: {
    'switched-off':
      '{target} now keeps hooks from running, so the change is not applied. A person who wants that uses `fairlead off` or `fairlead uninstall` in a terminal.',
    unwired:
      '{target} no longer calls Fairlead, as it did when the session began, so the change is not applied. A person who wants that uses `fairlead uninstall` in a terminal.',
  },
  examples: { pass: [{ event: 'session.start' }] },
  check(event, context) {
    const settings = context.effects.filter(({ path }) => path !== undefined);
    const read = (path = '') => context.files.readText(path, MOST_SETTINGS);
    const { wired } = context.state;
    if (event.name === 'session.start') {
      const calling = settings.flatMap(({ path = '', words }) => (callsUs(read(path), words) ? path : []));
      if (calling.length > 0) wired.set(calling);
      return context.pass(`${calling.length} of the settings call us`);
    }
    const [{ path, words } = {}] = settings;
    if (path === undefined) return context.pass('no settings of hooks');
    const text = read(path);
    const target = context.workspace.relative(path);
    if (isSwitchedOff(text, words)) return context.deny('switched-off', { target });
    const known = wired.get() ?? [];
    const isKnown = known.includes(path);
    if (isKnown && !callsUs(text, words)) return context.deny('unwired', { target });
    if (!isKnown && callsUs(text, words)) wired.set([...known, path]);
    return context.pass('the hooks are still there');
  },
});
