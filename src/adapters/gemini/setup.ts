import type { AgentSetup } from '../../event/agent-setup.ts';
import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import { SCOPES } from '../installer.ts';
import { fieldsOf, hooksIn, serversIn } from '../json-setup.ts';
import { canonicalName } from './names.ts';
import { settingsPath } from './settings.ts';

/** More than this is no settings file that anybody wrote. */
const MAX_BYTES = 8 << 20;

/** The servers and hooks of a project's sessions, from all its settings. Extensions bring others, which are not looked for. */
export function readSetup(location: SettingsLocation, files: SetupFiles): AgentSetup {
  const settings = SCOPES.flatMap((scope) => {
    const path = settingsPath(scope, location);
    return path === undefined ? [] : [fieldsOf(files.readText(path, MAX_BYTES), true)];
  });
  return {
    servers: [...new Set(settings.flatMap(serversIn))].map((name) => ({ name, prefix: `mcp_${name}_` })),
    hooks: settings.flatMap((each) => hooksIn(each, canonicalName)),
  };
}
