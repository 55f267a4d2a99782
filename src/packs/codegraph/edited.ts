import { defineRule } from '../../engine/rule.ts';
import { forgetIndexes, indexesAt } from './find-index.ts';
import { CODE_GLOBS, EDITED } from './freshness.ts';
import { providersIn } from './providers.ts';

export default defineRule({
  id: 'codegraph/edited',
  pack: 'codegraph',
  summary:
    'Remembers when code below an index of another program was edited, since such an index may be out of date, and when to look for indexes afresh.',
  on: [
    { event: 'tool.after', tool: ['write', 'edit'], paths: CODE_GLOBS },
    { event: ['session.start', 'cwd.changed'] },
  ],
  mode: 'advise',
  state: { edited: EDITED },
  options: { providers: {} },
  messages: {},
  examples: {
    pass: [
      { path: 'src/app.ts', old: 'a', new: 'b' },
      { tool: 'write', path: 'docs/guide.md', new: 'text' },
      { event: 'session.start' },
    ],
  },
  check(event, { options, workspace, files, state, now, pass }) {
    if (event.name !== 'tool.after') {
      forgetIndexes();
      return pass('indexes are looked for afresh');
    }
    const path = event.tool?.paths[0];
    if (path === undefined) return pass('names no file');
    const external = indexesAt(path, providersIn(options), { workspace, files, now, event }).filter(
      (index) => index.path !== '',
    );
    for (const root of new Set(external.map((index) => index.root))) state.edited.set(now, root);
    return pass(external.length === 0 ? 'no index covers it' : 'code below an index was edited');
  },
});
