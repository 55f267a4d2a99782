import { join } from '../../platform/paths.ts';
import type { SettingsLocation } from '../adapter.ts';
import { stringAt } from '../fields.ts';
import type { PluginFiles, PluginHooks } from '../installer.ts';
import { fieldsAt, fieldsOf } from '../json-setup.ts';
import { readToml } from '../toml-tables.ts';
import { quoteWord } from '../shell-line.ts';
import { configDir } from './settings.ts';

const MAX_PLUGINS = 64;
/** Where a plugin has its hooks when its manifest names none. */
const USUAL = 'hooks/hooks.json';
/** A word in double quotes, in JSON, in which the shell of the client puts its directory in place of the variable. */
const IN_ROOT = /\\"\$(?:PLUGIN_ROOT|\{PLUGIN_ROOT\})(\/[^"\\]*)\\"/g;

/** The hooks of plugins that are on, with their own paths in them, as client 0.166.0 keeps them: the person's file says which, in every project. */
export function pluginHooks(location: SettingsLocation, files: PluginFiles): PluginHooks[] {
  const config = readToml(files.readText(join(configDir(location), 'config.toml')) ?? '');
  const plugins = 'root' in config ? fieldsAt(config.root, 'plugins') : {};
  const on = Object.keys(plugins).filter((id) => fieldsAt(plugins, id)['enabled'] === true);
  return on.slice(0, MAX_PLUGINS).flatMap((id) => {
    const dir = installedAt(id, location, files);
    const manifest = fieldsOf(files.readText(join(dir, '.codex-plugin', 'plugin.json')));
    const path = join(dir, stringAt(manifest, 'hooks') ?? USUAL);
    const inDir = (_: string, rest: string): string => JSON.stringify(quoteWord(dir + rest)).slice(1, -1);
    const text = files.readText(path)?.replaceAll(IN_ROOT, inDir);
    const removal = `codex plugin remove ${id}`;
    return text === undefined ? [] : [{ name: id, isEverywhere: true, path, text, removal }];
  });
}

/** It keeps a copy for each version, under the marketplace and the name. */
function installedAt(id: string, location: SettingsLocation, files: PluginFiles): string {
  const at = id.lastIndexOf('@');
  const dir = join(configDir(location), 'plugins', 'cache', id.slice(at + 1), id.slice(0, at));
  const [newest = ''] = files.list(dir).toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return join(dir, newest);
}
