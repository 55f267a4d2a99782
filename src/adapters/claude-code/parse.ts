import type { BackgroundTask, Event, EventName, HookCall, PromptOrigin } from '../../event/event.ts';
import type { PathBase } from '../paths.ts';
import { resolvePath, stem } from '../paths.ts';
import type { Fields } from '../fields.ts';
import { blockText, isFields, stringAt, textAt } from '../fields.ts';
import { canonicalName } from './names.ts';
import { readTool } from './tool.ts';

type Draft = { -readonly [K in keyof Event]: Event[K] };

export const AGENT = 'claude-code';
/** The bucket that events without any session share. */
const NO_SESSION = 'unknown';
const NOTHING: Fields = Object.freeze({});
const MACHINE_SOURCES: ReadonlySet<string> = new Set(['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event']);
/** Whoever chose this mode wants no dialog, though the client would show one that a hook asks for. */
const UNASKED_MODE = 'dontAsk';
/** In these it says yes to most calls by itself; what a hook asks about it still shows to the person. */
const SELF_APPROVING_MODES: ReadonlySet<string> = new Set(['bypassPermissions', 'auto']);
const NOTIFICATION = /^\s*<task-notification>/;

export function parse(call: HookCall): Event {
  try {
    return read(call, isFields(call.payload) ? call.payload : NOTHING);
  } catch {
    // Only a payload that did not come from JSON gets here: a getter or a proxy that throws.
    return read(call, NOTHING);
  }
}

/**
 * The payload names it, unless nobody knows that name. But an entry for calls that a guard may stop is for these alone, whatever
 * the payload says.
 */
function eventNameIn(fields: Fields, { eventHint: hint = '', isGuess }: HookCall): string {
  if (!isGuess && canonicalName(hint) === 'tool.before') return hint;
  const told = textAt(fields, 'hook_event_name', 'hookEventName') ?? hint;
  return canonicalName(told) === 'unknown' && canonicalName(hint) !== 'unknown' ? hint : told;
}

function read(call: HookCall, fields: Fields): Event {
  const agentEvent = eventNameIn(fields, call);
  const name = canonicalName(agentEvent);
  const transcript = textAt(fields, 'transcript_path', 'transcriptPath');
  const session =
    textAt(fields, 'session_id', 'sessionId') || (transcript === undefined ? '' : stem(transcript)) || call.sessionId;
  const home = call.home;
  const told = textAt(fields, 'cwd');
  const cwd = told === undefined ? call.cwd : resolvePath(told, { cwd: call.cwd, home });
  const event: Draft = {
    name,
    agent: AGENT,
    agentEvent,
    session: session || NO_SESSION,
    hasSession: Boolean(session),
    cwd,
    depth: call.depth,
    receivedAt: call.receivedAt,
  };

  // A type without an id is the main thread of a session that runs under a named agent.
  const agentId = textAt(fields, 'agent_id', 'agentId');
  if (agentId !== undefined) event.subagent = { id: agentId, type: textAt(fields, 'agent_type', 'agentType') ?? '' };
  if (transcript !== undefined) event.transcript = transcript;
  const promptId = textAt(fields, 'prompt_id', 'promptId');
  if (promptId !== undefined) event.promptId = promptId;
  const permissionMode = textAt(fields, 'permission_mode', 'permissionMode');
  if (permissionMode !== undefined) {
    event.permissionMode = permissionMode;
    if (SELF_APPROVING_MODES.has(permissionMode)) event.approvesItself = true;
  }
  if (permissionMode === UNASKED_MODE) event.asksPerson = false;
  if (call.projectDir !== undefined) event.projectDir = call.projectDir;
  if (call.attended !== undefined) event.attended = call.attended;
  if (call.agentPid !== undefined) event.agentPid = call.agentPid;

  addOwnFields(event, name, fields, { cwd, home });
  return event;
}

