import { countIn, fieldsIn, switchIn } from '../engine/api/option-values.ts';
import { SET_ROLES } from '../engine/settings.ts';
import type { GraphSettings } from '../engine/settings.ts';
import type { EventName } from '../event/event.ts';
import { KNOWN_LANGUAGES } from './walk/known-languages.ts';

type Options = Readonly<Record<string, unknown>>;

interface Pack {
  readonly enabled?: boolean;
  readonly mode?: string;
  readonly options?: Options;
}

/** What an index needs to stay current, beside what the engine itself needs. */
export const GRAPH_EVENTS: readonly EventName[] = ['tool.after', 'tool.failed'];

/** Undefined where the pack is off: then nothing is indexed that nobody asked for. */
export function graphWanted(pack: Pack | undefined): GraphSettings | undefined {
  return pack?.enabled === true && pack.mode !== 'off' ? readGraphSettings(pack.options) : undefined;
}

/** What the user wrote may be of any type; the wrong one means the default. */
export function readGraphSettings(options: Options = {}): GraphSettings {
  const index = fieldsIn(options['index']);
  const include = textsIn(index['include']);
  const exclude = textsIn(index['exclude']);
  const languages = textsIn(options['languages']).filter((name) => KNOWN_LANGUAGES.has(name));
  const maxFiles = countIn(index['maxFiles']);
  const given = fieldsIn(index['roles']);
  const roles = SET_ROLES.flatMap((role) => (textsIn(given[role]).length > 0 ? [[role, textsIn(given[role])]] : []));
  const maxFile = bytesIn(index['maxFile']);
  const pictures = fieldsIn(options['pictures']);
  const [out] = textsIn(pictures['out']);
  return {
    walk: {
      ...(include.length > 0 && { include }),
      ...(exclude.length > 0 && { exclude }),
      ...(languages.length > 0 && { languages }),
      ...(maxFiles !== undefined && { maxFiles }),
      ...(roles.length > 0 && { roles: Object.fromEntries(roles) }),
    },
    ...(maxFile !== undefined && { maxFile }),
    pictures: picturesIn(pictures['when'] ?? options['pictures']),
    ...(out !== undefined && { picturesOut: out }),
    force: switchIn(fieldsIn(options['roots'])['force'], false),
  };
}

/** Which files are indexed, and how much of them. */
export type FileChoice = Pick<GraphSettings, 'walk' | 'maxFile'>;

/** As requests carry it; without settings it is the usual one. */
export function choiceBy(settings: FileChoice | undefined): Partial<FileChoice> {
  if (settings === undefined) return {};
  const { walk, maxFile } = settings;
  return maxFile === undefined ? { walk } : { walk, maxFile };
}

/** What an index, made under these settings, depends on: with others it is made anew. */
export function digestOfSettings({ walk, maxFile }: FileChoice): string {
  return JSON.stringify([walk, maxFile]);
}

function picturesIn(value: unknown): GraphSettings['pictures'] {
  if (value === 'explicit' || value === 'off') return value;
  return value === false ? 'off' : 'auto';
}

/** One text is a list of one. */
function textsIn(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((each) => typeof each === 'string' && each !== '') as string[];
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1_000,
  mb: 1_000_000,
  kib: 1 << 10,
  mib: 1 << 20,
};

/** `1MiB`, `500 kB`, or a number of bytes. */
function bytesIn(value: unknown): number | undefined {
  if (typeof value !== 'string') return countIn(value);
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(value.trim()) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  return amount === '' || factor === undefined ? undefined : countIn(Math.round(Number(amount) * factor));
}
