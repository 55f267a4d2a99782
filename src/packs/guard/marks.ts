import { MARKS, callName, defineRule, flag, record } from '../../engine/rule.ts';
import type { Effect, FileMark, Marks } from '../../engine/rule.ts';

const NO_MARKS: Marks = { files: [], shown: [] };
const MOST_FILES = 64;
const MOST_SHOWING = 8;

/** Calls that show secrets when they run, by the agent's names for them. */
export const SHOWING = {
  marks: MARKS,
  showing: record<readonly string[]>('guard.showing', { ttl: '1h' }),
  anyShowing: flag('guard.any-showing'),
} as const;

export default defineRule({
  id: 'guard/marks',
  pack: 'guard',
  summary:
    'Keeps in mind which files came from the network or got a secret, so that what is done with them later is judged by it.',
  on: [{ event: 'tool.before', effect: ['download', 'copy-secret', 'inspect', 'read-secret'] }],
  needs: { session: true },
  mode: 'enforce',
  guard: true,
  priority: 10,
  state: SHOWING,
  messages: {},
  examples: { pass: ['curl -fsSLO https://example.com/install.sh', 'cp .env notes.txt', 'cat .env'] },
  check({ tool }, { effects, state, pass }) {
    const before = state.marks.get() ?? NO_MARKS;
    const files = effects.reduce(afterEffect, before.files).slice(0, MOST_FILES);
    const isSame = files.length === before.files.length && files.every((mark, at) => mark === before.files[at]);
    if (!isSame) state.marks.set({ ...before, files });
    const shows = effects.some(({ kind, at }) => kind === 'read-secret' && !at);
    if (shows && tool) {
      state.showing.set([callName(tool), ...(state.showing.get() ?? [])].slice(0, MOST_SHOWING));
      if (!state.anyShowing.isSet()) state.anyShowing.set();
    }
    return pass('kept in mind');
  },
});

/** The newest come first, so that the oldest go. */
function afterEffect(files: readonly FileMark[], { kind, how = '', of, path }: Effect): readonly FileMark[] {
  if (path === undefined || kind === 'read-secret') return files;
  const others = files.filter((mark) => mark.path !== path);
  if (kind === 'inspect') return others.length === files.length ? files : others;
  const what = kind === 'download' ? 'download' : of === 'environment' ? 'environment' : 'secret';
  const before = files.find((mark) => mark.path === path);
  if (before?.what === what && before.name === how) return files;
  return [{ path, what, name: how }, ...others];
}
