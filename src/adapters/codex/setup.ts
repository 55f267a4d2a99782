import type { AgentSetup } from '../../event/agent-setup.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import { SCOPES } from '../installer.ts';
import { fieldsOf, hooksIn } from '../json-setup.ts';
import { canonicalName } from './names.ts';
import { configDir, settingsPath } from './settings.ts';

/** More than this is no settings file that anybody wrote. */
const MAX_BYTES = 8 << 20;
/** The table of a server, with its lines up to the next table. `codex mcp add` writes it so. */
const SERVER = /^\[mcp_servers\.(?:([\w-]+)|"([^"\\\n]+)"|'([^'\n]+)')\][^\n]*\n?((?:(?!\[)[^\n]*(?:\n|$))*)/gm;

/** The servers and hooks of a project's sessions. Plugins bring others, which are not looked for. */
export function readSetup(location: SettingsLocation, files: SetupFiles): AgentSetup {
  const read = (path: string | undefined): string =>
    path === undefined ? '' : (files.readText(path, MAX_BYTES) ?? '');
  const configs = [configDir(location), join(location.root, '.codex')].map((dir) => read(join(dir, 'config.toml')));
  return {
    servers: [...new Set(configs.flatMap(serversIn))].map((name) => ({ name, prefix: `mcp__${name}__` })),
    hooks: SCOPES.flatMap((scope) => hooksIn(fieldsOf(read(settingsPath(scope, location))), canonicalName)),
  };
}

function serversIn(config: string): string[] {
  return [...config.matchAll(SERVER)].flatMap(([, bare, quoted, literal, lines = '']) => {
    const name = bare ?? quoted ?? literal;
    return name === undefined || /^enabled\s*=\s*false/m.test(lines) ? [] : [name];
  });
}
