import { isMap, oneOf } from './options.ts';

/** What a record of a block is sent as: to those who asked for nudges too, unless `relay.blocks` says `relay`. */
export function blocksAs(options: Readonly<Record<string, unknown>>): 'nudge' | 'relay' {
  const group = isMap(options['relay']) ? options['relay'] : {};
  return oneOf(group['blocks'], ['nudge+relay', 'relay']) === 'relay' ? 'relay' : 'nudge';
}
