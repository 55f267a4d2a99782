import type { AdoptedHook, TakenSet, ForeignHook } from '../adopting.ts';
import { handlersIn, removeHooks } from '../hook-groups.ts';
import type { Handler } from '../hook-groups.ts';
import type { Adopting, Launch } from '../installer.ts';
import { applyEdits, insertItems, layoutOf, memberOf, objectIn, removeItems, render, toValue } from '../json-edit.ts';
import type { Edit, JsonContainer, JsonItem, Layout } from '../json-edit.ts';
import { matcherOfAll, secondsOf } from './adopt-match.ts';
import { adoptedHandler, adoptedSet, readOwn } from './install-entry.ts';
import { EVENTS } from './names.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import { isFields, stringAt } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { RUNNABLE } from './adopt-output.ts';
import { pluginsOf } from './plugins.ts';

/** The hooks of others that a file brings into force. Files of plugins may have their events at the top. */
function listHooks(text: string): readonly ForeignHook[] {
  const whole = objectIn(text);
  const root = memberOf(whole, 'hooks') ? whole : objectIn(`{"hooks":${text}}`);
  return handlersIn(root)
    .filter(({ effective }) => effective)
    .flatMap(({ event, path, item, group }): ForeignHook[] => {
      const entry = toValue(item.value);
      if (!isFields(entry) || readOwn(entry) || adoptedSet(entry) !== undefined) return [];
      const matcher = stringAt(toValue(group.value) as Fields, 'matcher');
      const objection = objectionTo(event, entry);
      return [
        {
          ...{ event, path, entry, shown: shownOf(entry) },
          ...(matcher === undefined ? {} : { matcher }),
          ...(objection === undefined ? {} : { objection }),
        },
      ];
    });
}

function shownOf(entry: Fields): string {
  const args = Array.isArray(entry['args']) ? entry['args'].map(String) : [];
  const what = ['command', 'url', 'prompt', 'tool']
    .map((key) => stringAt(entry, key))
    .find((each) => each !== undefined);
  return [what ?? String(entry['type']), ...args].join(' ');
}

