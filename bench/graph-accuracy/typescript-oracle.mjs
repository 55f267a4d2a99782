// node typescript-oracle.mjs <tools> <root> <options>: what the TypeScript compiler knows about a tree, as JSON lines.
// Definitions and call sites are its parser's, the targets of calls its checker's.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';

const [tools, root, options] = process.argv.slice(2);
const ts = createRequire(join(tools, 'package.json'))('typescript');
const { SyntaxKind, SymbolFlags } = ts;

const files = readdirSync(root, { recursive: true })
  .filter((path) => /\.[cm]?tsx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path))
  .map((path) => join(root, path))
  .sort();
const { options: extra } = ts.convertCompilerOptionsFromJson(JSON.parse(options), root);
const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  experimentalDecorators: true,
  jsx: ts.JsxEmit.Preserve,
  lib: [
    'lib.esnext.d.ts',
    'lib.dom.d.ts',
    'lib.dom.iterable.d.ts',
    'lib.dom.asynciterable.d.ts',
    'lib.webworker.importscripts.d.ts',
  ],
  ...extra,
});
const checker = program.getTypeChecker();
const own = new Set(files.map((path) => path.split(sep).join('/')));
const isOwn = (node) => own.has(node.getSourceFile().fileName);
const shortNames = new Map();

const out = [];
for (const file of program.getSourceFiles()) {
  if (!own.has(file.fileName)) continue;
  out.push(JSON.stringify({ is: 'file', file: place(file).file }));
  visit(file);
}
process.stdout.write(`${out.join('\n')}\n`);

function visit(node) {
  noteDefinition(node);
  noteCall(node);
  ts.forEachChild(node, visit);
}

function noteDefinition(node) {
  const kind = definitionKind(node);
  const at = kind === undefined ? looseName(node) : nameOf(node);
  if (at === undefined) return;
  const is = kind === undefined ? 'name' : 'definition';
  out.push(JSON.stringify({ is, kind: kind ?? SyntaxKind[node.kind], name: textOf(at), ...place(at) }));
}

/** Declarations that the index may list or leave out. */
function looseName(node) {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.EqualsToken) {
    return ts.isPropertyAccessExpression(node.left) ? node.left.name : undefined;
  }
  if (ts.isExportAssignment(node) || ts.isIndexSignatureDeclaration(node)) return node;
  if (ts.isClassExpression(node) && node.name === undefined) return node;
  if ((ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && node.name === undefined) {
    return node
      .getChildren()
      .find(({ kind }) => kind === SyntaxKind.FunctionKeyword || kind === SyntaxKind.ClassKeyword);
  }
  if (ts.isConstructSignatureDeclaration(node) || ts.isCallSignatureDeclaration(node)) return node;
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isParameter(node) ||
    ts.isTypeElement(node) ||
    ts.isClassElement(node) ||
    ts.isObjectLiteralElement(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isModuleDeclaration(node) ||
    ts.isEnumMember(node);
  if (!isDeclaration || node.name === undefined || ts.isBindingPattern(node.name)) return undefined;
  return ts.isComputedPropertyName(node.name) ? node.name.expression : node.name;
}

/** What the index has to list; undefined for declarations it may leave out. */
function definitionKind(node) {
  if (ts.isFunctionDeclaration(node)) return node.name === undefined ? undefined : 'function';
  if (ts.isClassDeclaration(node)) return node.name === undefined ? undefined : 'class';
  if (ts.isInterfaceDeclaration(node)) return 'interface';
  if (ts.isTypeAliasDeclaration(node)) return 'type';
  if (ts.isEnumDeclaration(node)) return 'enum';
  if (ts.isModuleDeclaration(node))
    return ts.isIdentifier(node.name) && node.name.text !== 'global' ? 'namespace' : undefined;
  if (ts.isMethodDeclaration(node) || ts.isAccessor(node))
    return isClassMember(node) && isPlain(node.name) ? 'method' : undefined;
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (ts.isMethodSignature(node) || ts.isPropertySignature(node)) {
    return ts.isInterfaceDeclaration(node.parent) && isPlain(node.name) ? 'member' : undefined;
  }
  if (ts.isPropertyDeclaration(node)) return isClassMember(node) && isPlain(node.name) ? 'field' : undefined;
  if (ts.isEnumMember(node)) return isPlain(node.name) ? 'constant' : undefined;
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return undefined;
  if (isFunction(node.initializer)) return 'function';
  return isOuterVariable(node) ? 'variable' : undefined;
}

/** Members of a class that has a name, by which they can be called. */
function isClassMember(node) {
  const home = node.parent;
  if (ts.isClassDeclaration(home)) return true;
  return ts.isClassExpression(home) && ts.isVariableDeclaration(home.parent);
}

function isPlain(name) {
  return ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name);
}

