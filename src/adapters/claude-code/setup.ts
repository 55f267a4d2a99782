import type { AgentSetup, ToolServer } from '../../event/agent-setup.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import type { Fields } from '../fields.ts';
import { isFields, textAt } from '../fields.ts';
import { fieldsAt, fieldsOf, hooksIn, serversIn, textsAt } from '../json-setup.ts';
import { canonicalName } from './names.ts';
import { projectKey } from './project-key.ts';
import { pluginsIn, settingsOf } from './plugins.ts';
import { globalFile } from './settings.ts';
import { windowOfModel } from './transcript-line.ts';

/** More than this is no settings file that anybody wrote. */
const MAX_BYTES = 8 << 20;

/** Servers, hooks and model of a project's sessions. What cannot be read counts as empty. */
export function readSetup(location: SettingsLocation, files: SetupFiles): AgentSetup {
  const { root, env } = location;
  const read = (path: string): Fields => fieldsOf(files.readText(path, MAX_BYTES));
  const settings = settingsOf(location, read);
  const global = read(globalFile(location, files));
  const project = fieldsAt(fieldsAt(global, 'projects'), projectKey(root, files));
  const plugins = pluginsIn(settings, location, read);

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

function pluginServers(read: (path: string) => Fields, path: string): string[] {
  const file = read(join(path, '.mcp.json'));
  const own = isFields(file['mcpServers']) ? file : { mcpServers: file };
  return [...serversIn(own), ...serversIn(read(join(path, '.claude-plugin', 'plugin.json')))];
}
