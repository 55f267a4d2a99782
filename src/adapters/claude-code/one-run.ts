import type { OneRun } from '../installer.ts';

const OPTION = '--settings';

/** The client adds the settings of this option to those of all files, hooks too, for one session. It takes one. */
export const ONE_RUN: OneRun = {
  given(words) {
    const at = optionIn(words);
    return at === undefined ? undefined : valueAt(words, at);
  },
  start(words, file) {
    const at = optionIn(words);
    const [program = '', ...args] = words;
    if (at === undefined) return [program, OPTION, file, ...args];
    const isJoined = words[at]?.includes('=') === true;
    return [...words.slice(0, at), OPTION, file, ...words.slice(at + (isJoined ? 1 : 2))];
  },
};

function optionIn(words: readonly string[]): number | undefined {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const at = words.slice(0, end).findLastIndex((word) => word === OPTION || word.startsWith(`${OPTION}=`));
  return at < 0 ? undefined : at;
}

function valueAt(words: readonly string[], at: number): string {
  const word = words[at] ?? '';
  return word === OPTION ? (words[at + 1] ?? '') : word.slice(OPTION.length + 1);
}
