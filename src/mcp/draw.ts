import { GRAPH_PACK } from '../event/known-packs.ts';
import { keptLines, renderAnswer } from '../graph/index.ts';
import type { DrawRequest } from '../graph/index.ts';
import { counted } from '../text/counted.ts';
import { ask } from './ask.ts';
import type { Call } from './call.ts';
import { keepPicture } from './keep-picture.ts';
import { namingOf } from './naming.ts';
import { Refusal } from './refusal.ts';
import { wordingFor } from './wording.ts';

/** A picture of the whole project, or of what depends on one symbol. */
export async function drawPicture(call: Call): Promise<string> {
  const { given, root, world } = call;
  const isNamed = given.text('symbol') !== undefined || given.text('query') !== undefined;
  const what = given.text('what') ?? (isNamed ? 'impact' : 'architecture');
  if ((await world.settingsAt(root.path)).pictures === 'off')
    throw new Refusal(`pictures are switched off in the settings of this project (packs.${GRAPH_PACK}, pictures)`);
  if (what === 'architecture') {
    // Asked for its own sake: without an index there is nothing to draw.
    const { answer } = await ask(call, { action: 'files', limit: 1 });
    const files = answer.is === 'files' ? answer.files : 0;
    return draw(call, { what }, `architecture of ${root.path}, ${counted(files, 'file')}`);
  }
  const answered = await ask(call, { action: 'impact', ...namingOf(call), depth: 1, maxNodes: 1 });
  const { answer } = answered;
  if (answer.is !== 'impact') return renderAnswer(answered, call.maxChars, wordingFor('graph', root));
  const { key, name, path, line } = answer.symbol;
  return draw(call, { what: 'impact', symbol: key }, `impact of ${name}  ${path}:${line}`);
}

async function draw(call: Call, wanted: Pick<DrawRequest, 'what' | 'symbol'>, title: string): Promise<string> {
  const kept = await keepPicture(call, wanted);
  if (kept.evidence === undefined) throw new Refusal(kept.warning ?? 'nothing was drawn');
  return [title, ...keptLines(kept)].join('\n');
}
