import type { Tongue } from './languages.ts';
import { TONGUES } from './languages.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const END = 'END_OF_CODE';

/** How code comes to be run. */
export function roadsOf(name: string, tongue: Tongue): Readonly<Record<string, (code: string) => string>> {
  const { word, input, file, ending } = tongue;
  const whole = (code: string): string =>
    name === 'awk' ? `BEGIN { ${code} }` : name === 'php' ? `<?php ${code}` : code;
  const fed = (code: string): string => `${input ?? ''} <<'${END}'\n${code}\n${END}`;
  const given = (code: string): string =>
    word === '' ? fed(code) : `${word} ${quoted(name === 'php' ? code : whole(code))}`;
  return {
    'a word': given,
    'a word of a variable': (code) =>
      word === '' ? fed(code) : `C=${quoted(name === 'php' ? code : whole(code))}; ${word} "$C"`,
    'a nested shell': (code) => `bash -c ${quoted(given(code))}`,
    'another user': (code) => `sudo ${given(code)}`,
    'a file': (code) => `cat > /tmp/x.${ending} <<'${END}'\n${whole(code)}\n${END}\n${file} /tmp/x.${ending}`,
    'a printed file': (code) => `printf '%s\\n' ${quoted(whole(code))} > x.${ending} && ${file} x.${ending}`,
    ...(input !== undefined && {
      'a heredoc': fed,
      'a pipe': (code: string) => `echo ${quoted(code)} | ${input}`,
      'a here-string': (code: string) => `${input} <<< ${quoted(code)}`,
    }),
  };
}

/** Code that hits `path`, in all ways of one language. */
export function codesOf(
  tongue: Tongue,
  path: string,
  withDoubtful: boolean,
): readonly (readonly [of: string, code: string])[] {
  const { strings, doubtful, assigned, deletes, runs } = tongue;
  const command = `rm -rf ${path}`;
  const first = Object.values(strings)[0] as (text: string) => string;
  const calls = [
    ...Object.entries(deletes).map((entry) => [...entry, path] as const),
    ...Object.entries(runs).map((entry) => [...entry, command] as const),
  ];
  return calls.flatMap(([name, call, text]) => {
    const texts = Object.entries({ ...strings, ...(withDoubtful && doubtful) });
    const [set, used] = assigned?.(first(text)) ?? ['', first(text)];
    return [
      ...texts.map(([of, string]) => [`${name}, ${of}`, call(string(text))] as const),
      [`${name}, a variable`, set + call(used)] as const,
    ];
  });
}

/** Each language runs the text in each of its ways. */
export const TONGUE_ROADS = Object.entries(TONGUES).flatMap(([name, tongue]) => {
  const given = roadsOf(name, tongue)['a word'] as (code: string) => string;
  const written = (tongue.strings['double'] ?? tongue.strings['single']) as (text: string) => string;
  return Object.entries(tongue.runs).map(
    ([of, run]) => [`${of} of ${name}`, (text: string) => given(run(written(text)))] as const,
  );
});
