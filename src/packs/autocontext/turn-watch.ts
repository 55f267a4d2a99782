import { defineRule } from '../../engine/rule.ts';
import { CODE_FILES } from './code-files.generated.ts';
import {
  changedBetween,
  linesBefore,
  NO_CHANGES,
  takePending,
  testRunOf,
  textAfter,
  TURN_CHANGES,
  UNCHECKED,
  withPending,
  withRun,
  withSymbols,
} from './turn-changes.ts';

const MAX_BYTES = 512 * 1024;
const WHOLE = { first: 1, last: Infinity };

export default defineRule({
  id: 'autocontext/turn-watch',
  pack: 'autocontext',
  summary: 'Remembers which symbols a turn changed and which tests it ran, for the check at its end.',
  on: [
    { event: ['tool.before', 'tool.after'], tool: ['edit', 'write'], paths: CODE_FILES },
    {
      event: ['tool.after', 'tool.failed'],
      tool: ['shell'],
      words: [
        'test',
        'jest',
        'check',
        'spec',
        'mocha',
        'ava',
        'tox',
        'nox',
        'phpunit',
        'verify',
        'bats',
        'build',
        'jasmine',
        ' t',
      ],
    },
    { event: 'prompt.submit' },
  ],
  mode: 'advise',
  state: { turn: TURN_CHANGES, unchecked: UNCHECKED },
  messages: {},
  examples: {
    pass: [
      { event: 'tool.after', command: 'npm test' },
      { event: 'tool.after', tool: 'edit', path: 'src/app.ts', old: 'a', new: 'b' },
    ],
  },
  check(event, { files, workspace, state, now, pass }) {
    const { tool } = event;
    if (event.name === 'prompt.submit') {
      if (event.prompt?.origin === 'human') {
        state.turn.clear();
        state.unchecked.clear();
      }
      return pass('a turn begins');
    }
    const before = state.turn.get() ?? NO_CHANGES;
    if (tool?.kind === 'shell') {
      const run = testRunOf(tool.command ?? '', now);
      if (run) state.turn.set(withRun(before, run));
      return pass(run ? 'tests ran' : 'runs no tests');
    }
    const { graph } = workspace;
    if (!graph || tool?.failed === true) return pass('nothing is known of it');
    const edits = (tool?.edits ?? []).filter(({ path }) => !graph.isTest(path));
    if (event.name === 'tool.before') {
      for (const edit of edits) {
        const text = edit.new === '' || edit.operation === 'write' ? files.readText(edit.path, MAX_BYTES) : undefined;
        const after = text === undefined ? undefined : textAfter(edit, text);
        if (text === undefined || after === undefined) continue;
        const changed = changedBetween(graph.symbolsIn(edit.path, WHOLE), text, after);
        if (changed.length > 0) state.turn.set(withPending(state.turn.get() ?? NO_CHANGES, edit.path, changed));
      }
      return pass('what it would change is remembered');
    }
    for (const edit of edits) {
      const [pending, kept] = takePending(state.turn.get() ?? NO_CHANGES, edit.path);
      const text = edit.operation === 'replace' ? files.readText(edit.path, MAX_BYTES) : undefined;
      const lines = text === undefined ? undefined : linesBefore(edit, text);
      const changed = [...pending, ...(lines ? graph.symbolsIn(edit.path, lines) : [])];
      state.turn.set(withSymbols(kept, edit.path, changed, now));
      if (changed.length === 0) continue;
      const keys = [...(state.unchecked.get() ?? []), ...changed.map(({ key }) => key)];
      state.unchecked.set([...new Set(keys)]);
    }
    return pass('symbols are remembered');
  },
});
