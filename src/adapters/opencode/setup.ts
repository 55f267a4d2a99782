import type { AgentSetup } from '../../event/agent-setup.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import { isFields } from '../fields.ts';
import { fieldsAt, fieldsOf } from '../json-setup.ts';
import { configDir, NAMES, PROJECT_DIR } from './settings.ts';

/** More than this is no settings file that anybody wrote. */
const MAX_BYTES = 8 << 20;

/** The servers of a project's sessions. It has no hooks, and what plugins of others do is not looked for. */
export function readSetup(location: SettingsLocation, files: SetupFiles): AgentSetup {
  const dirs = [configDir(location), location.root, join(location.root, PROJECT_DIR)];
  const servers = new Map(
    dirs
      .flatMap((dir) => NAMES.map((name) => fieldsOf(files.readText(join(dir, name), MAX_BYTES), true)))
      .flatMap((settings) => Object.entries(fieldsAt(settings, 'mcp'))),
  );
  const names = [...servers].flatMap(([name, server]) =>
    isFields(server) && server['enabled'] !== false ? [name] : [],
  );
  return { servers: names.map((name) => ({ name, prefix: `${name.replaceAll(/[^\w-]/g, '_')}_` })), hooks: [] };
}
