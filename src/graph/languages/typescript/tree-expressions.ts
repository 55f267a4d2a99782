import { first, made, makeAll, makeChild, makeIf, named, namedIf } from './tree.ts';
import type { Builders, Made, Maker } from './tree.ts';
import { keyParts, signatureParts } from './tree-types.ts';

const literal =
  (value: (text: string) => unknown) =>
  (maker: Maker, node: number): Made =>
    made(maker, node, 'Literal', { value: value(maker.tree.textOf(node)) });
const leaf =
  (type: string) =>
  (maker: Maker, node: number): Made =>
    made(maker, node, type, {});
const around =
  (type: string, part: string) =>
  (maker: Maker, node: number): Made =>
    made(maker, node, type, { [part]: first(maker, node) });

/** A function with its body; `from` is where it starts, which for methods is behind the name. */
export function functionParts(maker: Maker, node: number): Readonly<Record<string, unknown>> {
  const words = maker.words(node);
  return {
    ...signatureParts(maker, node),
    id: null,
    async: words.has('async'),
    generator: words.has('*') || maker.kind(node).startsWith('generator'),
    body: makeChild(maker, node, 'body'),
  };
}

export function methodValue(maker: Maker, node: number): Made {
  const generics = maker.child(node, 'type_parameters');
  const start = maker.tree.start(generics === -1 ? maker.child(node, 'parameters') : generics);
  const parts = functionParts(maker, node);
  const type = parts['body'] ? 'FunctionExpression' : 'TSEmptyBodyFunctionExpression';
  return { type, start, end: maker.tree.end(node), ...parts };
}

function functionExpression(maker: Maker, node: number): Made {
  const name = maker.child(node, 'name');
  return made(maker, node, 'FunctionExpression', { ...functionParts(maker, node), id: namedIf(maker, name) });
}

function arrow(maker: Maker, node: number): Made {
  const parts = functionParts(maker, node);
  const only = maker.child(node, 'parameter');
  return made(maker, node, 'ArrowFunctionExpression', {
    ...parts,
    params: only === -1 ? parts['params'] : [named(maker, only)],
  });
}

function call(maker: Maker, node: number): Made {
  const callee = maker.child(node, 'function');
  const waited = maker.kind(callee) === 'await_expression' ? maker.children(callee)[0] : undefined;
  // To the grammar `await f<T>()` is a call of what was awaited.
  if (waited !== undefined && maker.child(node, 'type_arguments') !== -1) {
    return made(maker, node, 'AwaitExpression', { argument: callOf(maker, node, waited) });
  }
  return callOf(maker, node, callee);
}

function callOf(maker: Maker, node: number, callee: number): Made {
  const args = maker.child(node, 'arguments');
  const typeArguments = makeChild(maker, node, 'type_arguments');
  if (maker.kind(args) === 'template_string') {
    return made(maker, node, 'TaggedTemplateExpression', {
      tag: maker.make(callee),
      quasi: maker.make(args),
      typeArguments,
    });
  }
  const list = args === -1 ? [] : makeAll(maker, maker.children(args));
  if (maker.tree.textOf(callee) === 'import') {
    return made(maker, node, 'ImportExpression', { source: list[0] ?? maker.make(-1), options: list[1] ?? null });
  }
  return made(maker, node, 'CallExpression', { callee: maker.make(callee), arguments: list, typeArguments });
}

function member(maker: Maker, node: number): Made {
  const property = maker.child(node, 'property');
  const object = maker.make(maker.child(node, 'object'));
  // Half a member, as it is while somebody types.
  if (property === -1 || maker.tree.isMissing(property)) return object;
  return made(maker, node, 'MemberExpression', { object, property: maker.make(property), computed: false });
}

function template(maker: Maker, node: number): Made {
  const parts = maker.children(node).filter((child) => maker.kind(child) === 'template_substitution');
  const text = maker.tree.textOf(node);
  const quasis = [{ value: { raw: text.slice(1, text.endsWith('`') ? -1 : undefined) } }];
  return made(maker, node, 'TemplateLiteral', { quasis, expressions: makeAll(maker, parts) });
}

function cast(type: string) {
  return (maker: Maker, node: number): Made => {
    const [one, other] = maker.children(node);
    const [value, target] = type === 'TSTypeAssertion' ? [other, one] : [one, other];
    if (target === undefined) return maker.make(value ?? -1);
    const types = maker.make(target);
    // `<T>x` has its type in a list of arguments.
    const isList = types.type === 'TSTypeParameterInstantiation';
    const typeAnnotation = isList ? ((types['params'] as Made[])[0] ?? maker.make(-1)) : types;
    return made(maker, node, type, { expression: maker.make(value ?? -1), typeAnnotation });
  };
}

