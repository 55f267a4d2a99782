import type { AgentSetup, ToolServer } from '../../event/agent-setup.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import { SCOPES } from '../installer.ts';
import type { Fields } from '../fields.ts';
import { isFields, textAt } from '../fields.ts';
import { fieldsAt, fieldsOf, hooksIn, listOf, serversIn, textsAt } from '../json-setup.ts';
import { canonicalName } from './names.ts';
import { projectKey } from './project-key.ts';
import { configDir, globalFile, settingsPath } from './settings.ts';
import { windowOfModel } from './transcript-line.ts';

/** More than this is no settings file that anybody wrote. */
const MAX_BYTES = 8 << 20;
const MAX_PLUGINS = 64;

/** Servers, hooks and model of a project's sessions. What cannot be read counts as empty. */
export function readSetup(location: SettingsLocation, files: SetupFiles): AgentSetup {
  const { root, env } = location;
  const read = (path: string): Fields => fieldsOf(files.readText(path, MAX_BYTES));
  const settings = settingsOf(location, read);
  const global = read(globalFile(location, files));
  const project = fieldsAt(fieldsAt(global, 'projects'), projectKey(root, files));
  const plugins = pluginsIn(settings, read(registryPath(location)), root);

  const refused = new Set([...settings, project].flatMap((each) => textsAt(each, 'disabledMcpjsonServers')));
  const off = new Set(textsAt(project, 'disabledMcpServers'));
  const servers = [
    ...serversIn(read(join(root, '.mcp.json'))).filter((name) => !refused.has(name)),
    ...serversIn(global),
    ...serversIn(project),
    ...plugins.flatMap(({ name, path }) => pluginServers(read, path).map((server) => `plugin:${name}:${server}`)),
  ];
  const model = env['ANTHROPIC_MODEL'] ?? settings.map(modelIn).findLast((each) => each !== undefined);
  const window = model === undefined ? undefined : windowOfModel(model);
  return {
    ...(window === undefined ? {} : { window }),
    servers: [...new Set(servers.filter((name) => !off.has(name)).map(spellInTool))].map(toolServer),
    hooks: [...settings, ...plugins.map(({ path }) => read(join(path, 'hooks', 'hooks.json')))].flatMap((each) =>
      hooksIn(each, canonicalName),
    ),
  };
}

/** From the weakest scope to the strongest; one file may stand for two of them. */
function settingsOf(location: SettingsLocation, read: (path: string) => Fields): readonly Fields[] {
  return [...new Set(SCOPES.toReversed().map((scope) => settingsPath(scope, location)))].map(read);
}

function registryPath(location: SettingsLocation): string {
  return join(configDir(location), 'plugins', 'installed_plugins.json');
}

/** The plugins that are on in the sessions of a project. */
export function pluginsOf(location: SettingsLocation, files: SetupFiles): readonly Plugin[] {
  const read = (path: string): Fields => fieldsOf(files.readText(path, MAX_BYTES));
  return pluginsIn(settingsOf(location, read), read(registryPath(location)), location.root);
}

function modelIn(settings: Fields): string | undefined {
  return textAt(fieldsAt(settings, 'env'), 'ANTHROPIC_MODEL') ?? textAt(settings, 'model');
}

/** The client writes every other character of a server's name as an underscore where it names a tool. */
function spellInTool(server: string): string {
  return server.replace(/[^a-zA-Z0-9_-]/g, '_');
}

/** A plugin's servers are registered under its name, which has no underscore. */
function toolServer(spelled: string): ToolServer {
  return { name: spelled.replace(/^plugin_[^_]+_/, ''), prefix: `mcp__${spelled}__` };
}

interface Plugin {
  readonly name: string;
  /** Where it is installed. */
  readonly path: string;
}

/** Those that are installed, for everybody or for this project, and switched on by the strongest scope that names them. */
function pluginsIn(settings: readonly Fields[], registry: Fields, root: string): Plugin[] {
  const switches: Fields = Object.assign({}, ...settings.map((each) => fieldsAt(each, 'enabledPlugins')));
  const installed = fieldsAt(registry, 'plugins');
  const on = Object.keys(switches).filter((id) => switches[id] === true || Array.isArray(switches[id]));
  return on.slice(0, MAX_PLUGINS).flatMap((id) => {
    const copies = listOf(Array.isArray(installed[id]) ? installed[id] : [installed[id]]);
    const copy = copies.find(({ projectPath }) => projectPath === undefined || projectPath === root);
    const path = copy && textAt(copy, 'installPath');
    return path === undefined ? [] : [{ name: id.slice(0, id.lastIndexOf('@')), path }];
  });
}

function pluginServers(read: (path: string) => Fields, path: string): string[] {
  const file = read(join(path, '.mcp.json'));
  const own = isFields(file['mcpServers']) ? file : { mcpServers: file };
  return [...serversIn(own), ...serversIn(read(join(path, '.claude-plugin', 'plugin.json')))];
}
