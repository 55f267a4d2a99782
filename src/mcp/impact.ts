import { renderAnswer } from '../graph/index.ts';
import { ask } from './ask.ts';
import type { Call } from './call.ts';
import { keepPicture } from './keep-picture.ts';
import { namingOf } from './naming.ts';
import { wordingFor } from './wording.ts';

/** The answer is kept as evidence, and drawn unless that is not wanted. */
export async function impact(call: Call): Promise<string> {
  const { given, root } = call;
  const answered = await ask(call, {
    action: 'impact',
    ...namingOf(call),
    depth: given.number('depth'),
    maxNodes: given.number('max_nodes'),
  });
  const wording = wordingFor('graph', root);
  if (answered.answer.is !== 'impact') return renderAnswer(answered, call.maxChars, wording);
  const { key: symbol } = answered.answer.symbol;
  const kept = await keepPicture(call, { what: 'impact', symbol, isTextOnly: given.boolean('draw') === false });
  return renderAnswer({ ...answered, ...kept }, call.maxChars, wording);
}
