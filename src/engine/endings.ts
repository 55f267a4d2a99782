import type { Listen, RuleMeta } from './rule.ts';

type Options = Readonly<Record<string, unknown>>;

/** What a rule listens to under these options: which files it hears of may be a setting, and the index knows globs alone. */
export function withEndings({ on, options: defaults = {} }: RuleMeta, options: Options): readonly Listen[] {
  return on.map((listen) => {
    const { endings } = listen;
    if (endings === undefined) return listen;
    const list = [options, defaults].map((each) => each[endings]).find(Array.isArray) as readonly unknown[] | undefined;
    const globs = (list ?? []).flatMap((ending) => (typeof ending === 'string' ? [globFor(ending)] : []));
    return { ...listen, paths: [...(listen.paths ?? []), ...globs] };
  });
}

function globFor(ending: string): string {
  const inAnyCase = ending
    .replace(/^\./, '')
    .replaceAll(/\p{L}/gu, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
  return `*.${inAnyCase}`;
}