function noteCall(node) {
  const callee = calleeOf(node);
  if (callee === undefined) return;
  const name = calleeName(callee);
  if (name === undefined || (ts.isJsxOpeningLikeElement(node) && !/^[A-Z]/.test(textOf(name)))) return;
  const kind = ts.isNewExpression(node) ? 'new' : ts.isDecorator(node) ? 'decorator' : 'call';
  out.push(JSON.stringify({ is: 'site', kind, name: textOf(name), ...place(name), ...judge(node, name) }));
}

function calleeOf(node) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return node.expression;
  if (ts.isTaggedTemplateExpression(node)) return node.tag;
  if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) return node.tagName;
  return ts.isDecorator(node) && !ts.isCallExpression(node.expression) ? node.expression : undefined;
}

/** Where the name of what is called stands; calls of results and of computed members have none. */
function calleeName(node) {
  const inner = ts.skipOuterExpressions(node);
  if (ts.isIdentifier(inner) || inner.kind === SyntaxKind.SuperKeyword) return inner;
  if (ts.isPropertyAccessExpression(inner)) return inner.name;
  if (!ts.isElementAccessExpression(inner)) return undefined;
  const key = inner.argumentExpression;
  return ts.isStringLiteralLike(key) || isWellKnown(key) ? key : undefined;
}

/** `a[Symbol.iterator]()` has a name of sorts, though no checker's symbol stands at it. */
function isWellKnown(key) {
  return ts.isPropertyAccessExpression(key) && ts.isIdentifier(key.expression) && key.expression.text === 'Symbol';
}

function judge(node, name) {
  if (ts.isPropertyAccessExpression(name)) return { verdict: 'unresolved' };
  const symbol = symbolAt(name);
  const declarations = symbol?.declarations ?? [];
  if (declarations.length === 0) {
    const type = checker.getTypeAtLocation(name);
    const isKnown = (type.flags & ts.TypeFlags.Any) === 0 && type.getCallSignatures().length > 0;
    return { verdict: isKnown ? 'outside' : 'unresolved' };
  }
  const inside = declarations.filter(isOwn);
  if (inside.length === 0) return { verdict: isUnknown(symbol) ? 'unresolved' : 'outside' };
  const named = inside.flatMap(targetsOf);
  if (named.length > 0) return { verdict: 'edge', targets: named };
  return { verdict: 'local', targets: [...inside.flatMap(placesOf), ...bySignature(node)] };
}

function symbolAt(name) {
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined || (symbol.flags & SymbolFlags.Alias) === 0) return symbol;
  const target = checker.getAliasedSymbol(symbol);
  return target.escapedName === 'unknown' && target.declarations === undefined ? undefined : target;
}

function isUnknown(symbol) {
  return symbol.declarations.every((node) => ts.isImportClause(node) || ts.isImportSpecifier(node));
}

