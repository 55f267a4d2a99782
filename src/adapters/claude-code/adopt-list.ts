import { join } from '../../platform/paths.ts';
import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import type { ForeignHook } from '../adopting.ts';
import type { Fields } from '../fields.ts';
import { isFields, stringAt } from '../fields.ts';
import { handlersIn } from '../hook-groups.ts';
import { memberOf, objectIn, toValue } from '../json-edit.ts';
import { RUNNABLE } from './adopt-output.ts';
import { adoptedSet, readOwn } from './install-entry.ts';
import { pluginsOf } from './plugins.ts';

/** The hooks of others that a file brings into force. Files of plugins may have their events at the top. */
export function listHooks(text: string): readonly ForeignHook[] {
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

export function pluginHooks(location: SettingsLocation, files: SetupFiles): readonly { name: string; path: string }[] {
  return pluginsOf(location, files).map(({ name, path }) => ({ name, path: join(path, 'hooks', 'hooks.json') }));
}
