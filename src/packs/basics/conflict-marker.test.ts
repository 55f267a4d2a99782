import { expect, it } from 'vitest';
import rule from './conflict-marker.ts';
import { activate, ROOT, send, testEngine, toolEvent } from '../../engine/engine.fixture.ts';
import type { Edit } from '../../event/event.ts';

const edit = (text: string, path = `${ROOT}/src/a.ts`): Edit => ({ path, operation: 'replace', new: text });
const BOTH = 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\n';

it.each<[string, Edit[], string]>([
  ['both ends', [edit(BOTH)], 'deny'],
  ['both ends with Windows line ends', [edit(BOTH.replaceAll('\n', '\r\n'))], 'deny'],
  ['both ends in the second of two edits', [edit('fine'), edit(BOTH)], 'deny'],
  ['markers without names', [edit('<<<<<<<\na\n=======\nb\n>>>>>>>')], 'deny'],
  ['one end, as in a text about them', [edit('<<<<<<< is how it starts')], 'pass'],
  ['both ends inside lines', [edit('x <<<<<<< y\nx >>>>>>> y')], 'pass'],
  ['longer rows of signs', [edit('<<<<<<<<<<\n>>>>>>>>>>')], 'pass'],
  ['the ends in two different edits', [edit('<<<<<<< HEAD\n'), edit('>>>>>>> topic\n')], 'pass'],
  ['markers only in what is replaced', [{ path: `${ROOT}/a`, operation: 'replace', old: BOTH, new: 'a' }], 'pass'],
])('%s', async (_, edits, action) => {
  const engine = testEngine([activate(rule, 'enforce')]);
  expect((await send(engine, toolEvent({ kind: 'edit', edits, paths: edits.map(({ path }) => path) }))).action).toBe(
    action,
  );
});

it('names the file from the root of its workspace, as a note by default', async () => {
  const { action, notes } = await send(testEngine([activate(rule)]), toolEvent({ kind: 'write', edits: [edit(BOTH)] }));
  expect(action).toBe('pass');
  expect(notes[0]?.text).toContain('The new text of src/a.ts still holds conflict markers');
});
