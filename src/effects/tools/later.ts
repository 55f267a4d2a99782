import type { ToolCall } from '../../event/event.ts';
import { baseName } from '../words/arguments.ts';
import { firstOf } from './names.ts';

/** Files of which some part is run by whoever opens or installs what they lie in. */
interface Later {
  readonly file: RegExp;
  /** The keys whose value is a command. */
  readonly keys: RegExp;
  /** Says that all of it is run without being asked for. */
  readonly unasked?: RegExp;
}

const LATER: readonly Later[] = [
  {
    file: /(?:^|\/)\.vscode\/tasks\.json$|\.code-workspace$/,
    keys: /^(?:command|args)$/,
    unasked: /"runOn"\s*:\s*"folderOpen"/,
  },
  { file: /(?:^|\/)package\.json$/, keys: /^(?:(?:pre|post)?(?:install|prepare)|prepublish(?:Only)?)$/ },
  {
    file: /(?:^|\/)\.?devcontainer\.json$/,
    keys: /^(?:initialize|onCreate|updateContent|postCreate|postStart|postAttach)Command$/,
  },
  { file: /(?:^|\/)(?:\.?mcp|mcp_settings|[\w.-]*mcp[\w.-]*config)\.json$/, keys: /^(?:command|args)$/ },
];
const CONTENTS = ['content', 'contents', 'text', 'new_text', 'newText', 'new_str', 'file_text', 'data'];
const PAIR = /"((?:[^"\\]|\\.){1,80})"\s{0,20}:\s{0,20}("(?:[^"\\]|\\.)*"|\[[^\][{}]*\])/g;

export interface LaterText {
  /** Commands that somebody runs later. */
  readonly commands: string;
  /** The file that is run without being asked for. */
  readonly unasked: string | undefined;
}

/** What a tool writes that others run: the commands in it. */
export function laterTextOf(tool: ToolCall): LaterText | undefined {
  let commands = '';
  let unasked: string | undefined;
  for (const [path, text] of writtenBy(tool)) {
    const later = LATER.find(({ file }) => file.test(path));
    if (!later) continue;
    if (later.unasked?.test(text) === true) unasked = path;
    for (const [, key = '', value = ''] of text.matchAll(PAIR)) if (later.keys.test(key)) commands += linesOf(value);
  }
  return commands === '' && unasked === undefined ? undefined : { commands, unasked };
}

/** A list is a program with its words, or one text for a shell. */
function linesOf(value: string): string {
  try {
    const given: unknown = JSON.parse(value);
    const texts = Array.isArray(given) ? given.filter((text) => typeof text === 'string') : [given];
    return texts.map((text) => `${String(text)}\n`).join('');
  } catch {
    return '';
  }
}

function writtenBy({ kind, edits, paths, input }: ToolCall): readonly (readonly [string, string])[] {
  if (kind === 'write' || kind === 'edit')
    return edits.flatMap(({ path, new: text }) => (text === undefined ? [] : [[path, text] as const]));
  const text = kind === 'mcp' || kind === 'other' ? firstOf(input, CONTENTS) : undefined;
  return text === undefined ? [] : paths.filter((path) => baseName(path).includes('.')).map((path) => [path, text]);
}