/** The named definitions a declaration stands for; a class and its constructors are one. */
function targetsOf(node) {
  if (!isTarget(node)) return [];
  const places = placesOf(node);
  if (ts.isClassLike(node)) {
    for (const member of node.members) if (ts.isConstructorDeclaration(member)) places.push(...placesOf(member));
  }
  if (ts.isConstructorDeclaration(node)) places.push(...placesOf(node.parent));
  const value = ts.isVariableDeclaration(node) && node.initializer && ts.skipOuterExpressions(node.initializer);
  if (value && ts.isClassExpression(value)) places.push(...targetsOf(value));
  return places;
}

function isTarget(node) {
  if (ts.isFunctionDeclaration(node) || ts.isClassLike(node) || ts.isConstructorDeclaration(node)) return true;
  if (ts.isMethodDeclaration(node) || ts.isAccessor(node) || ts.isPropertyDeclaration(node)) {
    return ts.isClassLike(node.parent) || isOuterRecord(node.parent);
  }
  if (ts.isMethodSignature(node) || ts.isPropertySignature(node)) return isNamedType(node.parent);
  if (ts.isInterfaceDeclaration(node)) return true;
  if (ts.isParameter(node)) return ts.isParameterPropertyDeclaration(node, node.parent);
  if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) return isOuterRecord(node.parent);
  if (!ts.isVariableDeclaration(node)) return false;
  return isFunction(node.initializer) || isOuterVariable(node);
}

/** An interface, or an object type that is all or a part of what an alias stands for. */
function isNamedType(node) {
  if (ts.isInterfaceDeclaration(node)) return true;
  let holder = node.parent;
  while (ts.isUnionTypeNode(holder) || ts.isIntersectionTypeNode(holder) || ts.isParenthesizedTypeNode(holder))
    holder = holder.parent;
  return ts.isTypeAliasDeclaration(holder);
}

/** An object literal that a variable of the module holds. */
function isOuterRecord(node) {
  let holder = node.parent;
  while (ts.isParenthesizedExpression(holder) || ts.isAsExpression(holder) || ts.isSatisfiesExpression(holder))
    holder = holder.parent;
  return ts.isVariableDeclaration(holder) && isOuterVariable(holder);
}

function isOuterVariable(node) {
  const statement = node.parent.parent;
  return ts.isVariableStatement(statement) && (ts.isSourceFile(statement.parent) || ts.isModuleBlock(statement.parent));
}

function isFunction(node) {
  const value = node && ts.skipOuterExpressions(node);
  return (
    value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value) || ts.isClassExpression(value))
  );
}

/** A local variable that evidently holds a function of the project: an edge to that is right, none is no miss. */
function bySignature(node) {
  if (!ts.isCallLikeExpression(node)) return [];
  const declaration = checker.getResolvedSignature(node)?.declaration;
  if (declaration === undefined || !isOwn(declaration)) return [];
  const holder =
    ts.isArrowFunction(declaration) || ts.isFunctionExpression(declaration) ? declaration.parent : declaration;
  return isTarget(holder) ? targetsOf(holder) : [];
}

function placesOf(node) {
  const at = nameOf(node);
  return at === undefined ? [] : [{ ...place(at), kind: SyntaxKind[node.kind] }];
}

/** An unnamed class is where its keyword is, a constructor where its keyword is. */
function nameOf(node) {
  if (ts.isConstructorDeclaration(node))
    return node.getChildren().find((child) => child.kind === SyntaxKind.ConstructorKeyword);
  if (node.name !== undefined) return node.name;
  return ts.isClassLike(node) || ts.isFunctionDeclaration(node) ? node : undefined;
}

function place(node) {
  const file = node.getSourceFile();
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
  let path = shortNames.get(file.fileName);
  if (path === undefined) shortNames.set(file.fileName, (path = relative(root, file.fileName).split(sep).join('/')));
  return { file: path, line, column: character };
}

function textOf(node) {
  return node.kind === SyntaxKind.SuperKeyword ? 'super' : (node.text ?? node.getText());
}
