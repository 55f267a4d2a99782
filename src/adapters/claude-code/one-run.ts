import { fieldsAt } from '../json-setup.ts';
import { DISABLED } from '../forwarded.ts';
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
  // They stand above the files of the person and the project, of which one is enough to switch all hooks off.
  settings(given) {
    return { ...given, disableAllHooks: false, env: { ...fieldsAt(given, 'env'), [DISABLED]: '0' } };
  },
  without(words, env) {
    const options = words.slice(0, endOf(words)).filter((word) => OFF.includes(word));
    return [...options, ...OFF_VARIABLES.filter((name) => (env[name] ?? '') !== '')];
  },
};

/** The client runs no hooks with one of these. */
const OFF = ['--bare', '--safe-mode'];
const OFF_VARIABLES = ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE'];

function endOf(words: readonly string[]): number {
  return words.includes('--') ? words.indexOf('--') : words.length;
}

function optionIn(words: readonly string[]): number | undefined {
  const at = words.slice(0, endOf(words)).findLastIndex((word) => word === OPTION || word.startsWith(`${OPTION}=`));
  return at < 0 ? undefined : at;
}

function valueAt(words: readonly string[], at: number): string {
  const word = words[at] ?? '';
  return word === OPTION ? (words[at + 1] ?? '') : word.slice(OPTION.length + 1);
}
