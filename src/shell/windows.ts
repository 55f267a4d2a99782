import { runCode } from './run-code.ts';
import { joined } from './shells.ts';
import type { Draft, Shell } from './state.ts';

const NOTHING_READ = { input: undefined };
const POWERSHELL_VALUES =
  /^-(?:ep|ex\w*|w|windowstyle|version|outputformat|inputformat|workingdirectory|wd|configurationname|settingsfile)$/;

/** What is simple in PowerShell's language reads like a shell's, but for the backslash, which is a part of paths. */
export function launchPowerShell(draft: Draft, shell: Shell): string | undefined {
  const { words } = draft;
  for (let at = 1; at < words.length; at += 1) {
    const name = (words[at]?.value ?? '').toLowerCase();
    if (name.length > 1 && '-command'.startsWith(name)) return runForeign(at + 1, draft, shell);
    if (POWERSHELL_VALUES.test(name)) at += 1;
    else if (!name.startsWith('-')) return draft.program === 'powershell' ? runForeign(at, draft, shell) : undefined;
    else if (/^-(?:f|fi|fil|file|e|ec|enc|encodedcommand)$/.test(name)) return undefined;
  }
  return undefined;
}

/** `cmd /c command`. */
export function launchCmd(draft: Draft, shell: Shell): string | undefined {
  const at = draft.words.findIndex((word, place) => place > 0 && /^\/{1,2}[ckr]$/i.test(word.value));
  return at < 0 ? undefined : runForeign(at + 1, draft, shell);
}

function runForeign(at: number, draft: Draft, shell: Shell): string | undefined {
  const code = joined(draft.words.slice(at)).replaceAll('\\', '\\\\');
  return code === '' || code === '-' ? undefined : runCode(code, `${draft.program} -c`, draft, shell, NOTHING_READ);
}