/** `await x as T` casts what was awaited, not what is. */
function awaited(maker: Maker, node: number): Made {
  const [inner] = maker.children(node);
  const kind = inner === undefined ? '' : maker.kind(inner);
  const argument = maker.make(inner ?? -1);
  if (kind !== 'as_expression' && kind !== 'satisfies_expression') {
    return made(maker, node, 'AwaitExpression', { argument });
  }
  const value = argument['expression'] as Made | undefined;
  if (!value) return argument;
  const { start } = made(maker, node, '', {});
  return { ...argument, start, expression: { type: 'AwaitExpression', start, end: value.end, argument: value } };
}

function binary(maker: Maker, node: number): Made {
  const operator = maker.tree.textOf(maker.child(node, 'operator'));
  const isLogical = operator === '&&' || operator === '||' || operator === '??';
  return made(maker, node, isLogical ? 'LogicalExpression' : 'BinaryExpression', {
    operator,
    left: maker.make(maker.child(node, 'left')),
    right: maker.make(maker.child(node, 'right')),
  });
}

function assignment(maker: Maker, node: number): Made {
  const operator = maker.child(node, 'operator');
  return made(maker, node, 'AssignmentExpression', {
    operator: operator === -1 ? '=' : maker.tree.textOf(operator),
    left: maker.make(maker.child(node, 'left')),
    right: maker.make(maker.child(node, 'right')),
  });
}

function pair(maker: Maker, node: number): Made {
  const value = maker.make(maker.child(node, 'value'));
  return made(maker, node, 'Property', { ...keyParts(maker, node), value, kind: 'init', shorthand: false });
}

function objectMethod(maker: Maker, node: number): Made {
  const words = maker.words(node);
  const kind = words.has('get') ? 'get' : words.has('set') ? 'set' : 'init';
  return made(maker, node, 'Property', { ...keyParts(maker, node), value: methodValue(maker, node), kind });
}

function shorthand(maker: Maker, node: number): Made {
  const name = named(maker, node);
  return made(maker, node, 'Property', { key: name, value: name, kind: 'init', shorthand: true, computed: false });
}

function presetShorthand(maker: Maker, node: number): Made {
  const left = maker.child(node, 'left');
  const value = made(maker, node, 'AssignmentPattern', {
    left: maker.kind(left) === 'shorthand_property_identifier_pattern' ? named(maker, left) : maker.make(left),
    right: maker.make(maker.child(node, 'right')),
  });
  return made(maker, node, 'Property', { key: named(maker, left), value, kind: 'init', computed: false });
}

function parameter(maker: Maker, node: number): Made {
  const { tree } = maker;
  const pattern = maker.child(node, 'pattern');
  const target = pattern === -1 ? maker.child(node, 'name') : pattern;
  const preset = maker.child(node, 'value');
  const typeAnnotation = makeChild(maker, node, 'type');
  const words = maker.words(node);
  const decorators = makeAll(
    maker,
    maker.children(node).filter((child) => maker.kind(child) === 'decorator'),
  );
  const text = tree.textOf(target);
  const plain =
    text === 'this'
      ? { type: 'Identifier', start: tree.start(target), end: tree.end(target), name: text }
      : maker.make(target);
  const optional = maker.kind(node) === 'optional_parameter';
  const typed: Made = { ...plain, typeAnnotation, optional, decorators };
  const whole: Made =
    preset === -1 ? typed : made(maker, node, 'AssignmentPattern', { left: typed, right: maker.make(preset) });
  const modifier = maker.children(node).find((child) => maker.kind(child) === 'accessibility_modifier');
  if (modifier === undefined && !words.has('readonly')) return whole;
  const accessibility = modifier === undefined ? null : tree.textOf(modifier);
  return made(maker, node, 'TSParameterProperty', { parameter: whole, accessibility, decorators });
}

