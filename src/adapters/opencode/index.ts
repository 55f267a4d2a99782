import type { Adapter, SettingsLocation, SetupFiles } from '../adapter.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';
import { AGENT, EVENTS, TOOL_KINDS } from './names.ts';
import { parse, withInput } from './parse.ts';
import { render } from './render.ts';
import {
  AGENT_PROGRAM,
  CODE_FILES,
  SETTINGS_FILES,
  SETTINGS_WORDS,
  SIGN_VARIABLES,
  configDir,
  NAMES,
  PROJECT_DIR,
} from './settings.ts';
import type { AgentSetup } from '../../event/agent-setup.ts';
import { join } from '../../platform/paths.ts';
import { isFields } from '../fields.ts';
import { fieldsAt, fieldsOf } from '../json-setup.ts';

/** More than this is no settings file that anybody wrote. */
const MAX_BYTES = 8 << 20;

/** The servers of a project's sessions. It has no hooks, and what plugins of others do is not looked for. */
function readSetup(location: SettingsLocation, files: SetupFiles): AgentSetup {
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

export const opencode: Adapter = {
  name: AGENT,
  events: EVENTS,
  toolKinds: TOOL_KINDS,
  parse,
  render,
  capabilities: (event) => CAPABILITIES[event] ?? SILENT,
  withInput,
  process: { names: ['opencode', 'opencode.exe'], variables: SIGN_VARIABLES },
  program: AGENT_PROGRAM,
  settings: { files: SETTINGS_FILES, code: CODE_FILES, words: SETTINGS_WORDS },
  readSetup,
};
