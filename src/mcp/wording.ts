import type { Wording } from '../graph/index.ts';
import type { ToolRoot } from './find-root.ts';

type Options = Readonly<Record<string, string | number | boolean>>;

/** Which argument takes what an action is about. */
const SUBJECTS: Readonly<Record<string, string>> = { search: 'query', context: 'query', files: 'path', index: 'root' };

/** A call of a tool that asks for more, to be used as it is. */
export function callFor(tool: string, action: string, subject: string, options: Options, root: ToolRoot): string {
  const given: Record<string, unknown> = { action };
  if (subject !== '') given[SUBJECTS[action] ?? 'symbol'] = subject;
  for (const [name, value] of Object.entries(options)) given[name.replaceAll('-', '_')] = inLists(name, value);
  if (root.reason === 'explicit') given['root'] = root.path;
  return `${tool} ${JSON.stringify(given)}`;
}

function inLists(name: string, value: string | number | boolean): unknown {
  return name === 'symbols' || name === 'kind' ? String(value).split(',') : value;
}

export function wordingFor(tool: string, root: ToolRoot): Wording {
  return { how: (action, subject, options) => callFor(tool, action, subject, options, root) };
}
