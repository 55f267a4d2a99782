import type { Effect, EffectKind } from '../event/effect.ts';
import type { ToolCall } from '../event/event.ts';
import { aboutPath, movedAway } from './path-effect.ts';
import { placeOf } from './place.ts';
import type { Surroundings } from './scene.ts';
import { isSecretPath } from './secret-names.ts';
import { fileVerbOf, movedBy, namesRemote, wordsOf } from './tool-names.ts';

/** The effects of a call to a tool other than the shell. */
export function readToolEffects(tool: ToolCall, surroundings: Surroundings): readonly Effect[] {
  switch (tool.kind) {
    case 'write':
      return onEach(tool, surroundings, 'overwrite', 'write-tool');
    case 'edit':
      return onEach(tool, surroundings, 'write', 'edit');
    case 'read':
    case 'search':
      return readEach(tool, tool.paths, surroundings);
    case 'fetch':
      return tool.query?.startsWith('file://') === true ? readEach(tool, [tool.query.slice(7)], surroundings) : [];
    case 'mcp':
    case 'other':
      return readForeign(tool, surroundings);
    default:
      return [];
  }
}

/** Tools of other servers tell by their name what they do to the files they are given. */
function readForeign(tool: ToolCall, surroundings: Surroundings): readonly Effect[] {
  const names = wordsOf(tool.mcp?.tool ?? tool.name);
  const verb = fileVerbOf(names);
  if (verb === undefined || namesRemote(tool.input)) return [];
  switch (verb) {
    case 'delete': {
      const tree = tool.input['recursive'] === true || names.some((name) => TREES.has(name));
      return onEach(tool, surroundings, 'delete', tree ? 'forced' : 'remove', tree);
    }
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

const TREES: ReadonlySet<string> = new Set(['directory', 'dir', 'folder', 'tree', 'recursive', 'recursively']);
const WHOLE: ReadonlySet<string | undefined> = new Set(['root', 'home', 'workspace', 'git', 'system']);

function readMove(tool: ToolCall, how: 'move' | 'copy', surroundings: Surroundings): readonly Effect[] {
  const { from, to } = movedBy(tool.input);
  const effects: Effect[] = [];
  if (from !== undefined) {
    const source = placeOf(from, surroundings.cwd, surroundings);
    if (how === 'move')
      effects.push(
        effect(tool, WHOLE.has(source.scope) ? aboutPath('delete', source, 'move', true) : movedAway(source)),
      );
    if (!(to !== undefined && isSecretPath(to))) effects.push(...readEach(tool, [from], surroundings));
  }
  if (to !== undefined) {
    effects.push(effect(tool, aboutPath('overwrite', placeOf(to, surroundings.cwd, surroundings), how)));
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
    effect(tool, aboutPath(kind, placeOf(path, surroundings.cwd, surroundings), how, recursive)),
  );
}

function readEach(tool: ToolCall, paths: readonly string[], surroundings: Surroundings): readonly Effect[] {
  const effects: Effect[] = [];
  for (const path of paths) {
    const { name, path: whole, scope } = placeOf(path, surroundings.cwd, surroundings);
    if (!isSecretPath(whole ?? path, surroundings)) continue;
    const about = { kind: 'read-secret', how: 'read', target: name, scope, of: 'secret' } as const;
    effects.push(effect(tool, whole === undefined ? about : { ...about, path: whole }));
  }
  return effects;
}

function effect(tool: ToolCall, about: Omit<Effect, 'seen' | 'road' | 'position'>): Effect {
  return { ...about, seen: `${tool.name} ${about.target}`.slice(0, 200), road: [] };
}
