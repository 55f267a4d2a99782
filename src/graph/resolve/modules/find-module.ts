import type { FileFacts, Language } from '../../model/facts.ts';
import type { World } from '../world.ts';
import { c } from './c.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import type { ModuleFinder } from './module.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';
import { shell } from './shell.ts';
import { typescript } from './typescript.ts';

const FINDERS: Partial<Readonly<Record<Language, ModuleFinder>>> = {
  typescript,
  javascript: typescript,
  python,
  cython: python,
  go,
  rust,
  java,
  c,
  cpp: c,
  ruby,
  shell,
};

export type Found = ReturnType<ModuleFinder['find']>;

const answers = new WeakMap<World, Map<FileFacts, Map<string, Found>>>();

/**
 * What an import of `module` in `from` leads to. Answers are kept with the world that gave them: a watched world lives for
 * one file's resolution and has noted the questions already, so the same import costs one lookup however often it is met.
 */
export function findModule(world: World, from: FileFacts, module: string): Found {
  let known = answers.get(world);
  if (known === undefined) answers.set(world, (known = new Map()));
  let ofFile = known.get(from);
  if (ofFile === undefined) known.set(from, (ofFile = new Map()));
  let found = ofFile.get(module);
  if (found === undefined) ofFile.set(module, (found = FINDERS[from.language]?.find(world, from, module) ?? 'outside'));
  return found;
}
