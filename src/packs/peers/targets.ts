import type { Effect, Event, RuleContext } from '../../engine/rule.ts';
import type { How } from './memory.ts';

type Workspace = Pick<RuleContext['workspace'], 'nameOf'>;

/** What a call is about to change, or has changed: a file, or all that is below a directory. */
export interface Target {
  /** From the root of the work tree; empty for all of it. */
  readonly name: string;
  /** Only what matches, as a glob from the root. */
  readonly like?: string;
  readonly how: How;
  /** A line of the text that is replaced, or the command that does it. */
  readonly what?: string;
  /** When the call began. */
  readonly since?: number;
}

export function editedBy({ tool }: Event, workspace: Workspace): readonly Target[] {
  if (!tool) return [];
  const found = new Map<string, Target>();
  const add = (path: string, target: Omit<Target, 'name'>) => {
    const name = workspace.nameOf(path);
    if (name !== undefined && name !== '') found.set(name, { name, ...target });
  };
  for (const path of tool.edits.length === 0 ? tool.paths : []) add(path, { how: 'written' });
  for (const { path, operation, old, new: text, cell } of tool.edits) {
    if (operation === 'remove' || (operation === 'delete' && !cell)) add(path, { how: 'deleted' });
    else if (operation === 'write') add(path, { how: 'written' });
    else add(path, { how: 'edited', ...lineOf(old, text) });
  }
  return [...found.values()];
}

function lineOf(...texts: readonly (string | undefined)[]): { readonly what?: string } {
  const lines = texts.flatMap((text) => text?.slice(0, LONGEST_TEXT).split('\n', MOST_LINES) ?? []);
  const what = lines.map((line) => line.trim()).find((line) => /\w{3}/.test(line));
  return what === undefined ? {} : { what };
}

const LONGEST_TEXT = 2_000;
const MOST_LINES = 20;

/** What builds make, what lies in a repository's own directory or elsewhere, is nobody's text. */
const LEFT_OUT: ReadonlySet<Effect['scope']> = new Set(['made', 'git', 'temp', 'device', 'remote', 'system']);

/** What commands and other tools change, as far as their effects tell. */
export function changedBy(effects: readonly Effect[], workspace: Workspace): readonly Target[] {
  const found = new Map<string, Target>();
  for (const { kind, path, scope, many, git, seen } of effects) {
    if (LEFT_OUT.has(scope)) continue;
    const place = many ? many.below : (path ?? (kind === 'discard' ? (git?.within ?? git?.dir) : undefined));
    if (place === undefined) continue;
    const how = kind === 'delete' ? 'deleted' : kind === 'discard' ? 'discarded' : 'run';
    const target = placed(place, many?.like, workspace);
    if (target) found.set(`${target.name}\n${target.like ?? ''}`, { ...target, how, what: seen });
  }
  return [...found.values()];
}

/** A pattern in a path is split off: the directory above it has a name. */
function placed(
  path: string,
  like: string | undefined,
  workspace: Workspace,
): Pick<Target, 'name' | 'like'> | undefined {
  const parts = path.split('/');
  const first = parts.findIndex((part) => /[*?[{]/.test(part));
  const dir = first < 0 ? path : parts.slice(0, first).join('/') || '/';
  const pattern = first < 0 ? like : [...parts.slice(first), ...(like === undefined ? [] : [like])].join('/');
  const name = workspace.nameOf(dir);
  if (name === undefined) return undefined;
  return pattern === undefined ? { name } : { name, like: name === '' ? pattern : `${name}/${pattern}` };
}
