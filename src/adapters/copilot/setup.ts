import type { AgentSetup } from '../../event/agent-setup.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import { fieldsOf, hooksIn, serversIn } from '../json-setup.ts';
import { canonicalName } from './names.ts';
import { homeOf } from './settings.ts';

/** More than this is no settings file that anybody wrote. */
const MAX_BYTES = 8 << 20;

/** The servers of a project's sessions, and the hooks in the person's settings. Plugins bring others, which are not looked for. */
export function readSetup(location: SettingsLocation, files: SetupFiles): AgentSetup {
  const own = homeOf(location);
  const read = (path: string) => fieldsOf(files.readText(path, MAX_BYTES), true);
  const servers = [join(own, 'mcp-config.json'), join(location.root, '.mcp.json')].flatMap((path) =>
    serversIn(read(path)),
  );
  return {
    servers: [...new Set(servers)].map((name) => ({ name, prefix: `${name}-` })),
    hooks: hooksIn(read(join(own, 'settings.json')), canonicalName),
  };
}