function objectionTo(event: string, entry: Fields): string | undefined {
  const { type, command, args } = entry;
  if (type !== 'command') return `only the agent can run a hook of the type ${String(type)}`;
  if (typeof command !== 'string') return 'it has no command';
  if (!RUNNABLE.has(event)) return `nobody has tried yet to answer ${event} in the agent's place`;
  if (entry['if'] !== undefined) return 'its `if` is read by the agent alone';
  if (entry['async'] === true || entry['asyncRewake'] === true)
    return 'it runs in the background, where nobody waits for it';
  if (entry['shell'] !== undefined) return 'it names a shell of its own';
  if (/\$\{(?:CLAUDE_PLUGIN_|user_config\.)/.test([command, ...(Array.isArray(args) ? args : [])].join(' ')))
    return 'it names what only a plugin is given';
  return undefined;
}

function pluginHooks(location: SettingsLocation, files: SetupFiles): readonly { name: string; path: string }[] {
  return pluginsOf(location, files).map(({ name, path }) => ({ name, path: join(path, 'hooks', 'hooks.json') }));
}

export const ADOPTING: Adopting = {
  list: listHooks,
  extensions: pluginHooks,
  take,
  giveBack,
  setsIn(text) {
    const sets = handlersIn(objectIn(text)).flatMap(({ item }) => adoptedSet(toValue(item.value)) ?? []);
    return [...new Set(sets)];
  },
};

/** In the place of the first group that goes as a whole, else at the end of the event's list. */
function take(text: string, set: TakenSet, paths: ReadonlySet<string>, launch: Launch): readonly Edit[] {
  const root = objectIn(text);
  if (!root) return [];
  const layout = layoutOf(text, root);
  const taken = handlersIn(root).filter(({ effective, path }) => effective && paths.has(path));
  const events = [...new Set(taken.map(({ event }) => event))];
  return events.flatMap((event) => {
    const groups = memberOf(memberOf(root, 'hooks')?.value, event)?.value;
    const of = taken.filter((each) => each.event === event);
    if (groups?.kind !== 'array' || of.length === 0) return [];
    const added = groupFor(event, set, launch);
    return added === undefined ? [] : editsOf(text, groups, of, added, layout);
  });
}

function editsOf(
  text: string,
  groups: JsonContainer,
  taken: readonly Handler[],
  added: object,
  layout: Layout,
): readonly Edit[] {
  const whole: JsonItem[] = [];
  const edits: Edit[] = [];
  for (const group of new Set(taken.map((each) => each.group))) {
    const list = memberOf(group.value, 'hooks')?.value;
    const gone = new Set(taken.filter((each) => each.group === group).map(({ item }) => item));
    if (list?.kind !== 'array') continue;
    if (gone.size === list.items.length) whole.push(group);
    else edits.push(...removeItems(text, list, gone));
  }
  const [first, ...others] = whole;
  if (!first) return [...edits, insertItems(text, groups, layout, [() => render(added, layout)])];
  const { start, end } = first;
  return [
    ...edits,
    { at: start, removed: text.slice(start, end), inserted: render(added, layout) },
    ...removeItems(text, groups, new Set(others)),
  ];
}

function groupFor(event: string, { id, hooks }: TakenSet, launch: Launch): object | undefined {
  const known = EVENTS.find(({ name }) => name === event);
  const own = hooks.filter((hook) => hook.event === event);
  if (!known || own.length === 0) return undefined;
  const matcher = matcherOfAll(
    event,
    own.map((hook) => hook.matcher),
  );
  const handler = adoptedHandler(known, id, Math.max(...own.map(secondsOf)), launch);
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [handler] };
}

/** At the end of each event's list: the agent starts all at once, wherever they stand. What stands there again already comes back no second time. */
function giveBack(text: string, { id, hooks: taken }: TakenSet): string | undefined {
  const without = applyEdits(
    text,
    removeHooks(text, {}, (handler) => adoptedSet(handler) === id),
  );
  const keyOf = ({ event, matcher, entry }: Omit<AdoptedHook, 'name'>): string =>
    JSON.stringify([event, matcher, entry]);
  const there = new Set(listHooks(without).map(keyOf));
  const hooks = taken.filter((hook) => !there.has(keyOf(hook)));
  return [...new Set(hooks.map(({ event }) => event))].reduce<string | undefined>(
    (now, event) =>
      now === undefined
        ? undefined
        : withGroups(
            now,
            event,
            hooks.filter((hook) => hook.event === event),
          ),
    without.trim() === '' ? '{}' : without,
  );
}

function withGroups(text: string, event: string, hooks: readonly AdoptedHook[]): string | undefined {
  const root = objectIn(text);
  if (!root) return undefined;
  const layout = layoutOf(text, root);
  const groups = hooks.map(({ matcher, entry }) => ({ ...(matcher === undefined ? {} : { matcher }), hooks: [entry] }));
  const add = (container: JsonContainer, items: readonly string[]): string =>
    applyEdits(text, [
      insertItems(
        text,
        container,
        layout,
        items.map((item) => () => item),
      ),
    ]);
  const blank = layout.spaced ? ' ' : '';
  const member = `${JSON.stringify(event)}:${blank}${render(groups, layout)}`;
  const all = memberOf(root, 'hooks')?.value;
  if (all === undefined) return add(root, [`"hooks":${blank}{${blank}${member}${blank}}`]);
  if (all.kind !== 'object') return undefined;
  const list = memberOf(all, event)?.value;
  if (list === undefined) return add(all, [member]);
  return list.kind === 'array'
    ? add(
        list,
        groups.map((group) => render(group, layout)),
      )
    : undefined;
}
