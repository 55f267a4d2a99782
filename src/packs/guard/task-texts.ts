import type { RuleFiles } from '../../engine/rule.ts';
import type { ShellCommand } from '../../shell/command.ts';

const MOST_BYTES = 64 * 1024;
const RUNNERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];

/** The shell text behind a name: a script of package.json, a target of a makefile, an alias of git. */
export function taskTexts({ program, words, dir }: ShellCommand, files: RuleFiles, root: string): readonly string[] {
  if (dir === undefined) return [];
  const [first, ...rest] = words.slice(1).flatMap(({ value }) => (value.startsWith('-') ? [] : [value]));
  const read = (path: string) => files.readText(path, MOST_BYTES);
  if (RUNNERS.has(program)) return packageScript(read(`${dir}/package.json`), first === 'run' ? rest[0] : first);
  if (program === 'make') return recipe(MAKEFILES.map((name) => read(`${dir}/${name}`)).find(Boolean), first);
  if (program === 'git' && first !== undefined) {
    const meaning = alias(read(`${root}/.git/config`), first);
    if (meaning === undefined) return [];
    const more = rest.map((word) => ` ${word}`).join('');
    return [meaning.startsWith('!') ? meaning.slice(1) + more : `git ${meaning}${more}`];
  }
  return [];
}

function packageScript(text: string | undefined, name: string | undefined): readonly string[] {
  if (text === undefined || name === undefined) return [];
  try {
    const { scripts } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    return [`pre${name}`, name, `post${name}`].flatMap((each) => {
      const script = scripts?.[each];
      return typeof script === 'string' ? [script] : [];
    });
  } catch {
    return [];
  }
}

/** The recipe of one target, or of the first; what the targets it needs do is left out. */
function recipe(text: string | undefined, target: string | undefined): readonly string[] {
  const lines: string[] = [];
  let inside = false;
  for (const line of (text ?? '').split('\n')) {
    if (line.startsWith('\t')) {
      if (inside) lines.push(line.slice(1).replace(/^[@+-]+/, ''));
      continue;
    }
    const name = /^([\w./-]+)\s*:(?!=)/.exec(line)?.[1];
    if (name === undefined) continue;
    if (lines.length > 0) break;
    inside = target === undefined || name === target;
  }
  return lines.length === 0 ? [] : [lines.join('\n').replaceAll('$$', '$')];
}

function alias(text: string | undefined, name: string): string | undefined {
  let inside = false;
  for (const line of (text ?? '').split('\n')) {
    const section = /^\s*\[\s*([\w-]+)/.exec(line)?.[1];
    if (section !== undefined) inside = section.toLowerCase() === 'alias';
    else if (inside) {
      const [key, ...value] = line.split('=');
      if (key?.trim() === name) return value.join('=').trim().replaceAll(/^"|"$/g, '');
    }
  }
  return undefined;
}
