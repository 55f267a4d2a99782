import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

/** `type` covers whatever is gone at run time. */
export type ImportKind = 'value' | 'type' | 'dynamic';

export interface Import {
  readonly kind: ImportKind;
  /** A path from the repository's root for our own files, else the specifier as written; empty when computed. */
  readonly target: string;
  readonly names: readonly string[];
  readonly line: number;
}

/** A word of the program itself: never a comment, never the specifier of an import. */
export interface Word {
  readonly kind: 'name' | 'text';
  readonly value: string;
  readonly line: number;
}

/** A name in an expression with all its members: `process.stdout.write`, `Date`, `setTimeout`. */
export interface Use {
  readonly chain: string;
  /** The file did not declare or import it. */
  readonly isGlobal: boolean;
  readonly form: 'call' | 'new' | 'read';
  readonly args: readonly Node[];
  readonly line: number;
}

/** A word stands in many places; `find` looks at it once. */
export function onceEach<T>(find: (word: Word) => T): (word: Word) => T {
  const known = new Map<string, T>();
  return (word) => {
    const key = `${word.kind} ${word.value}`;
    if (!known.has(key)) known.set(key, find(word));
    return known.get(key) as T;
  };
}

export interface SourceFile {
  /** From the repository's root, with slashes. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly words: readonly Word[];
  readonly uses: readonly Use[];
}

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

export function readSources(...folders: string[]): SourceFile[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        posix.join(folder, name.replaceAll('\\', '/')),
      ),
    )
    .filter((path) => /\.(tsx?|mjs)$/.test(path) && !path.includes('/fixtures/'))
    .sort()
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));
}

export function parseSource(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const lineStarts = [...text.matchAll(/\n/g)].map((match) => match.index);
  const lineOf = ({ start }: Node): number => {
    let [low, high] = [0, lineStarts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((lineStarts[middle] as number) < start) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };

  const imports: Import[] = [];
  const words: Word[] = [];
  const uses: Omit<Use, 'isGlobal'>[] = [];
  const declared = new Set<string>();

  function visit(node: Node, parent: Node | undefined, key: string): void {
    const found = readImport(node, path);
    if (found) imports.push({ ...found, line: lineOf(node) });
    if (isSpecifier(node, parent, key)) return;
    const word = readWord(node);
    if (word) words.push({ ...word, line: lineOf(node) });
    for (const name of declaredBy(node)) declared.add(name);
    const use = readUse(node, parent, key) ?? readFirst(node);
    if (use) uses.push({ ...use, line: lineOf(node) });
    forChildren(node, (child, childKey) => visit(child, node, childKey));
  }
  visit(program as unknown as Node, undefined, '');

  return {
    path,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    imports,
    words,
    uses: uses.map((use) => ({ ...use, isGlobal: !declared.has(use.chain.split('.')[0] ?? '') })),
  };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

function forChildren(node: Node, take: (child: Node, key: string) => void): void {
  for (const key in node) {
    const value = node[key];
    if (typeof value !== 'object') continue;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) take(item, key);
    } else if (isNode(value)) take(value, key);
  }
}

const list = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

function nameOf(node: unknown): string {
  const name = isNode(node) ? (node['name'] ?? node['value']) : '';
  return typeof name === 'string' || typeof name === 'number' ? String(name) : '';
}

function importKindOf(node: Node): ImportKind | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return node['importKind'] === 'type' ? 'type' : 'value';
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node['exportKind'] === 'type' ? 'type' : 'value';
    case 'ImportExpression':
      return 'dynamic';
    case 'TSImportType':
      return 'type';
    default:
      return undefined;
  }
}

function readImport(node: Node, path: string): Omit<Import, 'line'> | undefined {
  const kind = importKindOf(node);
  if (!kind || !isNode(node['source'])) return undefined;
  const { value } = node['source'];
  const names = list(node['specifiers']).map((specifier) => nameOf(specifier['imported'] ?? specifier['local']));
  return { kind, names, target: typeof value === 'string' ? resolve(path, value) : '' };
}

function resolve(from: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(dirname(from), specifier) : specifier;
}

function isSpecifier(node: Node, parent: Node | undefined, key: string): boolean {
  return key === 'source' && node.type === 'Literal' && parent !== undefined && /Import|Export/.test(parent.type);
}

function readWord(node: Node): Omit<Word, 'line'> | undefined {
  switch (node.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      return { kind: 'name', value: String(node['name']) };
    case 'Literal': {
      const regex = node['regex'] as { pattern: string } | undefined;
      if (regex) return { kind: 'text', value: regex.pattern };
      return typeof node['value'] === 'string' ? { kind: 'text', value: node['value'] } : undefined;
    }
    case 'TemplateElement':
      return { kind: 'text', value: (node['value'] as { cooked: string | null }).cooked ?? '' };
    default:
      return undefined;
  }
}

/** Names that a file gives to something of its own. One binding hides the global in the whole file: simple, and enough here. */
function declaredBy(node: Node): string[] {
  if (node.type === 'VariableDeclarator') return patternNames(node['id']);
  if (node.type === 'ImportDeclaration') return list(node['specifiers']).map((specifier) => nameOf(specifier['local']));
  if (/Function|TSDeclareFunction/.test(node.type))
    return [nameOf(node['id']), ...list(node['params']).flatMap(patternNames)];
  if (/^(Class|TSInterface|TSTypeAlias)/.test(node.type)) return [nameOf(node['id'])];
  return [];
}

function patternNames(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case 'Identifier':
      return [String(pattern['name'])];
    case 'AssignmentPattern':
      return patternNames(pattern['left']);
    case 'RestElement':
      return patternNames(pattern['argument']);
    case 'Property':
      return patternNames(pattern['value']);
    default:
      return [...list(pattern['properties']), ...list(pattern['elements'])].flatMap(patternNames);
  }
}

