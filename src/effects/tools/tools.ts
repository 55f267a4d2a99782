import type { Effect, EffectKind } from '../../event/effect.ts';
import type { ToolCall } from '../../event/event.ts';
import { below, listed } from '../words/arguments.ts';
import { aboutPath, movedAway } from '../paths/path-effect.ts';
import { resolvePath } from '../paths/resolve-path.ts';
import type { Surroundings } from '../scene.ts';
import { isSecretPath, isSecretToOthers, mayBeSecret } from '../paths/secret-names.ts';
import { isMeantFor } from '../network/secret-owners.ts';
import { isMarkedSecret, markOf, shownIn } from '../marks.ts';
import { hostOf, isOwnHost } from '../network/hosts.ts';
import { aboutAddress, addressesOf } from './addresses.ts';
import type { FileVerb } from './names.ts';
import {
  destroysCloud,
  destroysData,
  fileVerbOf,
  movedBy,
  namesRemote,
  namesSearched,
  sendsFiles,
  textsIn,
  wordsOf,
} from './names.ts';

/** The effects of a call to a tool other than the shell. */
export function readToolEffects(tool: ToolCall, surroundings: Surroundings): readonly Effect[] {
  switch (tool.kind) {
    case 'write':
      return [...onEach(tool, surroundings, 'overwrite', 'write-tool'), ...markEach(tool, surroundings)];
    case 'edit':
      return [...changeEach(tool, surroundings), ...markEach(tool, surroundings)];
    case 'read':
      return [...readEach(tool, tool.paths, surroundings), ...inspectEach(tool, surroundings)];
    case 'search':
      return readEach(tool, searched(tool, surroundings), surroundings);
    case 'fetch':
      return readAddresses(tool, surroundings);
    case 'mcp':
    case 'other':
      return [
        ...readForeign(tool, surroundings),
        ...readAddresses(tool, surroundings),
        ...readShown(tool, surroundings),
      ];
    default:
      return [];
  }
}

/** One call may add some files, change others, and take others away. */
function changeEach(tool: ToolCall, surroundings: Surroundings): readonly Effect[] {
  // What takes the file away counts, whatever else is done to it.
  const edits = new Map(
    tool.edits
      .toSorted((a, b) => Number(a.operation === 'remove') - Number(b.operation === 'remove'))
      .map((edit) => [edit.path, edit]),
  );
  const moved = new Set(tool.edits.flatMap(({ movedTo }) => movedTo ?? []));
  return tool.paths.map((path) => {
    const placed = resolvePath(path, surroundings.cwd, surroundings);
    const { operation, movedTo } = edits.get(path) ?? {};
    if (operation === 'remove')
      return effect(tool, movedTo === undefined ? aboutPath('delete', placed, 'remove') : movedAway(placed));
    if (moved.has(path)) return effect(tool, aboutPath('overwrite', placed, 'move'));
    return effect(
      tool,
      operation === 'write' ? aboutPath('overwrite', placed, 'write-tool') : aboutPath('write', placed, 'edit'),
    );
  });
}

/** A key that was shown comes to lie in a file, or what was marked is written over. */
function markEach(tool: ToolCall, surroundings: Surroundings): readonly Effect[] {
  if (!surroundings.marks) return [];
  return tool.edits.flatMap(({ path, operation, new: text = '' }): readonly Effect[] => {
    const how = shownIn(text, surroundings);
    if (how !== undefined && !isSecretToOthers(path, surroundings))
      return [effect(tool, { kind: 'copy-secret', how, of: 'secret', target: path, path })];
    const isGone = operation === 'write' && how === undefined && markOf(path, surroundings) !== undefined;
    return isGone ? [effect(tool, { kind: 'inspect', target: path, path })] : [];
  });
}

function inspectEach(tool: ToolCall, surroundings: Surroundings): readonly Effect[] {
  const read = tool.paths.filter((path) => markOf(path, surroundings)?.what === 'download');
  return read.map((path) => effect(tool, { kind: 'inspect', target: path, path }));
}

/** A key that was shown is handed to another server, other than to write it to a file here. */
function readShown(tool: ToolCall, surroundings: Surroundings): readonly Effect[] {
  const names = wordsOf(tool.mcp?.tool ?? tool.name);
  if (!surroundings.marks || !tool.mcp || fileVerbOf(names) !== undefined) return [];
  const host = tool.mcp.server;
  const target = textsIn(tool.input).flatMap((text) => shownIn(text, surroundings) ?? [])[0];
  if (target === undefined || isMeantFor(target, host)) return [];
  return [effect(tool, { kind: 'send', how: 'tool', of: 'secret', target, host })];
}

function readAddresses(tool: ToolCall, surroundings: Surroundings): readonly Effect[] {
  return addressesOf(tool).flatMap((address) =>
    address.startsWith('file://')
      ? readEach(tool, [address.slice(7)], surroundings)
      : [...aboutAddress(address), ...shownInAddress(address, surroundings)].map((about) => effect(tool, about)),
  );
}

