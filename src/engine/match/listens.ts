import type { Listen, RuleMeta } from '../rule.ts';

type Options = Readonly<Record<string, unknown>>;

/** What a rule listens to under these options: what it hears of may be a setting, and the index knows globs and words alone. */
export function listensUnder({ on, options: defaults = {} }: RuleMeta, options: Options): readonly Listen[] {
  return on.map((listen) => {
    const { endings, optionWords } = listen;
    if (endings === undefined && optionWords === undefined) return listen;
    return {
      ...listen,
      ...(endings !== undefined && { paths: [...(listen.paths ?? []), ...globsIn(endings, options, defaults)] }),
      ...(optionWords !== undefined && { words: [...(listen.words ?? []), ...textsAt(optionWords, options)] }),
    };
  });
}

function globsIn(name: string, options: Options, defaults: Options): readonly string[] {
  const list = [options, defaults].map((each) => each[name]).find(Array.isArray) as readonly unknown[] | undefined;
  return (list ?? []).flatMap((ending) => (typeof ending === 'string' ? [globFor(ending)] : []));
}

function globFor(ending: string): string {
  const inAnyCase = ending
    .replace(/^\./, '')
    .replaceAll(/\p{L}/gu, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
  return `*.${inAnyCase}`;
}

/** The texts at a path of keys; where a list lies on the way, those of all its items. */
function textsAt(path: string, options: Options): readonly string[] {
  let values: readonly unknown[] = [options];
  for (const key of path.split('.'))
    values = values.flatMap((value) => {
      const found = typeof value === 'object' && value !== null ? (value as Options)[key] : undefined;
      return Array.isArray(found) ? (found as readonly unknown[]) : [found];
    });
  return values.filter((value): value is string => typeof value === 'string' && value.trim() !== '');
}
