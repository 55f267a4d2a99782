import { made, makeAll, makeChild, named, namedIf, ofKind } from './tree.ts';
import type { Builders, Made, Maker } from './tree.ts';
import { methodValue } from './tree-expressions.ts';
import { entity, keyParts, signaturesIn } from './tree-types.ts';

function classOf(maker: Maker, node: number): Made {
  const kind = maker.kind(node);
  const heritage = ofKind(maker, node, 'class_heritage');
  const extended = heritage === -1 ? -1 : ofKind(maker, heritage, 'extends_clause');
  const implemented = heritage === -1 ? -1 : ofKind(maker, heritage, 'implements_clause');
  return made(maker, node, kind === 'class' ? 'ClassExpression' : 'ClassDeclaration', {
    id: namedIf(maker, maker.child(node, 'name')),
    abstract: kind === 'abstract_class_declaration',
    decorators: makeAll(
      maker,
      maker.children(node).filter((child) => maker.kind(child) === 'decorator'),
    ),
    typeParameters: makeChild(maker, node, 'type_parameters'),
    superClass: extended === -1 ? null : makeChild(maker, extended, 'value'),
    superTypeArguments: extended === -1 ? null : makeChild(maker, extended, 'type_arguments'),
    implements: implemented === -1 ? [] : maker.children(implemented).map((child) => heritageOf(maker, child)),
    body: maker.make(maker.child(node, 'body')),
  });
}

/** A base in the place of a type. */
function heritageOf(maker: Maker, node: number): Made {
  const name = maker.kind(node) === 'generic_type' ? maker.child(node, 'name') : node;
  const expression = asValue(entity(maker, name));
  return made(maker, node, 'TSInterfaceHeritage', {
    expression,
    typeArguments: name === node ? null : makeChild(maker, node, 'type_arguments'),
  });
}

function asValue(node: Made): Made {
  if (node.type !== 'TSQualifiedName') return node;
  const object = asValue(node['left'] as Made);
  return { ...node, type: 'MemberExpression', object, property: node['right'], computed: false };
}

/** Decorators stand beside the member they belong to. */
function membersOf(maker: Maker, nodes: readonly number[]): Made[] {
  const members: Made[] = [];
  let decorators: Made[] = [];
  for (const node of nodes) {
    if (maker.kind(node) === 'decorator') decorators.push(maker.make(node));
    else {
      const member = classMember(maker, node);
      if (!member) continue;
      const own = (member['decorators'] ?? []) as readonly Made[];
      members.push({ ...member, decorators: [...decorators, ...own] });
      decorators = [];
    }
  }
  return members;
}

function classMember(maker: Maker, node: number): Made | undefined {
  const kind = maker.kind(node);
  const words = maker.words(node);
  const modifier = ofKind(maker, node, 'accessibility_modifier');
  const shared = {
    static: words.has('static'),
    optional: words.has('?'),
    accessibility: modifier === -1 ? null : maker.tree.textOf(modifier),
    decorators: [],
  };
  switch (kind) {
    case 'method_definition':
    case 'method_signature':
    case 'abstract_method_signature': {
      const key = keyParts(maker, node);
      const role = words.has('get') ? 'get' : words.has('set') ? 'set' : 'method';
      return made(
        maker,
        node,
        kind === 'abstract_method_signature' ? 'TSAbstractMethodDefinition' : 'MethodDefinition',
        {
          ...shared,
          ...key,
          kind: key.key['name'] === 'constructor' && !shared.static ? 'constructor' : role,
          value: methodValue(maker, node),
        },
      );
    }
    case 'public_field_definition':
      return made(maker, node, words.has('abstract') ? 'TSAbstractPropertyDefinition' : 'PropertyDefinition', {
        ...shared,
        ...keyParts(maker, node),
        declare: words.has('declare'),
        decorators: makeAll(
          maker,
          maker.children(node).filter((child) => maker.kind(child) === 'decorator'),
        ),
        typeAnnotation: makeChild(maker, node, 'type'),
        value: makeChild(maker, node, 'value'),
      });
    case 'index_signature':
      return maker.make(node);
    case 'class_static_block':
      return made(maker, node, 'StaticBlock', { body: maker.make(maker.child(node, 'body'))['body'] });
    default:
      return undefined;
  }
}

function interfaceOf(maker: Maker, node: number): Made {
  const bases = ofKind(maker, node, 'extends_type_clause');
  return made(maker, node, 'TSInterfaceDeclaration', {
    id: named(maker, maker.child(node, 'name')),
    typeParameters: makeChild(maker, node, 'type_parameters'),
    extends: bases === -1 ? [] : maker.children(bases).map((child) => heritageOf(maker, child)),
    body: maker.make(maker.child(node, 'body')),
  });
}

const nothing = (maker: Maker, node: number): Made => made(maker, node, 'EmptyStatement', {});
const member = (maker: Maker, node: number): Made => classMember(maker, node) ?? nothing(maker, node);

/** Classes and interfaces. */
export const CLASSES: Builders = {
  class_declaration: classOf,
  abstract_class_declaration: classOf,
  class: classOf,
  class_body: (maker, node) => made(maker, node, 'ClassBody', { body: membersOf(maker, maker.children(node)) }),
  method_definition: member,
  abstract_method_signature: member,
  public_field_definition: member,
  class_static_block: member,
  class_heritage: nothing,
  extends_clause: nothing,
  implements_clause: nothing,
  extends_type_clause: nothing,
  interface_declaration: interfaceOf,
  interface_body: (maker, node) => made(maker, node, 'TSInterfaceBody', { body: signaturesIn(maker, node) }),
  accessibility_modifier: nothing,
};
