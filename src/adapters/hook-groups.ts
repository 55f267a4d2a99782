import type { Addition, Kept } from './installer.ts';
import { applyEdits, insertItems, layoutOf, memberOf, objectIn, removeItems, render, toValue } from './json-edit.ts';
import type { Edit, JsonContainer, JsonItem, JsonNode, Layout } from './json-edit.ts';

/** An entry in the form that several agents share: `{ hooks: { <event>: [{ hooks: [entry] }] } }`; with `flat` also without the group. */
export interface Handler {
  readonly event: string;
  readonly path: string;
  /** Which group of its event it is in, and where there. */
  readonly at: readonly [group: number, position: number];
  readonly item: JsonItem;
  /** Around the list. */
  readonly group: JsonItem;
  /** False below a key that is written again later: the agent sees the last one. */
  readonly effective: boolean;
}

export type IsOwn = (handler: unknown) => boolean;

/** What shall be in a file. */
export interface WantedHooks {
  readonly entries: readonly { readonly event: string; readonly handler: object }[];
  /** Events on which nobody wants to be called any more. */
  readonly unheard: ReadonlySet<string>;
  readonly isOwn: IsOwn;
  /** The agent takes comments in the file. */
  readonly comments?: boolean;
  /** It takes an entry that is in no group. */
  readonly flat?: boolean;
  /** What brings an entry that is there to where the program is now. What a person added to it stays. */
  redirect(handler: Handler, text: string, layout: Layout): readonly Edit[];
  /** Other members of the file that are wanted: the texts of those that are missing, and what changes in those that are there. */
  beside?(
    text: string,
    root: JsonContainer,
    layout: Layout,
  ): { readonly missing: readonly string[]; readonly edits: readonly Edit[] };
}

export function handlersIn(root: JsonContainer | undefined, flat = false): Handler[] {
  const found: Handler[] = [];
  for (const hooks of root?.items.filter(({ key }) => key === 'hooks') ?? []) {
    for (const event of itemsOf(hooks.value, 'object')) {
      for (const [index, group] of itemsOf(event.value, 'array').entries()) {
        for (const [position, item] of entriesOf(group, flat).entries()) {
          const effective = memberOf(root, 'hooks') === hooks && memberOf(hooks.value, event.key ?? '') === event;
          const path = `hooks.${event.key}.${index}${item === group ? '' : `.hooks.${position}`}`;
          found.push({ event: event.key ?? '', path, at: [index, position], item, group, effective });
        }
      }
    }
  }
  return found;
}

/** Those of a group, or the group itself where it is one. */
function entriesOf(group: JsonItem, flat: boolean): readonly JsonItem[] {
  const list = memberOf(group.value, 'hooks')?.value;
  return flat && list === undefined && group.value.kind === 'object' ? [group] : itemsOf(list, 'array');
}

export function itemsOf(node: JsonNode | undefined, kind: JsonContainer['kind']): readonly JsonItem[] {
  return node?.kind === kind ? node.items : [];
}

export function addHooks(text: string, wanted: WantedHooks): Addition {
  const { unheard, isOwn, comments, flat } = wanted;
  const isGone = (event: string): boolean => unheard.has(event);
  const lean =
    unheard.size === 0
      ? text
      : applyEdits(
          text,
          removeHooks(text, {}, isOwn, {
            isGone,
            ...(comments === true && { comments }),
            ...(flat === true && { flat }),
          }),
        );
  const addition = addTo(lean, wanted);
  if (lean === text || 'refusal' in addition) return addition;
  return { ...addition, edits: [{ at: 0, removed: text, inserted: applyEdits(lean, addition.edits) }] };
}

