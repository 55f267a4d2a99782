import type { ClassElement, Node, Program } from 'oxc-parser';
import { cut, readPieces, shift } from './pieces.ts';
import type { Parse, Piece } from './pieces.ts';

/** How code is read: strictly, or with whatever can be made of it. The latter takes a text that begins where the file does. */
export interface Parsers {
  readonly strict: Parse;
  readonly tolerant: (text: string) => Node[];
}

const CLASS = /^(?:@[^\n]*\n\s*)*(?:(?:export|default|abstract|declare)\s+)*class\b[^{]*\{/;
const HEAD =
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:(?:async\s+)?function\s*\*?\s*[\w$]+|(?:abstract\s+)?class\s+[\w$]+|interface\s+[\w$]+)/;
const SHELL = 'class _{';

/**
 * The program of a text with mistakes. Most of it is as good as before: what stands at the start of a line, and the
 * members of a class by their indentation, are read one by one, so that a mistake spoils nothing but its own piece.
 */
export function readDamaged(text: string, parsers: Parsers): Program {
  const whole = { from: 0, to: text.length };
  const body = readPieces(text, cut(text, whole, ''), parsers.strict, (piece) => readPiece(text, piece, parsers));
  return { type: 'Program', start: 0, end: text.length, body, sourceType: 'module', hashbang: null } as Program;
}

function readPiece(text: string, piece: Piece, parsers: Parsers): Node[] {
  const code = text.slice(piece.from, piece.to);
  const head = CLASS.exec(code)?.[0];
  const made = head === undefined ? undefined : readClass(text, piece, head, parsers);
  if (made) return made;
  const nodes = parsers.tolerant(' '.repeat(piece.from) + code);
  return nodes.some(isDeclaration) ? nodes : withHead(code, piece, nodes, parsers);
}

function isDeclaration(node: Node): boolean {
  return /Declaration$|^TSDeclareFunction$/.test(node.type);
}

/** What is declared is still said by the first words, if nothing else can be made of it. */
function withHead(code: string, piece: Piece, nodes: Node[], { strict }: Parsers): Node[] {
  const head = HEAD.exec(code)?.[0];
  if (head === undefined) return nodes;
  const [outer] = strict(`${head}${/function/.test(head) ? '(){}' : '{}'}`) ?? [];
  if (!outer) return nodes;
  shift(outer, piece.from);
  outer.end = piece.to;
  const inner = 'declaration' in outer && outer.declaration ? outer.declaration : outer;
  inner.end = piece.to;
  if (inner.type !== 'FunctionDeclaration' || !inner.body) return [outer, ...nodes];
  inner.body.body = nodes as typeof inner.body.body;
  inner.body.end = piece.to;
  return [outer];
}

function readClass(text: string, piece: Piece, head: string, parsers: Parsers): Node[] | undefined {
  const [outer] = parsers.strict(`${head}}`) ?? [];
  const own = outer && 'declaration' in outer && outer.declaration ? outer.declaration : outer;
  if (!outer || !own || own.type !== 'ClassDeclaration') return undefined;
  const from = piece.from + head.length;
  const end = text.slice(from, piece.to).search(/^\}/m);
  const to = end === -1 ? piece.to : from + end;
  const indent = /\n([ \t]+)\S/.exec(text.slice(from, to))?.[1];
  if (indent === undefined) return undefined;
  shift(outer, piece.from);
  for (const node of [outer, own, own.body]) node.end = piece.to;
  const members = cut(text, { from, to }, indent);
  const strict: Parse = (code) => membersIn(parsers.strict(`${SHELL}${code}\n}`)?.[0], SHELL.length);
  own.body.body = readPieces(text, members, strict, (member) => readMember(text, member, parsers)) as ClassElement[];
  return [outer];
}

function membersIn(node: Node | undefined, offset: number): Node[] | undefined {
  if (node?.type !== 'ClassDeclaration') return undefined;
  for (const member of node.body.body) shift(member, -offset);
  return node.body.body;
}

/** A member with mistakes; what is left over when it seems to end early belongs to it all the same. */
function readMember(text: string, { from, to }: Piece, { tolerant }: Parsers): Node[] {
  const nodes = tolerant(`${' '.repeat(Math.max(0, from - SHELL.length))}${SHELL}${text.slice(from, to)}}`);
  const members: Node[] = [];
  const rest: Node[] = [];
  for (const node of nodes) {
    if (node.type === 'ClassDeclaration' && node.id?.name === '_') members.push(...node.body.body);
    else rest.push(node);
  }
  const last = members.at(-1);
  if (last && 'value' in last && last.value && typeof last.value === 'object' && 'body' in last.value) {
    const { body } = last.value;
    if (body && 'type' in body && body.type === 'BlockStatement') body.body.push(...(rest as typeof body.body));
  }
  return members;
}
