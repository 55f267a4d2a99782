import type { AgentSetup } from '../../event/agent-setup.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import { fieldsOf, serversIn } from '../json-setup.ts';
import { configDir } from './settings.ts';

/** More than this is no settings file that anybody wrote. */
const MAX_BYTES = 8 << 20;

/** The servers of a project's sessions. Its hooks stand in TOML, which no event waits for; plug-ins bring others, which are not looked for. */
export function readSetup(location: SettingsLocation, files: SetupFiles): AgentSetup {
  const { root } = location;
  const paths = [join(configDir(location), 'mcp.json'), join(root, '.mcp.json'), join(root, '.kimi-code', 'mcp.json')];
  const names = paths.flatMap((path) => serversIn(fieldsOf(files.readText(path, MAX_BYTES))));
  return { servers: [...new Set(names)].map((name) => ({ name, prefix: `mcp__${name}__` })), hooks: [] };
}
