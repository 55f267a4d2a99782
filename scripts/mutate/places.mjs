// Where the product can be broken in a small way, found on the syntax tree.
import { parseSync } from 'oxc-parser';

const OPPOSITE = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};
const HAS_ORDER = new Set(['<', '<=', '>', '>=', '-', '/']);
const WORD = /^[\w./:@*=-]{1,40}$/;
/** What only a person reads: no test has to hold every word of it. */
const PROSE_KEYS =
  /^(description|summary|help|usage|title|label|text|message|why|how|hint|note|what|example|about|heading|fix)s?$/i;
const PROSE_CALLS = /^(log|print|say|warn|error|write|debug|line|Error|Mistake)$/;
const PLAIN_TYPES = /^TS(As|Satisfies|NonNull|Instantiation)/;

const isNode = (value) => typeof value === 'object' && value !== null && typeof value.type === 'string';
const isText = (node) => node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');

/** All ways to break one file: `{ kind, start, end, text }`, to be put in the place of what stands there. */
export function findBreaks(path, source) {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) return [];
  const found = [];
  const add = (kind, { start, end }, text) => found.push({ kind, start, end, text });
  const slice = ({ start, end }) => source.slice(start, end);
  const visit = (node, parent, key) => {
    if (/^(Import|ExportAll|JSXText)/.test(node.type) || (node.type.startsWith('Export') && node.source)) return;
    if (node.type.startsWith('TS')) return PLAIN_TYPES.test(node.type) ? visit(node.expression, node, key) : undefined;
    if (isProse(node)) return;
    breakNode(node, parent, key);
    for (const [name, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node, name);
    }
  };
  const breakNode = (node, parent, key) => {
    if (key === 'test' && parent.type !== 'SwitchCase') add('negate condition', node, `!(${slice(node)})`);
    switch (node.type) {
      case 'LogicalExpression':
      case 'BinaryExpression':
        return breakOperator(node);
      case 'Literal':
        return key !== 'key' && !parent.type.startsWith('JSX') ? breakLiteral(node, parent) : undefined;
      case 'CallExpression': {
        const [first, second] = node.arguments;
        if (
          second &&
          ![first, second].some(({ type }) => /Function|Spread/.test(type)) &&
          slice(first) !== slice(second)
        ) {
          add('swap arguments', { start: first.start, end: second.end }, `${slice(second)}, ${slice(first)}`);
        }
        return;
      }
      case 'ExpressionStatement':
        return node.directive === undefined || node.directive === null ? add('drop statement', node, ';') : undefined;
      case 'ThrowStatement':
      case 'ContinueStatement':
        return add('drop statement', node, ';');
      case 'ReturnStatement':
        return parent.type === 'IfStatement' ? add('drop statement', node, ';') : undefined;
      case 'BlockStatement':
        if (/Function/.test(parent.type) && node.body.length > 1)
          add('return early', { start: node.start, end: node.start + 1 }, '{ return;');
    }
  };
  const breakOperator = ({ left, right, operator, start, end }) => {
    const at = source.indexOf(operator, left.end);
    if (operator === '??') add('drop alternative', { start, end }, `(${slice(left)})`);
    else if (OPPOSITE[operator] && at < right.start && !(operator === '+' && (isText(left) || isText(right)))) {
      add('change operator', { start: at, end: at + operator.length }, OPPOSITE[operator]);
    }
    if (HAS_ORDER.has(operator)) add('swap operands', { start, end }, `(${slice(right)}) ${operator} (${slice(left)})`);
  };
  const breakLiteral = (node) => {
    const { value, regex, bigint } = node;
    if (regex) add('match nothing', node, `/(?!)/${regex.flags}`);
    else if (typeof value === 'boolean') add('change boolean', node, String(!value));
    else if (typeof value === 'number' && !bigint) add('change number', node, String(value + 1));
    else if (typeof value === 'string' && WORD.test(value))
      add('change string', node, `${source.slice(node.start, node.end - 1)}_${source[node.end - 1]}`);
  };
  visit(program, undefined, '');
  return found;
}

const put = (source, { start, end, text }) => source.slice(0, start) + text + source.slice(end);
const parses = (path, source) => parseSync(path, source).errors.length === 0;

function isProse({ type, key, callee, expression }) {
  if (type === 'Property') return PROSE_KEYS.test(key.name ?? key.value ?? '');
  if (type === 'ExpressionStatement') return isProse(expression);
  if (type !== 'CallExpression' && type !== 'NewExpression') return false;
  return PROSE_CALLS.test(callee.property?.name ?? callee.name ?? '');
}

/** So many in a row, and a room has no place left. */
const MOST_MISSES = 50;

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * So many places, as evenly over the rooms as these have some: in a room a file by its length, in that a kind, of that any.
 * `sources`: path → text, `roomOf`: path → room.
 */
export function choosePlaces(sources, roomOf, count, seed) {
  const random = randomFrom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const byRoom = new Map();
  for (const path of sources.keys()) byRoom.set(roomOf(path), [...(byRoom.get(roomOf(path)) ?? []), path]);
  const rooms = [...byRoom.keys()].map((room) => ({ room, first: random(), count: 0, misses: 0 }));
  const breaks = new Map();
  const chosen = new Map();
  while (chosen.size < count) {
    const open = rooms.filter(({ misses }) => misses < MOST_MISSES);
    if (open.length === 0) break;
    const least = open.sort((one, other) => one.count - other.count || one.first - other.first)[0];
    const path = pickByLength(byRoom.get(least.room), sources, random);
    if (!breaks.has(path)) breaks.set(path, findBreaks(path, sources.get(path)));
    const found = breaks.get(path);
    const kind = pick([...new Set(found.map((each) => each.kind))]);
    const one = pick(found.filter((each) => each.kind === kind));
    const key = `${path}:${one?.start}:${kind}`;
    if (!one || chosen.has(key) || !parses(path, put(sources.get(path), one))) {
      least.misses += 1;
      continue;
    }
    least.count += 1;
    least.misses = 0;
    chosen.set(key, { room: least.room, ...describe(path, sources.get(path), one) });
  }
  return [...chosen.values()];
}

function pickByLength(paths, sources, random) {
  let left = random() * paths.reduce((sum, path) => sum + sources.get(path).length, 0);
  return paths.find((path) => (left -= sources.get(path).length) < 0) ?? paths.at(-1);
}

function describe(file, source, { kind, start, end, text }) {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const lineText = source.slice(lineStart).split('\n', 1)[0];
  return {
    file,
    line: source.slice(0, start).split('\n').length,
    column: start - lineStart,
    // Among the lines that read the same.
    nth: startsOf(source, lineText).indexOf(lineStart),
    kind,
    original: source.slice(start, end),
    text,
    lineText,
  };
}

/** The source broken at that place, wherever its line is now; undefined where it is gone. */
export function breakAt(source, { column, nth, original, text, lineText }) {
  const same = startsOf(source, lineText);
  const start = (same[nth] ?? same.at(-1)) + column;
  return same.length > 0 && source.startsWith(original, start)
    ? put(source, { start, end: start + original.length, text })
    : undefined;
}

function startsOf(source, lineText) {
  let next = 0;
  const starts = [];
  for (const line of source.split('\n')) {
    if (line === lineText) starts.push(next);
    next += line.length + 1;
  }
  return starts;
}
