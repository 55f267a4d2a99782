import type { Narrowing } from '../installer.ts';
import type { Fields } from '../fields.ts';
import { TOOL_KINDS } from './names.ts';

const TOOLS = [...Object.keys(TOOL_KINDS), 'mcp__server__tool'];
const COMPACTIONS = ['manual', 'auto'];
/** What the matcher of an event is held against, where the values are known. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: TOOLS,
  PostToolUse: TOOLS,
  PostToolUseFailure: TOOLS,
  PermissionRequest: TOOLS,
  PermissionDenied: TOOLS,
  SessionStart: ['startup', 'resume', 'clear', 'compact', 'fork'],
  SessionEnd: ['clear', 'resume', 'logout', 'prompt_input_exit', 'other'],
  Setup: ['init', 'maintenance'],
  PreCompact: COMPACTIONS,
  PostCompact: COMPACTIONS,
  ConfigChange: ['user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills'],
};
/** The old name of a tool stands for the new one. */
const ALIASES: Readonly<Record<string, string>> = { Agent: 'Task' };

/** As client 2.1.325 was seen to do it: a list of exact names, or a pattern that may fit anywhere; a bad one fits nothing. */
export function matches(matcher: string, value: string): boolean {
  const names = [value, ...(ALIASES[value] === undefined ? [] : [ALIASES[value]])];
  if (matcher === '' || matcher === '*') return true;
  if (/^[\w|, -]*$/.test(matcher)) {
    const listed = matcher.split(/[|,]/).map((name) => name.trim());
    return names.some((name) => listed.includes(name));
  }
  try {
    const pattern = new RegExp(matcher);
    return names.some((name) => pattern.test(name));
  } catch {
    return false;
  }
}

/** What keeps an entry from being called on every event of its name, or from being waited for. */
export function narrowingsOf(event: string, group: Fields, handler: Fields): readonly Narrowing[] {
  const { matcher } = group;
  const found: Narrowing[] = [];
  const values = VALUES[event];
  if (values && typeof matcher === 'string') {
    const lets = values.filter((value) => matches(matcher, value));
    if (lets.length < values.length) found.push({ setting: 'matcher', value: matcher, lets });
  }
  if (typeof handler['if'] === 'string' && values === TOOLS) found.push({ setting: 'if', value: handler['if'] });
  for (const setting of ['async', 'asyncRewake'])
    if (handler[setting] === true) found.push({ setting, value: 'true', isUnheard: true });
  return found;
}
