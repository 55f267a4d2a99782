/**
 * What the client accepts as the output of a hook, written from its contract and sharing nothing with `render`:
 * tests hold every reply against it.
 */
const LIMIT = 10_000;

const TOP = [
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'decision',
  'reason',
  'terminalSequence',
  'hookSpecificOutput',
];

const CONTEXT = ['additionalContext'];
/** Fields of `hookSpecificOutput` by event; events with an empty list take top-level fields only. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
  PermissionRequest: ['decision'],
  PostToolUse: ['additionalContext', 'updatedToolOutput', 'updatedMCPToolOutput', 'classifierContext'],
  PostToolUseFailure: CONTEXT,
  PostToolBatch: CONTEXT,
  Notification: [],
  Setup: CONTEXT,
  SubagentStart: CONTEXT,
  Stop: CONTEXT,
  SubagentStop: CONTEXT,
  PostModelSwitch: CONTEXT,
  UserPromptSubmit: ['additionalContext', 'sessionTitle', 'suppressOriginalPrompt'],
  UserPromptExpansion: ['additionalContext', 'suppressOriginalPrompt'],
  SessionStart: ['additionalContext', 'initialUserMessage', 'sessionTitle', 'watchPaths', 'reloadSkills'],
  PreModelSwitch: ['permissionDecision', 'permissionDecisionReason'],
  PermissionDenied: ['retry'],
  Elicitation: ['action', 'content'],
  ElicitationResult: ['action', 'content'],
  CwdChanged: ['watchPaths'],
  FileChanged: ['watchPaths'],
  SessionEnd: [],
  PreCompact: [],
  PostCompact: [],
  TeammateIdle: [],
  TaskCreated: [],
  TaskCompleted: [],
  ConfigChange: [],
  InstructionsLoaded: [],
  WorktreeRemove: [],
  DirectoryAdded: [],
};

/** Where a top-level block does what a deny means; on PostToolBatch it ends the turn instead, on PostToolUse it shows the command line. */
const BLOCKS = new Set(
  'UserPromptSubmit UserPromptExpansion ConfigChange TaskCreated TaskCompleted TeammateIdle PreCompact Stop SubagentStop'.split(
    ' ',
  ),
);
const PERMISSIONS: Readonly<Record<string, readonly unknown[]>> = {
  PreToolUse: ['allow', 'deny', 'ask', 'defer'],
  PreModelSwitch: ['allow', 'deny', 'ask'],
};
/** Output is ignored, or taken for something else. */
const MUTE = new Set(['StopFailure', 'WorktreeCreate', 'MessageDisplay', '']);
/** Plain text is used; JSON that does not block is used as the plain text it is. */
const PLAIN_TEXT = new Set(['PreCompact', 'PostCompact']);
/** A message to the person is accepted and shown nowhere, as measured in print mode, or like an event so measured. */
const UNSHOWN = new Set(
  (
    'SessionEnd PermissionRequest PermissionDenied SubagentStart SubagentStop TeammateIdle TaskCreated TaskCompleted Notification Elicitation ' +
    'ElicitationResult ConfigChange InstructionsLoaded WorktreeRemove CwdChanged FileChanged DirectoryAdded'
  ).split(' '),
);

type Fields = Readonly<Record<string, unknown>>;

/** True, or what is wrong. */
export function isValidReply(event: string, stdout: string): true | string {
  if (stdout === '') return true;
  if (MUTE.has(event)) return 'this event takes no output';
  if (!stdout.trim().startsWith('{')) {
    if (!PLAIN_TEXT.has(event)) return 'plain text does not reach the model here';
    return stdout.length <= LIMIT && stdout.trim() !== '' && isWhole(stdout)
      ? true
      : 'plain text is empty, too long or cut inside a character';
  }
  let output: unknown;
  try {
    output = JSON.parse(stdout);
  } catch {
    return 'not JSON, though it starts with a brace';
  }
  return isFields(output) ? (findFault(event, output) ?? true) : 'not an object';
}

function findFault(event: string, output: Fields): string | undefined {
  const stray = Object.keys(output).find((key) => !TOP.includes(key));
  if (stray !== undefined) return `unknown top-level field ${stray}`;
  if (Object.keys(output).length === 0) return 'an empty object where nothing would do';
  if ('continue' in output) return 'stops the whole turn';
  if (PLAIN_TEXT.has(event) && !('decision' in output)) return 'JSON is taken as text here';
  if ('systemMessage' in output && UNSHOWN.has(event)) return 'nobody sees a systemMessage here';
  if ('systemMessage' in output && !isText(output['systemMessage']))
    return 'systemMessage is not a text within the limit';
  if ('reason' in output !== 'decision' in output) return 'decision and reason go together';
  if ('decision' in output) {
    if (output['decision'] !== 'block' || !isText(output['reason'])) return 'a block needs a reason';
    if (!BLOCKS.has(event)) return 'a block does not mean deny here';
  }
  return 'hookSpecificOutput' in output ? findOwnFault(event, output['hookSpecificOutput']) : undefined;
}

function findOwnFault(event: string, own: unknown): string | undefined {
  if (!isFields(own)) return 'hookSpecificOutput is not an object';
  const { hookEventName, ...fields } = own;
  if (hookEventName !== event) return `hookEventName is ${String(hookEventName)}`;
  const allowed = OWN[event] ?? [];
  if (allowed.length === 0) return 'this event takes top-level fields only';
  const keys = Object.keys(fields);
  if (keys.length === 0) return 'hookSpecificOutput says nothing';
  const stray = keys.find((key) => !allowed.includes(key));
  if (stray !== undefined) return `${stray} is not a field of this event`;
  for (const key of ['additionalContext', 'permissionDecisionReason']) {
    if (key in fields && !isText(fields[key])) return `${key} is not a text within the limit`;
  }
  if ('permissionDecision' in fields) {
    if (PERMISSIONS[event]?.includes(fields['permissionDecision']) !== true)
      return 'permissionDecision has no such value';
    if (fields['permissionDecision'] !== 'allow' && !('permissionDecisionReason' in fields)) return 'no reason given';
    if (fields['permissionDecision'] === 'deny' && 'updatedInput' in fields) return 'a denied call has no new input';
  } else if ('permissionDecisionReason' in fields) return 'a reason without a decision';
  if ('updatedInput' in fields && !isFields(fields['updatedInput'])) return 'updatedInput is not an object';
  if ('action' in fields && fields['action'] !== 'decline') return 'only decline is expected from us';
  return 'decision' in fields ? findAnswerFault(fields['decision']) : undefined;
}

function findAnswerFault(answer: unknown): string | undefined {
  if (!isFields(answer)) return 'decision is not an object';
  const { behavior, ...rest } = answer;
  const allowed = behavior === 'allow' ? ['updatedInput', 'updatedPermissions'] : ['message', 'interrupt'];
  if (behavior !== 'allow' && behavior !== 'deny') return 'behavior is neither allow nor deny';
  if (behavior === 'deny' && !isText(answer['message'])) return 'a denial needs a message';
  return Object.keys(rest).every((key) => allowed.includes(key))
    ? undefined
    : 'a field that does not go with the behavior';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= LIMIT && isWhole(value);
}

/** False when a surrogate pair was torn apart. */
function isWhole(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}
