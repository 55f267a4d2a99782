import type { Adapter, SettingsLocation, SetupFiles } from '../adapter.ts';
import { usualEnvironment } from '../usual-environment.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';
import { AGENT, EVENTS, TOOL_KINDS, canonicalName } from './names.ts';
import { marks, parse, withInput } from './parse.ts';
import { render } from './render.ts';
import { AGENT_PROGRAM, CODE_FILES, SETTINGS_FILES, SETTINGS_WORDS, SIGN_VARIABLES, homeOf } from './settings.ts';
import type { AgentSetup } from '../../event/agent-setup.ts';
import { join } from '../../platform/paths.ts';
import { fieldsOf, hooksIn, serversIn } from '../json-setup.ts';

/** More than this is no settings file that anybody wrote. */
const MAX_BYTES = 8 << 20;

/** The servers of a project's sessions, and the hooks in the person's settings. Plugins bring others, which are not looked for. */
function readSetup(location: SettingsLocation, files: SetupFiles): AgentSetup {
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

export const copilot: Adapter = {
  name: AGENT,
  events: EVENTS,
  toolKinds: TOOL_KINDS,
  parse,
  render,
  capabilities: (event) => CAPABILITIES[event] ?? SILENT,
  withInput,
  marks,
  process: { names: ['copilot', 'copilot.exe'], variables: SIGN_VARIABLES },
  program: AGENT_PROGRAM,
  settings: { files: SETTINGS_FILES, code: CODE_FILES, words: SETTINGS_WORDS },
  // The session is told to the commands that its model runs; hooks find it in their payload.
  environment: usualEnvironment('COPILOT_PROJECT_DIR', 'COPILOT_AGENT_SESSION_ID'),
  readSetup,
};
