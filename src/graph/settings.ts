import type { WalkOptions } from './walk/walk-options.ts';

/** Its options say how code is indexed, for rules, commands and tools alike. */
export const AUTOCONTEXT_PACK = 'autocontext';

/** What `packs.autocontext` says about indexing and drawing. */
export interface GraphSettings {
  readonly walk: WalkOptions;
  /** In bytes. */
  readonly maxFile?: number;
  /** `auto`: drawn after what an agent was told; `explicit`: when asked for; `off`: never. */
  readonly pictures: 'auto' | 'explicit' | 'off';
  /** Also the home directory and the top of the file system may be roots. */
  readonly force: boolean;
}

interface Pack {
  readonly enabled?: boolean;
  readonly mode?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Undefined where the pack is off: then nothing is indexed that nobody asked for. */
export function graphWanted(pack: Pack | undefined): GraphSettings | undefined {
  return pack?.enabled === true && pack.mode !== 'off' ? readGraphSettings(pack.options) : undefined;
}

/** What the user wrote may be of any type; the wrong one means the default. */
export function readGraphSettings(_options: Pack['options'] = {}): GraphSettings {
  return { walk: {}, pictures: 'auto', force: false };
}
