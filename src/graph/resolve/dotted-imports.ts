import type { Expression } from '../expression.ts';
import type { FileFacts } from '../facts.ts';
import { moduleNames } from './module-names.ts';
import { findModule } from './modules/find-module.ts';
import type { Resolution } from './resolution.ts';
import type { Type } from './types.ts';

/** The module that `a.b` is after `import a.b`, also where nothing but a directory is called `a`. */
export function dottedModule(r: Resolution, file: FileFacts, e: Expression): Type | undefined {
  const names: string[] = [];
  let first = e;
  for (; first.is === 'member'; first = first.of) names.unshift(first.name);
  if (first.is !== 'name') return undefined;
  const module = [first.name, ...names].join('.');
  const entry = moduleNames(file)
    .imports.get(first.name)
    ?.find((one) => one.module === module && one.name === '*');
  if (entry === undefined) return undefined;
  const files = findModule(r.world, file, module);
  return typeof files === 'string' ? undefined : { is: 'module', files };
}