function shownInAddress(address: string, surroundings: Surroundings): readonly Omit<Effect, 'seen' | 'road'>[] {
  const host = hostOf(address);
  const target = isOwnHost(host) ? undefined : shownIn(decoded(address), surroundings);
  if (target === undefined || isMeantFor(target, host)) return [];
  return [{ kind: 'send', how: 'address', of: 'secret', target, host }];
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** The file that is searched, or those that the search is narrowed to. */
function searched({ paths, input }: ToolCall, { cwd }: Surroundings): readonly string[] {
  return [...paths, ...namesSearched(input).map((name) => below(paths[0] ?? cwd, name))];
}

/** Tools of other servers tell by their name what they do to the files they are given. */
function readForeign(tool: ToolCall, surroundings: Surroundings): readonly Effect[] {
  const names = wordsOf(tool.mcp?.tool ?? tool.name);
  const verb = fileVerbOf(names);
  const sent = sendsFiles(names, tool.input) ? sendEach(tool, surroundings) : [];
  if (destroysData(names))
    return [
      ...sent,
      effect(tool, { kind: 'destroy-data', how: 'tool', target: firstString(tool.input, NAMED) || names.join(' ') }),
    ];
  if (namesRemote(tool.input) || destroysCloud(tool.mcp?.server ?? '', names))
    return [...sent, ...readRemote(tool, names, verb)];
  if (verb === undefined) return sent;
  switch (verb) {
    case 'delete':
      return removeEach(tool, names, surroundings);
    case 'write':
      return onEach(tool, surroundings, 'overwrite', 'write-tool');
    case 'append':
    case 'mkdir':
    case 'edit':
      return onEach(tool, surroundings, 'write', verb);
    case 'read':
      return readEach(tool, tool.paths, surroundings);
    case 'move':
    case 'copy':
      return readMove(tool, verb, surroundings);
  }
}

/** What a delete in a repository or store on another machine comes to. */
function readRemote(tool: ToolCall, names: readonly string[], verb: FileVerb | undefined): readonly Effect[] {
  const { mcp, input } = tool;
  if (verb !== 'delete' && !destroysCloud(mcp?.server ?? '', names)) return [];
  const branch = names.includes('branch')
    ? firstString(input, ['branch', 'branch_name', 'branchName', 'ref', 'name'])
    : '';
  if (branch !== '') return [effect(tool, { kind: 'delete-branch', how: 'remote', target: branch, branch })];
  const target = firstString(input, NAMED) || names.join(' ');
  return [effect(tool, { kind: 'destroy-cloud', how: 'tool', target })];
}

const NAMED = listed(
  'database collection table schema path name id repo repository bucket key resource project project_id projectId',
);

function firstString(input: ToolCall['input'], keys: readonly string[]): string {
  return keys.map((key) => input[key]).find((value) => typeof value === 'string') ?? '';
}

const TREES: ReadonlySet<string> = new Set(['directory', 'dir', 'folder', 'tree', 'recursive', 'recursively']);
const FILES: ReadonlySet<string> = new Set(['file', 'files', 'unlink']);
const WHOLE_TREES: ReadonlySet<string> = new Set(['root', 'home', 'workspace']);
const WHOLE: ReadonlySet<string | undefined> = new Set(['root', 'home', 'workspace', 'git', 'system']);

/** Only a name that speaks of files says that no directory is meant. */
function removeEach(tool: ToolCall, names: readonly string[], surroundings: Surroundings): readonly Effect[] {
  const one = tool.input['recursive'] !== true && names.some((name) => FILES.has(name));
  return tool.paths.map((path) => {
    const placed = resolvePath(path, surroundings.cwd, surroundings);
    const tree = !one || names.some((name) => TREES.has(name)) || WHOLE_TREES.has(placed.scope);
    return effect(tool, aboutPath('delete', placed, tree ? 'forced' : 'remove', tree));
  });
}

function sendEach(tool: ToolCall, surroundings: Surroundings): readonly Effect[] {
  return tool.paths.flatMap((path): Effect[] => {
    const { name } = resolvePath(path, surroundings.cwd, surroundings);
    const whole = resolvePath(path, surroundings.cwd, surroundings).path;
    if (!isSecretToOthers(path, surroundings) && !isMarkedSecret(whole, surroundings)) return [];
    return [
      effect(tool, { kind: 'send', how: 'tool', target: name, of: 'secret', host: tool.mcp?.server ?? tool.name }),
    ];
  });
}

function readMove(tool: ToolCall, how: 'move' | 'copy', surroundings: Surroundings): readonly Effect[] {
  const { from, to } = movedBy(tool.input);
  const effects: Effect[] = [];
  if (from !== undefined) {
    const source = resolvePath(from, surroundings.cwd, surroundings);
    if (how === 'move')
      effects.push(
        effect(tool, WHOLE.has(source.scope) ? aboutPath('delete', source, 'move', true) : movedAway(source)),
      );
    if (!(to !== undefined && isSecretPath(to))) effects.push(...readEach(tool, [from], surroundings));
  }
  if (to !== undefined) {
    effects.push(effect(tool, aboutPath('overwrite', resolvePath(to, surroundings.cwd, surroundings), how)));
  }
  return effects;
}

function onEach(
  tool: ToolCall,
  surroundings: Surroundings,
  kind: EffectKind,
  how: string,
  recursive = false,
): readonly Effect[] {
  return tool.paths.map((path) =>
    effect(tool, aboutPath(kind, resolvePath(path, surroundings.cwd, surroundings), how, recursive)),
  );
}

function readEach(tool: ToolCall, paths: readonly string[], surroundings: Surroundings): readonly Effect[] {
  const effects: Effect[] = [];
  for (const path of paths) {
    // Most of what an agent does is reading files that nobody hides.
    if (path.startsWith('/') && !mayBeSecret(path)) continue;
    const { name, path: whole, scope } = resolvePath(path, surroundings.cwd, surroundings);
    if (!isSecretPath(whole ?? path, surroundings)) continue;
    const about = { kind: 'read-secret', how: 'read', target: name, scope, of: 'secret' } as const;
    effects.push(effect(tool, whole === undefined ? about : { ...about, path: whole }));
  }
  return effects;
}

function effect(tool: ToolCall, about: Omit<Effect, 'seen' | 'road' | 'position'>): Effect {
  return { ...about, seen: `${tool.name} ${about.target}`.slice(0, 200), road: [] };
}
