import type { Expression } from '../model/expression.ts';
import type { FileFacts } from '../model/facts.ts';
import { moduleNames } from './module-names.ts';
import { findModule } from './find-module.ts';
import type { Resolution } from './resolution.ts';
import type { Type } from './types.ts';

/** The module that `a.b` is after `import a.b`, also where nothing but a directory is called `a`. */
export function dottedModule(r: Resolution, file: FileFacts, e: Expression): Type | undefined {
  let first = e;
  while (first.is === 'member') first = first.of;
  if (first.is !== 'name') return undefined;
  for (const { module, name } of moduleNames(file).imports.get(first.name) ?? []) {
    if (name !== '*' || !module.includes('.') || module !== dotted(e)) continue;
    const files = findModule(r.world, file, module);
    if (typeof files !== 'string') return { is: 'module', files };
  }
  return undefined;
}

function dotted(e: Expression): string {
  if (e.is === 'member') return `${dotted(e.of)}.${e.name}`;
  return e.is === 'name' ? e.name : '';
}
