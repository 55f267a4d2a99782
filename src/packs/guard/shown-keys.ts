import { secretVariable } from '../../effects/flow/variables.ts';
import { keyStamp, keyTokens } from '../../effects/words/key-tokens.ts';
import { callName, defineRule } from '../../engine/rule.ts';
import { SHOWING } from './marks.ts';

const MOST_SHOWN = 64;
const MOST_AT_ONCE = 16;

export default defineRule({
  id: 'guard/shown-keys',
  pack: 'guard',
  summary: 'Knows a key again that a call has shown, by a stamp, so that it does not leave in an address or a call.',
  on: [{ event: ['tool.after', 'tool.failed'] }],
  needs: { session: true, flag: SHOWING.anyShowing.name },
  mode: 'enforce',
  guard: true,
  priority: 10,
  state: SHOWING,
  messages: {},
  examples: { pass: [{ event: 'tool.after', tool: 'shell', command: 'cat .env' }] },
  check({ tool }, { state, pass }) {
    const showing = state.showing.get() ?? [];
    const id = tool ? callName(tool) : '';
    if (!tool || !showing.includes(id)) return pass('showed nothing of the kind');
    const left = showing.filter((each) => each !== id);
    if (left.length > 0) state.showing.set(left);
    else {
      state.showing.clear();
      state.anyShowing.clear();
    }
    const before = state.marks.get() ?? { files: [], shown: [] };
    const known = new Set(before.shown.map(([stamp]) => stamp));
    const found = keysIn(tool.outputText ?? tool.error ?? '').filter(([stamp]) => !known.has(stamp));
    if (found.length > 0) state.marks.set({ ...before, shown: [...found, ...before.shown].slice(0, MOST_SHOWN) });
    return pass('knows what it showed');
  },
});

const NAMED = /^[\s\d→|]*(?:export\s+|set\s+)?["']?([A-Za-z_][\w.-]*)["']?\s*[=:]\s*(.*)$/;

/** Of lines with names only those whose names say that they hold a key. */
function keysIn(text: string): readonly (readonly [stamp: string, name: string])[] {
  const keys = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name, value] = NAMED.exec(line) ?? [];
    if (name !== undefined && !saysKey(name)) continue;
    for (const token of keyTokens(value ?? line)) keys.set(keyStamp(token), name ?? 'a key');
    if (keys.size >= MOST_AT_ONCE) break;
  }
  return [...keys].slice(0, MOST_AT_ONCE);
}

/** `apiKey` is `API_KEY`. */
function saysKey(name: string): boolean {
  const plain = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').replaceAll(/[.-]/g, '_');
  return secretVariable({ env: [plain.toUpperCase()] }) !== undefined;
}
