import type { Event, EventName, HookCall, ToolCall } from '../event/event.ts';
import type { AgentEvent } from './adapter.ts';
import type { Fields } from './fields.ts';
import { blockText, isFields, textAt } from './fields.ts';
import { resolvePath } from './paths.ts';
import type { PathBase } from './paths.ts';

export type EventDraft = { -readonly [K in keyof Event]: Event[K] };

/** What is an agent's own in payloads that are otherwise like those of most: one object, with the agent's name of the event. */
export interface PayloadWords {
  readonly agent: string;
  canonicalName(name: string): EventName;
  readTool(fields: Fields, base: PathBase): ToolCall;
  /** The field that holds what the model said last, where a turn ends. */
  readonly lastMessage?: string;
  /** What else a payload tells; `event` has all that is usual by then. */
  add?(event: EventDraft, fields: Fields, base: PathBase): void;
}

/** What agents that tell of sub-agents and modes call a turn, and the modes in which they run most calls without a question. */
export interface TurnWords {
  readonly id: string;
  readonly selfApproving: readonly string[];
}

/** The bucket that events without any session share. */
const NO_SESSION = 'unknown';
const NOTHING: Fields = Object.freeze({});
const CALLS: ReadonlySet<EventName> = new Set([
  'tool.before',
  'tool.after',
  'tool.failed',
  'permission.request',
  'permission.denied',
]);

export function namesIn(events: readonly AgentEvent[]): (name: string) => EventName {
  const canonical: ReadonlyMap<string, EventName> = new Map(events.map((event) => [event.name, event.canonical]));
  return (name) => canonical.get(name) ?? 'unknown';
}

export function eventReader(words: PayloadWords): (call: HookCall) => Event {
  const { agent, canonicalName, add } = words;

  /** As the payload says, unless nobody knows that name. An entry for calls that a guard may stop is for these alone. */
  function eventNameIn(fields: Fields, { eventHint: hint = '', isGuess }: HookCall): string {
    if (!isGuess && canonicalName(hint) === 'tool.before') return hint;
    const told = textAt(fields, 'hook_event_name') ?? hint;
    return canonicalName(told) === 'unknown' && canonicalName(hint) !== 'unknown' ? hint : told;
  }

  function read(call: HookCall, fields: Fields): Event {
    const agentEvent = eventNameIn(fields, call);
    const name = canonicalName(agentEvent);
    const session = textAt(fields, 'session_id') ?? call.sessionId;
    const { home, depth, receivedAt } = call;
    const cwd = resolvePath(call.sessionDir ?? textAt(fields, 'cwd') ?? call.cwd, { cwd: call.cwd, home });
    const event: EventDraft = {
      ...{ name, agent, agentEvent, session: session ?? NO_SESSION, hasSession: session !== undefined, cwd },
      ...{ depth, receivedAt },
    };
    const transcript = textAt(fields, 'transcript_path');
    if (transcript !== undefined) event.transcript = transcript;
    addUsual(event, fields, { cwd, home }, words);
    add?.(event, fields, { cwd, home });
    return event;
  }

  return (call) => {
    try {
      return read(call, isFields(call.payload) ? call.payload : NOTHING);
    } catch {
      // Only a payload that did not come from JSON gets here: a getter or a proxy that throws.
      return read(call, NOTHING);
    }
  };
}

function addUsual(event: EventDraft, fields: Fields, base: PathBase, { readTool, lastMessage }: PayloadWords): void {
  const { name } = event;
  // An event of a newer client may still be about a tool.
  if (CALLS.has(name) || (name === 'unknown' && textAt(fields, 'tool_name') !== undefined))
    event.tool = readTool(fields, base);
  else if (name === 'prompt.submit') event.prompt = { text: blockText(fields['prompt']) ?? '', origin: 'human' };
  else if (name === 'session.start') {
    const model = textAt(fields, 'model');
    event.start = { source: textAt(fields, 'source') ?? '', ...(model !== undefined && { model }) };
  } else if (name === 'session.end') event.end = { reason: textAt(fields, 'reason') ?? '' };
  else if (name === 'turn.stop' || name === 'subagent.stop') {
    const said = lastMessage === undefined ? undefined : textAt(fields, lastMessage);
    const again = fields['stop_hook_active'] === true;
    event.stop = { again, background: [], ...(said !== undefined && { lastMessage: said }) };
  } else if (name === 'compact.before' || name === 'compact.after')
    event.compact = { trigger: textAt(fields, 'trigger') ?? '' };
}

/** Who acts in which turn, and in which mode. What a sub-agent is asked is written by the agent that started it. */
export function addTurn(event: EventDraft, fields: Fields, words: TurnWords): void {
  const agentId = textAt(fields, 'agent_id');
  if (agentId !== undefined) event.subagent = { id: agentId, type: textAt(fields, 'agent_type') ?? '' };
  const id = textAt(fields, words.id);
  if (id !== undefined) event.promptId = id;
  const mode = textAt(fields, 'permission_mode');
  if (mode !== undefined) event.permissionMode = mode;
  if (mode !== undefined && words.selfApproving.includes(mode)) event.approvesItself = true;
  if (event.prompt)
    event.prompt = {
      ...event.prompt,
      origin: event.subagent ? 'system' : 'human',
      ...(id !== undefined && { id }),
    };
}
