import { askForPicture } from '../graph/ask-for-picture.ts';
import { renderAnswer } from '../graph/query/render-answer.ts';
import { ask } from './ask.ts';
import type { Call } from './call.ts';
import { namingOf } from './naming.ts';
import { wordingFor } from './wording.ts';

/** As long as a picture takes at most where nothing is wrong; a call that has no time left for it gets this much. */
const LEAST_DRAW_MS = 1_000;

/** The answer is kept as evidence, and drawn unless that is not wanted. */
export async function impact(call: Call): Promise<string> {
  const { given, root, world } = call;
  const answered = await ask(call, {
    action: 'impact',
    ...namingOf(call),
    depth: given.number('depth'),
    maxNodes: given.number('max_nodes'),
  });
  const wording = wordingFor('graph', root);
  if (answered.answer.is !== 'impact') return renderAnswer(answered, call.maxChars, wording);
  const { pictures } = await world.settingsAt(root.path);
  const kept = await askForPicture(
    world.indexing,
    {
      do: 'draw',
      root: root.path,
      what: 'impact',
      symbol: answered.answer.symbol.key,
      origin: 'explicit',
      isTextOnly: given.boolean('draw') === false || pictures === 'off',
    },
    Math.max(call.leftMs(), LEAST_DRAW_MS),
  );
  return renderAnswer({ ...answered, ...kept }, call.maxChars, wording);
}
