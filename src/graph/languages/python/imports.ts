import type { Expression } from '../../model/expression.ts';
import type { Import } from '../../model/facts.ts';
import { currentScope, firstPart, nextPart } from './file.ts';
import type { PythonFile } from './file.ts';
import { setMember } from './scopes.ts';

/** `import a.b`, `import a as b`. */
export function addImports(file: PythonFile, node: number): void {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const kind = kindOf(file, node);
  for (let at = firstPart(file, node); at !== -1; at = nextPart(file, at)) {
    if (tree.symbol(at) === is.aliased_import) {
      const [name, alias] = [tree.child(at, has.name), tree.child(at, has.alias)];
      if (name !== -1 && alias !== -1) add(file, tree.textOf(alias), dotted(file, name), '*', kind, tree.start(name));
    } else if (tree.symbol(at) === is.dotted_name) {
      // `import a.b` makes `a` known, and `b` as a part of it.
      const module = dotted(file, at);
      add(file, module.split('.', 1)[0] ?? module, module, '*', kind, tree.start(at));
    }
  }
}

/** `from .a import b as c`, `from a import *`. */
export function addImportsFrom(file: PythonFile, node: number): void {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const kind = kindOf(file, node);
  const from = tree.child(node, has.module_name);
  const isFuture = tree.symbol(node) === is.future_import_statement;
  const module = isFuture ? '__future__' : from === -1 ? '' : dotted(file, from);
  if (module === '') return;
  for (let at = firstPart(file, node); at !== -1; at = nextPart(file, at)) {
    if (at === from) continue;
    switch (tree.symbol(at)) {
      case is.wildcard_import:
        add(file, '*', module, '*', 'star', tree.start(at));
        break;
      case is.aliased_import: {
        const [name, alias] = [tree.child(at, has.name), tree.child(at, has.alias)];
        if (name !== -1 && alias !== -1)
          add(file, tree.textOf(alias), module, dotted(file, name), kind, tree.start(name));
        break;
      }
      case is.dotted_name:
        add(file, dotted(file, at), module, dotted(file, at), kind, tree.start(at));
        break;
      default:
    }
  }
}

function add(file: PythonFile, local: string, module: string, name: string, kind: Import['kind'], at: number): void {
  file.draft.imports.push({ local, module, name, kind, within: currentScope(file).definition, at });
}

/** `importlib.import_module('a.b')`. */
export function addDynamicImport(file: PythonFile, call: number): void {
  const { tree, symbols } = file;
  const list = tree.child(call, symbols.has.arguments);
  const first = list === -1 ? -1 : firstPart(file, list);
  const module = first === -1 ? undefined : plainString(file, first);
  if (module !== undefined && /^[\w.]+$/.test(module)) add(file, '', module, '*', 'dynamic', tree.start(first));
}

/** Without the blanks and line breaks that may stand around dots. */
function dotted({ tree }: PythonFile, node: number): string {
  const text = tree.textOf(node);
  return /[\s\\#]/.test(text) ? text.replace(/#.*|[\s\\]+/g, '') : text;
}

/** What only type checkers run is a type. */
function kindOf({ tree, symbols }: PythonFile, node: number): 'value' | 'type' {
  const { is, has } = symbols;
  const block = tree.parent(node);
  const around = block === -1 ? -1 : tree.parent(block);
  if (around === -1 || tree.symbol(around) !== is.if_statement) return 'value';
  const isBody = tree.field(block) === has.consequence;
  const condition = tree.child(around, has.condition);
  return isBody && condition !== -1 && /(^|\.)TYPE_CHECKING$/.test(tree.textOf(condition)) ? 'type' : 'value';
}

/** `__all__`, or what is added to it: what the module exports. */
export function addExports(file: PythonFile, statement: number, name: number, list: number): void {
  const { tree, draft } = file;
  const [module] = file.scopes;
  const of: Expression[] = [];
  for (let at = firstPart(file, list); at !== -1; at = nextPart(file, at)) {
    const text = plainString(file, at);
    // What is put together otherwise only running it would show.
    if (text === undefined) continue;
    of.push({ is: 'literal', type: 'str', text });
    draft.exports.push({ name: text, local: text, at: tree.start(at) });
  }
  if (module === undefined) return;
  const given = { value: { is: 'tuple', of } as const, type: undefined, node: statement, from: tree.end(statement) };
  setMember(file, module, 'variable', '__all__', tree.start(name), given);
}

function plainString({ tree, symbols }: PythonFile, node: number): string | undefined {
  if (tree.symbol(node) !== symbols.is.string) return undefined;
  return /^[ru]?(['"])([^'"\\{]*)\1$/i.exec(tree.textOf(node))?.[2];
}
