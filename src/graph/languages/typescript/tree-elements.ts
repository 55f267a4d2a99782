import { first, made, makeAll, makeChild, makeIf } from './tree.ts';
import type { Builders, Made, Maker } from './tree.ts';

function opening(maker: Maker, node: number): Made {
  const name = maker.child(node, 'name');
  const attributes = maker.children(node).filter((child) => child !== name && maker.kind(child) !== 'type_arguments');
  return made(maker, node, 'JSXOpeningElement', {
    name: name === -1 ? { type: 'JSXIdentifier', start: 0, end: 0, name: 'a' } : elementName(maker, name),
    attributes: makeAll(maker, attributes).map((one) => (one.type === 'JSXExpressionContainer' ? spreadOf(one) : one)),
    typeArguments: makeChild(maker, node, 'type_arguments'),
  });
}

function spreadOf(container: Made): Made {
  const inner = container['expression'] as Made;
  return { ...container, type: 'JSXSpreadAttribute', argument: inner['argument'] ?? inner };
}

function elementName(maker: Maker, node: number): Made {
  if (maker.kind(node) !== 'member_expression' && maker.kind(node) !== 'nested_identifier') {
    return made(maker, node, 'JSXIdentifier', { name: maker.tree.textOf(node) });
  }
  return made(maker, node, 'JSXMemberExpression', {
    object: elementName(maker, maker.child(node, 'object')),
    property: made(maker, maker.child(node, 'property'), 'JSXIdentifier', {
      name: maker.tree.textOf(maker.child(node, 'property')),
    }),
  });
}

function attribute(maker: Maker, node: number): Made {
  const [name, value] = maker.children(node);
  return made(maker, node, 'JSXAttribute', {
    name: made(maker, name ?? node, 'JSXIdentifier', { name: name === undefined ? '' : maker.tree.textOf(name) }),
    value: makeIf(maker, value ?? -1),
  });
}

const text = (maker: Maker, node: number): Made => made(maker, node, 'JSXText', {});

/** JSX. */
export const ELEMENTS: Builders = {
  jsx_element: (maker, node) =>
    made(maker, node, 'JSXElement', {
      openingElement: makeChild(maker, node, 'open_tag'),
      children: makeAll(
        maker,
        maker.children(node).filter((child) => maker.kind(child) !== 'jsx_opening_element'),
      ),
    }),
  jsx_self_closing_element: (maker, node) =>
    made(maker, node, 'JSXElement', { openingElement: opening(maker, node), children: [] }),
  jsx_opening_element: opening,
  jsx_expression: (maker, node) => made(maker, node, 'JSXExpressionContainer', { expression: first(maker, node) }),
  jsx_attribute: attribute,
  jsx_text: text,
  jsx_closing_element: text,
};
