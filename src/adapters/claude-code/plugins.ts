import { join } from '../../platform/paths.ts';
import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import type { Fields } from '../fields.ts';
import { textAt } from '../fields.ts';
import { SCOPES } from '../installer.ts';
import type { PluginHooks } from '../installer.ts';
import { fieldsAt, fieldsOf, listOf } from '../json-setup.ts';
import { configDir, settingsPath } from './settings.ts';

const MAX_PLUGINS = 64;
/** What the client puts in place of it, in what a plugin brings along. */
const ROOT = '${CLAUDE_PLUGIN_ROOT}';

interface Plugin {
  /** With the marketplace that it is from. */
  readonly id: string;
  readonly name: string;
  /** Where it is installed. */
  readonly path: string;
  /** The person's own settings switch it on, and no file of a project. */
  readonly isEverywhere: boolean;
}

type Read = (path: string) => Fields;

/** From the weakest scope, which is the person's, to the strongest; one file may stand for two of them. */
export function settingsOf(location: SettingsLocation, read: Read): readonly Fields[] {
  return [...new Set(SCOPES.toReversed().map((scope) => settingsPath(scope, location)))].map(read);
}

/** Those that are installed, for everybody or for this project, and switched on by the strongest scope that names them. */
export function pluginsIn(settings: readonly Fields[], location: SettingsLocation, read: Read): Plugin[] {
  const switches = settings.map((each) => fieldsAt(each, 'enabledPlugins'));
  const all: Fields = Object.assign({}, ...switches);
  const installed = fieldsAt(read(join(configDir(location), 'plugins', 'installed_plugins.json')), 'plugins');
  const on = Object.keys(all).filter((id) => all[id] === true || Array.isArray(all[id]));
  return on.slice(0, MAX_PLUGINS).flatMap((id) => {
    const copies = listOf(Array.isArray(installed[id]) ? installed[id] : [installed[id]]);
    const copy = copies.find(({ projectPath }) => projectPath === undefined || projectPath === location.root);
    const path = copy && textAt(copy, 'installPath');
    if (path === undefined) return [];
    const isEverywhere = switches.findLastIndex((each) => each[id] !== undefined) === 0;
    return [{ id, name: id.slice(0, id.lastIndexOf('@')), path, isEverywhere }];
  });
}

/** The plugins that are on in the sessions of a project. */
export function pluginsOf(location: SettingsLocation, files: SetupFiles): readonly Plugin[] {
  const read: Read = (path) => fieldsOf(files.readText(path));
  return pluginsIn(settingsOf(location, read), location, read);
}

/** The hooks of plugins that are on here, with their own paths in them. */
export function pluginHooks(location: SettingsLocation, files: SetupFiles): PluginHooks[] {
  return pluginsOf(location, files).flatMap(({ id, path: dir, isEverywhere }) => {
    const path = join(dir, 'hooks', 'hooks.json');
    const text = files.readText(path)?.replaceAll(ROOT, JSON.stringify(dir).slice(1, -1));
    const removal = `claude plugin uninstall ${id}`;
    return text === undefined ? [] : [{ name: id, isEverywhere, path, text, removal }];
  });
}
