import { findShellCalls } from './code-calls.ts';
import { runCode } from './run-code.ts';
import { runScript, scriptAt } from './scripts.ts';
import { joined } from './shells.ts';
import type { Draft, Shell } from './state.ts';
import { addUnclear, knownText } from './state.ts';

const NOTHING_READ = { input: undefined };
const POWERSHELL_VALUES =
  /^-(?:ep|ex\w*|w|windowstyle|version|outputformat|inputformat|workingdirectory|wd|configurationname|settingsfile)$/;

/** Reads the code of PowerShell as the commands that a shell would be given. */
export function launchPowerShell(draft: Draft, shell: Shell): string | undefined {
  const code = powerShellCode(draft);
  if (typeof code === 'string') return runPowerShell(code, draft, shell);
  const script = code && scriptAt(code.file, draft, shell);
  if (!script) return undefined;
  draft.script = script;
  return runScript(script, shell, () => runPowerShell(script.text, draft, shell) ?? '');
}

function runPowerShell(text: string, draft: Draft, shell: Shell): string | undefined {
  const { calls, cut } = findShellCalls(text, 'powershell');
  if (cut) addUnclear(shell.all, 'too-long', draft.text);
  const lines = calls.filter((call) => typeof call === 'string');
  return lines.length === 0 ? undefined : runCode(lines.join('\n'), `${draft.program} -c`, draft, shell, NOTHING_READ);
}

/** Its code, or the file that has it. */
function powerShellCode({ words, input, program }: Draft): string | { readonly file: string } | undefined {
  for (let at = 1; at < words.length; at += 1) {
    const value = words[at]?.value ?? '';
    const name = value.toLowerCase();
    const next = words[at + 1]?.value;
    if (name.length > 1 && '-command'.startsWith(name))
      return next === '-' ? knownText(input) : joined(words.slice(at + 1));
    if (name.length > 1 && '-file'.startsWith(name)) return next === undefined ? undefined : { file: next };
    if (POWERSHELL_VALUES.test(name)) at += 1;
    else if (/^-(?:e|ec|enc|encodedcommand)$/.test(name)) return undefined;
    else if (name === '-') break;
    else if (!name.startsWith('-')) return program === 'powershell' ? joined(words.slice(at)) : { file: value };
  }
  return knownText(input);
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