function addTo(text: string, wanted: WantedHooks): Addition {
  if (text.trim() === '') {
    const whole = addTo('{}', wanted);
    if ('refusal' in whole) return whole;
    return { edits: [{ at: text.length, removed: '', inserted: `${applyEdits('{}', whole.edits)}\n` }], kept: {} };
  }
  const root = objectIn(text, wanted.comments);
  if (!root) return { refusal: 'it does not hold a JSON object' };
  const layout = layoutOf(text, root);
  const { missing: others = [], edits: moved = [] } = wanted.beside?.(text, root, layout) ?? {};
  const hooks = memberOf(root, 'hooks')?.value;
  if (hooks === undefined) {
    const members = wanted.entries.map(({ event, handler }) => memberText(event, handler, layout));
    const added = [(indent: string) => hooksText(members, indent, layout), ...others.map((each) => () => each)];
    return { edits: [insertItems(text, root, layout, added), ...moved], kept: {} };
  }
  if (hooks.kind !== 'object') return { refusal: '"hooks" in it is not an object' };

  const kept: Record<string, string> = {};
  if (hooks.items.length === 0) kept['hooks'] = text.slice(hooks.start, hooks.end);
  const edits = [
    ...handlersIn(root, wanted.flat)
      .filter(({ effective, item }) => effective && wanted.isOwn(toValue(item.value)))
      .flatMap((handler) => wanted.redirect(handler, text, layout)),
    ...moved,
    ...insertion(root, others),
  ];
  const missing: string[] = [];
  for (const { event, handler } of wanted.entries) {
    const groups = memberOf(hooks, event)?.value;
    if (groups === undefined) missing.push(memberText(event, handler, layout));
    else if (groups.kind !== 'array') return { refusal: `"hooks.${event}" in it is not a list` };
    else if (!holdsOwn(groups, wanted)) {
      if (groups.items.length === 0) kept[`hooks.${event}`] = text.slice(groups.start, groups.end);
      edits.push(insertItems(text, groups, layout, [() => render({ hooks: [handler] }, layout)]));
    }
  }
  edits.push(...insertion(hooks, missing));
  return { edits, kept };

  function insertion(container: JsonContainer, members: readonly string[]): Edit[] {
    if (members.length === 0) return [];
    return [
      insertItems(
        text,
        container,
        layout,
        members.map((member) => () => member),
      ),
    ];
  }
}

function holdsOwn(groups: JsonContainer, { isOwn, flat = false }: WantedHooks): boolean {
  return groups.items.some((group) => entriesOf(group, flat).some(({ value }) => isOwn(toValue(value))));
}

/** One line per event: a page of them can be read, and taken in by a diff. */
function memberText(event: string, handler: object, layout: Layout): string {
  return `${JSON.stringify(event)}:${layout.spaced ? ' ' : ''}${render([{ hooks: [handler] }], layout)}`;
}

function hooksText(members: readonly string[], indent: string, layout: Layout): string {
  const blank = layout.spaced ? ' ' : '';
  if (layout.inline) return `"hooks":${blank}{${blank}${members.join(`,${blank}`)}${blank}}`;
  const inner = layout.newline + indent + layout.unit;
  return `"hooks":${blank}{${inner}${members.join(`,${inner}`)}${layout.newline}${indent}}`;
}

interface Goes {
  readonly comments?: boolean;
  readonly flat?: boolean;
  isGone?(event: string): boolean;
  /** Of the members beside the hooks. */
  isGoneMember?(item: JsonItem): boolean;
}

/** The edits that take our entries out, with what was made for them. */
export function removeHooks(
  text: string,
  kept: Kept,
  isOwn: IsOwn,
  { isGone = () => true, isGoneMember = () => false, comments, flat = false }: Goes = {},
): readonly Edit[] {
  const root = objectIn(text, comments);
  if (!root) return [];
  const edits: Edit[] = [];
  const goneRoot = new Set<JsonItem>(root.items.filter(isGoneMember));
  for (const hooks of root.items.filter(({ key }) => key === 'hooks')) {
    if (hooks.value.kind !== 'object') continue;
    const goneEvents = new Set<JsonItem>();
    for (const event of hooks.value.items) {
      if (event.value.kind !== 'array' || !isGone(event.key ?? '')) continue;
      const { gone, inside } = ownGroups(text, event.value, isOwn, flat);
      edits.push(...inside);
      takeOut(event, gone, `hooks.${event.key}`, goneEvents);
    }
    takeOut(hooks, goneEvents, 'hooks', goneRoot);
  }
  edits.push(...removeItems(text, root, goneRoot));
  return edits;

  /** Takes what is gone out of a container, or the whole container out of the one around it. */
  function takeOut(holder: JsonItem, gone: ReadonlySet<JsonItem>, path: string, outer: Set<JsonItem>): void {
    const { value } = holder;
    if (value.kind === 'scalar' || gone.size === 0) return;
    if (gone.size < value.items.length) edits.push(...removeItems(text, value, gone));
    else if (kept[path] === undefined) outer.add(holder);
    else edits.push({ at: value.start, removed: text.slice(value.start, value.end), inserted: kept[path] });
  }
}

function ownGroups(
  text: string,
  groups: JsonContainer,
  isOwn: IsOwn,
  flat: boolean,
): { gone: ReadonlySet<JsonItem>; inside: readonly Edit[] } {
  const gone = new Set<JsonItem>();
  const inside: Edit[] = [];
  for (const group of groups.items) {
    const list = memberOf(group.value, 'hooks')?.value;
    const all = entriesOf(group, flat);
    const own = new Set(all.filter(({ value }) => isOwn(toValue(value))));
    if (own.size === 0) continue;
    if (own.size === all.length) gone.add(group);
    else if (list?.kind === 'array') inside.push(...removeItems(text, list, own));
  }
  return { gone, inside };
}
