import { askForPicture } from '../graph/index.ts';
import type { DrawRequest, Kept } from '../graph/index.ts';
import type { Call } from './call.ts';

/** Keeps what was asked for as evidence, with a picture unless the call or the settings of the project want none. */
export async function keepPicture(
  call: Call,
  wanted: Pick<DrawRequest, 'what' | 'symbol' | 'isTextOnly'>,
): Promise<Kept> {
  const { root, world } = call;
  const { pictures } = await world.settingsAt(root.path);
  const isTextOnly = wanted.isTextOnly === true || pictures === 'off';
  const request: DrawRequest = { do: 'draw', root: root.path, origin: 'explicit', ...wanted, isTextOnly };
  return askForPicture(world.indexing, request, call.leftMs());
}