/** Names of members may be written with escapes. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([^]))/gi, (_, long, four, two, sign) => {
    const code = Number.parseInt(String(long ?? four ?? two), 16);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    return { n: '\n', t: '\t', r: '\r', '\n': '' }[String(sign)] ?? String(sign);
  });
}

export const EXPRESSIONS: Builders = {
  identifier: named,
  undefined: named,
  property_identifier: named,
  statement_identifier: named,
  shorthand_property_identifier_pattern: shorthand,
  shorthand_property_identifier: shorthand,
  private_property_identifier: (maker, node) =>
    made(maker, node, 'PrivateIdentifier', { name: maker.tree.textOf(node).slice(1) }),
  this: leaf('ThisExpression'),
  super: leaf('Super'),
  meta_property: leaf('MetaProperty'),
  null: literal(() => null),
  true: literal(() => true),
  false: literal(() => false),
  number: literal((text) => (text.endsWith('n') ? 0n : Number(text.replaceAll('_', '')))),
  string: literal((text) => unescaped(text.slice(1, text.length > 1 && text.endsWith(text[0] ?? '') ? -1 : undefined))),
  regex: (maker, node) => made(maker, node, 'Literal', { value: null, regex: {} }),
  template_string: template,
  template_substitution: first,
  call_expression: call,
  new_expression(maker, node) {
    const args = maker.child(node, 'arguments');
    return made(maker, node, 'NewExpression', {
      callee: maker.make(maker.child(node, 'constructor')),
      arguments: args === -1 ? [] : makeAll(maker, maker.children(args)),
      typeArguments: makeChild(maker, node, 'type_arguments'),
    });
  },
  member_expression: member,
  nested_identifier: member,
  subscript_expression: (maker, node) =>
    made(maker, node, 'MemberExpression', {
      object: maker.make(maker.child(node, 'object')),
      property: maker.make(maker.child(node, 'index')),
      computed: true,
    }),
  function_expression: functionExpression,
  generator_function: functionExpression,
  arrow_function: arrow,
  object: (maker, node) =>
    made(maker, node, 'ObjectExpression', {
      properties: maker
        .children(node)
        .map((child) => (maker.kind(child) === 'method_definition' ? objectMethod(maker, child) : maker.make(child)))
        .filter(({ type }) => type === 'Property' || type === 'SpreadElement'),
    }),
  array: (maker, node) => made(maker, node, 'ArrayExpression', { elements: makeAll(maker, maker.children(node)) }),
  pair,
  pair_pattern: pair,
  spread_element: around('SpreadElement', 'argument'),
  rest_pattern: around('RestElement', 'argument'),
  object_pattern: (maker, node) =>
    made(maker, node, 'ObjectPattern', {
      properties: makeAll(maker, maker.children(node)).filter(
        ({ type }) => type === 'Property' || type === 'RestElement',
      ),
    }),
  object_assignment_pattern: presetShorthand,
  array_pattern: arrayPattern,
  assignment_pattern: (maker, node) =>
    made(maker, node, 'AssignmentPattern', {
      left: maker.make(maker.child(node, 'left')),
      right: maker.make(maker.child(node, 'right')),
    }),
  required_parameter: parameter,
  optional_parameter: parameter,
  assignment_expression: assignment,
  augmented_assignment_expression: assignment,
  binary_expression: binary,
  unary_expression: (maker, node) =>
    made(maker, node, 'UnaryExpression', {
      operator: maker.tree.textOf(maker.child(node, 'operator')),
      argument: maker.make(maker.child(node, 'argument')),
    }),
  update_expression: (maker, node) =>
    made(maker, node, 'UpdateExpression', { argument: maker.make(maker.child(node, 'argument')) }),
  ternary_expression: (maker, node) =>
    made(maker, node, 'ConditionalExpression', {
      test: maker.make(maker.child(node, 'condition')),
      consequent: maker.make(maker.child(node, 'consequence')),
      alternate: maker.make(maker.child(node, 'alternative')),
    }),
  await_expression: awaited,
  yield_expression: (maker, node) =>
    made(maker, node, 'YieldExpression', {
      argument: makeIf(maker, maker.children(node)[0] ?? -1),
      delegate: maker.words(node).has('*'),
    }),
  parenthesized_expression: first,
  sequence_expression: (maker, node) =>
    made(maker, node, 'SequenceExpression', { expressions: makeAll(maker, maker.children(node)) }),
  as_expression: cast('TSAsExpression'),
  satisfies_expression: cast('TSSatisfiesExpression'),
  non_null_expression: around('TSNonNullExpression', 'expression'),
  instantiation_expression: (maker, node) =>
    made(maker, node, 'TSInstantiationExpression', {
      expression: first(maker, node),
      typeArguments: makeChild(maker, node, 'type_arguments'),
    }),
  decorator: around('Decorator', 'expression'),
};

/** `<T>x`, which would be an element where there are elements. */
export const PLAIN_CASTS: Builders = { type_assertion: cast('TSTypeAssertion') };

/** Commas decide which element it is: `[, b]`. */
function arrayPattern(maker: Maker, node: number): Made {
  const { tree } = maker;
  const elements: (Made | null)[] = [];
  let isOpen = true;
  for (let at = tree.firstChild(node); at !== -1; at = tree.nextSibling(at)) {
    if (tree.isNamed(at) && maker.kind(at) !== '') {
      elements.push(maker.make(at));
      isOpen = false;
    } else if (tree.textOf(at) === ',') {
      if (isOpen) elements.push(null);
      isOpen = true;
    }
  }
  return made(maker, node, 'ArrayPattern', { elements });
}
