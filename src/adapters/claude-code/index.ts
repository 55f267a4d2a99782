import type { Adapter } from '../adapter.ts';
import { CAPABILITIES } from './capabilities.ts';
import { agentSigns, callFrom, PROCESS_NAMES } from './env.ts';
import { EVENTS } from './names.ts';
import { AGENT, parse } from './parse.ts';
import { CONTEXT_CAP, render } from './render.ts';

export const claudeCode: Adapter = {
  name: AGENT,
  events: EVENTS,
  contextCap: CONTEXT_CAP,
  processNames: PROCESS_NAMES,
  parse,
  render,
  capabilities: (event) => CAPABILITIES[event],
  readEnv: callFrom,
  agentSigns,
};
