import type { Launch } from '../installer.ts';
import { isFields } from '../fields.ts';
import { isProgram } from '../hook-words.ts';

/** Client 2.1.325 hides the tools of servers behind a search unless the definition, or the server's entry, says otherwise. */
export const TOOL_META: Readonly<Record<string, unknown>> = { 'anthropic/alwaysLoad': true };

/** What our server is called; the client builds the names of its tools from it. */
export const SERVER_NAME = 'fairlead';
const VERB = 'mcp';

export interface ServerEntry {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly alwaysLoad: true;
}

export function serverEntry({ command, args, homeArgs }: Launch): ServerEntry {
  return { type: 'stdio', command, args: [...args, VERB, ...homeArgs], alwaysLoad: true };
}

/** The words of an entry that starts our server, under whatever name. */
export function readOwnServer(entry: unknown): readonly string[] | undefined {
  if (!isFields(entry)) return undefined;
  const { command, args = [] } = entry;
  if (typeof command !== 'string' || !Array.isArray(args)) return undefined;
  if (!args.every((arg) => typeof arg === 'string')) return undefined;
  const words = [command, ...args];
  return words.some((word, at) => word === VERB && isProgram(words[at - 1])) ? words : undefined;
}
