import type { BrokenPlaceholder } from '../../event/pack.ts';

const ACTION = /\{\{([^]*?)\}\}/g;
const VARIABLE = /^-?\s*\.([A-Za-z][A-Za-z0-9_]*)\s*-?$/;

/** Variables that are called otherwise here. */
const RENAMED: ReadonlyMap<string, string> = new Map([['unimportedCount', 'unexportedCount']]);

/**
 * A template of ctx as one of ours: `{{.Name}}` becomes `{name}`. A single brace is plain text there, so one that would
 * open a placeholder here gets a blank. Whatever else two braces open is logic, which no message has.
 */
export function parseTemplate(template: string): { readonly text: string; readonly broken?: BrokenPlaceholder } {
  let text = '';
  // Plain text and what stood between two braces, in turn.
  for (const [at, part] of template.split(ACTION).entries()) {
    const isAction = at % 2 === 1;
    const name = isAction ? VARIABLE.exec(part)?.[1] : undefined;
    if (name === undefined && (isAction || part.includes('{{')))
      return { text: '', broken: describe(template, part, isAction) };
    text += name === undefined ? part.replaceAll(/\{(?=[A-Za-z])/g, '{ ') : `{${ownName(name)}}`;
  }
  return { text };
}

function ownName(name: string): string {
  const plain = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return RENAMED.get(plain) ?? plain;
}

function describe(template: string, part: string, isAction: boolean): BrokenPlaceholder {
  const opened = isAction ? template.indexOf(`{{${part}}}`) : template.lastIndexOf('{{');
  const line = template.slice(0, Math.max(opened, 0)).split('\n').length;
  if (!isAction) return { line, message: 'two braces are opened and not closed' };
  const shown = part.length > 40 ? `${part.slice(0, 40)}…` : part;
  return { line, message: `"{{${shown.replaceAll('\n', ' ')}}}" is no variable; write {{.Name}}` };
}