function addOwnFields(event: Draft, name: EventName, fields: Fields, base: PathBase): void {
  switch (name) {
    case 'tool.before':
    case 'tool.after':
    case 'permission.request':
      event.tool = readTool(fields, base);
      return;
    case 'tool.failed':
      event.tool = readTool(fields, base, true);
      return;
    case 'permission.denied':
      event.tool = readTool(fields, base);
      return addText(event, 'error', textAt(fields, 'reason'));
    case 'tool.batch': {
      const calls = fields['tool_calls'] ?? fields['toolCalls'];
      event.batch = Array.isArray(calls) ? calls.filter(isFields).map((item) => readTool(item, base)) : [];
      return;
    }
    case 'prompt.submit':
    case 'prompt.expand':
      return addPrompt(event, fields);
    case 'session.start':
    case 'session.setup': {
      const model = textAt(fields, 'model');
      const source = textAt(fields, 'source') ?? textAt(fields, 'trigger') ?? '';
      event.start = model === undefined ? { source } : { source, model };
      return;
    }
    case 'session.end':
      event.end = { reason: textAt(fields, 'reason') ?? '' };
      return;
    case 'turn.stop':
    case 'subagent.stop':
      return addStop(event, fields);
    case 'turn.failed':
      return addText(event, 'error', textAt(fields, 'error'));
    case 'compact.before':
    case 'compact.after': {
      const trigger = textAt(fields, 'trigger') ?? '';
      const text =
        name === 'compact.before'
          ? textAt(fields, 'custom_instructions', 'customInstructions')
          : textAt(fields, 'compact_summary', 'compactSummary');
      event.compact = text === undefined ? { trigger } : { trigger, text };
      return;
    }
    case 'model.before':
    case 'model.after':
      event.model = {
        from: textAt(fields, 'from_model', 'fromModel') ?? '',
        to: textAt(fields, 'to_model', 'toModel') ?? '',
      };
      return;
    case 'notification':
      event.notification = {
        kind: textAt(fields, 'notification_type', 'notificationType') ?? '',
        message: textAt(fields, 'message') ?? '',
      };
      return;
    case 'task.created':
    case 'task.completed':
      event.task = {
        id: textAt(fields, 'task_id', 'taskId') ?? '',
        subject: textAt(fields, 'task_subject', 'taskSubject') ?? '',
      };
      return;
    case 'elicitation':
    case 'elicitation.result': {
      const action = textAt(fields, 'action');
      const server = textAt(fields, 'mcp_server_name', 'mcpServerName') ?? '';
      const message = textAt(fields, 'message') ?? '';
      event.server = action === undefined ? { name: server, message } : { name: server, message, action };
      return;
    }
    case 'config.changed':
      return addPlace(event, base, textAt(fields, 'file_path', 'filePath'), textAt(fields, 'source'));
    case 'instructions.loaded':
      return addPlace(
        event,
        base,
        textAt(fields, 'file_path', 'filePath'),
        textAt(fields, 'load_reason', 'loadReason'),
      );
    case 'worktree.remove':
      return addPlace(event, base, textAt(fields, 'worktree_path', 'worktreePath'), 'remove');
    case 'cwd.changed':
      return addPlace(event, base, textAt(fields, 'new_cwd', 'newCwd'), 'enter');
    case 'file.changed':
      return addPlace(event, base, textAt(fields, 'file_path', 'filePath'), textAt(fields, 'event'));
    case 'directory.added':
      return addPlace(event, base, textAt(fields, 'directory'), textAt(fields, 'source'));
    case 'message.display':
      return addText(event, 'display', stringAt(fields, 'delta'));
    case 'unknown':
      // An event of a newer client may still be about a tool.
      if (textAt(fields, 'tool_name', 'toolName') !== undefined) event.tool = readTool(fields, base);
      return;
    case 'subagent.start':
    case 'teammate.idle':
    case 'worktree.create':
      return;
  }
}

function addText(event: Draft, key: 'error' | 'display', text: string | undefined): void {
  if (text !== undefined) event[key] = text;
}

function addPlace(event: Draft, base: PathBase, path: string | undefined, change = ''): void {
  if (path !== undefined) event.place = { path: resolvePath(path, base), change };
}

function addPrompt(event: Draft, fields: Fields): void {
  const text = blockText(fields['prompt']) ?? '';
  const prompt: { -readonly [K in keyof NonNullable<Event['prompt']>]: NonNullable<Event['prompt']>[K] } = {
    text,
    origin: readOrigin(text, textAt(fields, 'source')),
  };
  if (event.promptId !== undefined) prompt.id = event.promptId;
  const command = textAt(fields, 'command_name', 'commandName');
  if (command !== undefined) prompt.command = command;
  event.prompt = prompt;
}

/** Who wrote a prompt, as far as its text and its source tell. */
export function readOrigin(text: string, source: string | undefined): PromptOrigin {
  if (NOTIFICATION.test(text)) return 'notification';
  return source !== undefined && MACHINE_SOURCES.has(source) ? 'system' : 'human';
}

function addStop(event: Draft, fields: Fields): void {
  const tasks = fields['background_tasks'] ?? fields['backgroundTasks'];
  const again = (fields['stop_hook_active'] ?? fields['stopHookActive']) === true;
  const background = Array.isArray(tasks) ? tasks.filter(isFields).map(readTask) : [];
  const lastMessage = textAt(fields, 'last_assistant_message', 'lastAssistantMessage');
  event.stop = lastMessage === undefined ? { again, background } : { again, background, lastMessage };
}

function readTask(fields: Fields): BackgroundTask {
  return {
    id: textAt(fields, 'id') ?? '',
    kind: textAt(fields, 'type') ?? '',
    status: textAt(fields, 'status') ?? '',
    description: textAt(fields, 'description') ?? '',
  };
}

/** The same call with another input. */
export function withInput(event: Event, input: Readonly<Record<string, unknown>>, home: string): Event {
  const { tool, cwd } = event;
  if (!tool) return event;
  const fields = { tool_name: tool.name, tool_input: input, ...(tool.id !== undefined && { tool_use_id: tool.id }) };
  return { ...event, tool: readTool(fields, { cwd, home }) };
}
