import { createHash } from 'node:crypto';
import type { Fields } from '../fields.ts';
import { isFields } from '../fields.ts';
import { PLUGIN } from './plugin.generated.ts';

/** What stands before the program in the file of our plugin. */
export interface PluginSettings {
  /** Of the client's environment, what goes to the engine. */
  readonly variables: readonly string[];
  /** By the client's name of an event: what is started for it where no engine runs, and whether a failure stops what it is about. */
  readonly events: Readonly<Record<string, { readonly words: readonly string[]; readonly blocks: boolean }>>;
}

/** Of every version: by this line and the sum below it a file is known to be ours. */
const HEAD = `// The plugin of Fairlead. \`fairlead init\` writes this file, and \`fairlead uninstall\` takes it away. Changes are lost.`;
const SUM = '// sha256 ';
const SUM_LINE = /^\/\/ sha256 [\da-f]{64}$/;
const BEGIN = 'const FAIRLEAD = ';
const END = ';\n';

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export function writePlugin({ variables, events }: PluginSettings): string {
  const rows = Object.entries(events).map(([name, entry]) => `    ${JSON.stringify(name)}: ${JSON.stringify(entry)}`);
  const list = `{\n  "variables": ${JSON.stringify(variables)},\n  "events": {\n${rows.join(',\n')}\n  }\n}`;
  const body = `${BEGIN}${list}${END}${PLUGIN}`;
  return `${HEAD}\n${SUM}${sumOf(body)}\n${body}`;
}

export interface PluginFile {
  readonly events: Readonly<Record<string, unknown>>;
  /** How it differs from what this version writes. */
  readonly differs?: 'changed' | 'old';
}

/** Undefined for a file of somebody else. */
export function readPlugin(text: string): PluginFile | undefined {
  const [head = '', sum = '', ...rest] = text.split('\n');
  if (head.trimEnd() !== HEAD || !SUM_LINE.test(sum.trimEnd())) return undefined;
  const body = rest.join('\n');
  const list = body.startsWith(BEGIN) ? body.slice(BEGIN.length, body.indexOf(`\n}${END}`) + 2) : '';
  const program = body.slice(BEGIN.length + list.length + END.length);
  const events = settingsIn(list)['events'];
  const differs = sum !== `${SUM}${sumOf(body)}` ? 'changed' : program === PLUGIN ? undefined : 'old';
  return { events: isFields(events) ? events : {}, ...(differs && { differs }) };
}

function settingsIn(text: string): Fields {
  try {
    const found: unknown = JSON.parse(text);
    return isFields(found) ? found : {};
  } catch {
    return {};
  }
}