/** The outermost member chain only, so that `process.stdout.write(…)` is one use. */
function readUse(node: Node, parent: Node | undefined, key: string): Omit<Use, 'line' | 'isGlobal'> | undefined {
  if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return undefined;
  if (parent?.type === 'MemberExpression' && (key === 'object' || !parent['computed'])) return undefined;
  if (node.type === 'Identifier' && !isExpression(parent, key)) return undefined;
  const chain = chainOf(node)?.replace(/^(globalThis|global)\./, '');
  if (!chain) return undefined;
  const called = key === 'callee' && (parent?.type === 'CallExpression' || parent?.type === 'NewExpression');
  const form = !called ? 'read' : parent.type === 'NewExpression' ? 'new' : 'call';
  return { chain, form, args: called ? list(parent['arguments']) : [] };
}

/** `const [first] = list` is a use of `list.0`. */
function readFirst(node: Node): Omit<Use, 'line' | 'isGlobal'> | undefined {
  if (node.type !== 'VariableDeclarator' || !isNode(node['id']) || node['id'].type !== 'ArrayPattern') return undefined;
  let source = node['init'];
  while (isNode(source) && /^TS(As|Satisfies|NonNull)/.test(source.type)) source = source['expression'];
  const chain = isNode(source) ? chainOf(source) : undefined;
  return chain === undefined ? undefined : { chain: `${chain}.0`, form: 'read', args: [] };
}

const NOT_EXPRESSIONS =
  /^(TS(?!As|Satisfies|NonNull)|Import|Export(?!Default)|LabeledStatement|BreakStatement|ContinueStatement|MetaProperty)/;

function isExpression(parent: Node | undefined, key: string): boolean {
  if (!parent || NOT_EXPRESSIONS.test(parent.type)) return false;
  if (/^(Property|PropertyDefinition|MethodDefinition)$/.test(parent.type))
    return key === 'value' || Boolean(parent['computed']);
  return !['id', 'params', 'label'].includes(key);
}

function chainOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return String(node['name']);
  if (node.type !== 'MemberExpression' || !isNode(node['object'])) return undefined;
  const object = chainOf(node['object']);
  return object === undefined ? undefined : `${object}.${nameOf(node['property'])}`;
}
