import type { Problem } from '../../user-rules/problem.ts';
import type { BorrowedReader } from '../../event/pack.ts';
import { readYaml } from './parse.ts';
import { validateConfig } from './schema.ts';
import type { Config, Options } from './settings.ts';
import { mergeOptions } from './settings.ts';

const KINDS: Readonly<Record<Kind, { is(value: unknown): boolean; readonly called: string }>> = {
  number: { is: Number.isFinite, called: 'a number' },
  text: { is: (value: unknown) => typeof value === 'string', called: 'text' },
  switch: { is: (value: unknown) => typeof value === 'boolean', called: 'true or false' },
  list: { is: Array.isArray, called: 'a list' },
};

type Kind = BorrowedReader['options'][string][1];

export interface BorrowedSettings {
  /** For the layer below all others; it never switches the pack on. Absent when the file cannot be read. */
  readonly config?: Config;
  /** Where there is a config nonetheless, each is about one setting, which is left out. */
  readonly problems: readonly Problem[];
  readonly read: readonly string[];
  /** Keys that have no meaning here. */
  readonly ignored: readonly string[];
}

/** Settings of another program as options of the pack that borrows them. */
export function parseBorrowedSettings(
  text: string,
  file: string,
  pack: string,
  { options: known }: Pick<BorrowedReader, 'options'>,
): BorrowedSettings {
  const none = { read: [], ignored: [] };
  const { value, document, problems } = readYaml(text, file);
  if (!document) return { ...none, problems: problems.map((problem) => ({ ...problem, severity: 'warning' })) };
  const fail = (message: string): BorrowedSettings => ({
    ...none,
    problems: [{ file, line: 1, key: '', message, severity: 'warning' }],
  });
  if (value !== null && value !== undefined && !isMap(value)) return fail('expected a map of settings');
  const given = flatten(value ?? {}, known);
  const used = Object.entries(known).filter(([key]) => given.has(key));
  const unfit = used.filter(([key, [, kind]]) => !KINDS[kind].is(given.get(key)));
  const fit = used.filter((each) => !unfit.includes(each));
  const options = fit.reduce((all, [key, [option]]) => mergeOptions(all, nest(option, given.get(key))), {});
  const { config, findings } = validateConfig({ packs: { [pack]: options } });
  if (!config) return fail(findings[0]?.message ?? 'cannot be used');
  return {
    config,
    problems: unfit.map(([key, [, kind]]) => ({
      ...{ file, line: document.lineOf(key.split('.')), key },
      ...{ message: `${key} has to be ${KINDS[kind].called}`, severity: 'warning' },
    })),
    read: fit.map(([key]) => key),
    ignored: [...given.keys()].filter((key) => !Object.hasOwn(known, key)),
  };
}

/** Keys of the file, those of a map that is known with its name before them. A key without a value sets nothing. */
function flatten(value: Options, known: BorrowedReader['options']): ReadonlyMap<string, unknown> {
  const maps = new Set(Object.keys(known).flatMap((key) => (key.includes('.') ? [key.split('.')[0]] : [])));
  const entries = Object.entries(value).flatMap(([key, inner]) =>
    maps.has(key) && isMap(inner)
      ? Object.entries(inner).map(([name, each]) => [`${key}.${name}`, each] as const)
      : [[key, inner] as const],
  );
  return new Map(entries.filter(([, inner]) => inner !== null));
}

function nest(path: string, value: unknown): Options {
  const [first = '', ...rest] = path.split('.');
  return { [first]: rest.length === 0 ? value : nest(rest.join('.'), value) };
}

function isMap(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
