import type { Adapter, SettingsLocation, SetupFiles } from '../adapter.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';
import { AGENT, EVENTS, TOOL_KINDS } from './names.ts';
import { marks, parse } from './parse.ts';
import { render } from './render.ts';
import { AGENT_PROGRAM, CODE_FILES, SETTINGS_FILES, SETTINGS_WORDS, configDir } from './settings.ts';
import type { AgentSetup } from '../../event/agent-setup.ts';
import { join } from '../../platform/paths.ts';
import { fieldsOf, serversIn } from '../json-setup.ts';

/** More than this is no settings file that anybody wrote. */
const MAX_BYTES = 8 << 20;

/** The servers of a project's sessions. Its hooks stand in TOML, which no event waits for; plug-ins bring others, which are not looked for. */
function readSetup(location: SettingsLocation, files: SetupFiles): AgentSetup {
  const { root } = location;
  const paths = [join(configDir(location), 'mcp.json'), join(root, '.mcp.json'), join(root, '.kimi-code', 'mcp.json')];
  const names = paths.flatMap((path) => serversIn(fieldsOf(files.readText(path, MAX_BYTES))));
  return { servers: [...new Set(names)].map((name) => ({ name, prefix: `mcp__${name}__` })), hooks: [] };
}

/** Its children carry no sign of it: it is told by its name alone. */
export const kimi: Adapter = {
  name: AGENT,
  events: EVENTS,
  toolKinds: TOOL_KINDS,
  parse,
  render,
  capabilities: (event) => CAPABILITIES[event] ?? SILENT,
  process: { names: ['kimi', 'kimi-code', 'kimi.exe'], variables: [] },
  program: AGENT_PROGRAM,
  settings: { files: SETTINGS_FILES, code: CODE_FILES, words: SETTINGS_WORDS },
  tellsDirAtStart: true,
  marks,
  readSetup,
};
