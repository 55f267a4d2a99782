import type { EventName } from '../event/event.ts';
import type { ToldCall, ToldEvent, TranscriptRecord } from '../event/transcript.ts';
import type { Telling } from './telling.ts';

interface Agent {
  readonly id: string;
  type: string;
  /** The calls of its last message. */
  batch: { readonly message: string; readonly calls: Map<string, ToldCall>; open: number } | undefined;
}

interface Session {
  readonly projectDir: string;
  readonly transcript: string;
  readonly agents: Map<string, Agent>;
  cwd: string;
  branch: string | undefined;
  at: number;
  mode: string | undefined;
  promptId: string | undefined;
  attended: false | undefined;
}

type Of<Kind extends TranscriptRecord['kind']> = Extract<TranscriptRecord, { readonly kind: Kind }>;
type Ahead = Pick<Telling, 'resultOf' | 'goesOn'>;

const MAIN = '';
/** Calls that two transcripts tell of, since a session that goes on elsewhere takes its past along. */
const MOST_CALLS = 500_000;

export interface Teller {
  /** The events that a record stands for, in the order in which the agent had sent them. */
  tell(record: TranscriptRecord, at: number, ahead: Ahead): readonly ToldEvent[];
  /** Nothing more comes of the session. */
  end(session: string): readonly ToldEvent[];
}

/** Makes events of records again. What no transcript tells, as notifications and changed settings, is no event. */
export function createTeller(transcriptOf: (session: string) => string): Teller {
  const sessions = new Map<string, Session>();
  const seen = new Set<string>();

  function sessionOf(
    record: TranscriptRecord,
    at: number,
  ): { id: string; session: Session; isNew: boolean } | undefined {
    const { session: id, cwd } = record;
    if (id === undefined) return undefined;
    const known = sessions.get(id);
    if (known) return { id, session: known, isNew: false };
    if (cwd === undefined) return undefined;
    const session: Session = {
      projectDir: cwd,
      transcript: transcriptOf(id),
      agents: new Map([[MAIN, { id: MAIN, type: '', batch: undefined }]]),
      cwd,
      branch: record.branch,
      at,
      mode: undefined,
      promptId: undefined,
      attended: record.attended,
    };
    sessions.set(id, session);
    return { id, session, isNew: true };
  }

  return {
    tell(record, at, ahead) {
      const found = sessionOf(record, at);
      if (!found) return [];
      const { id, session, isNew } = found;
      session.at = at;
      session.cwd = record.cwd ?? session.cwd;
      session.branch = record.branch ?? session.branch;
      session.mode = record.mode ?? session.mode;
      const begins: ToldEvent[] = [];
      if (isNew) begins.push(eventOf('session.start', id, session, undefined, { reason: 'startup' }));
      if (record.kind === 'prompt' && record.subagent === undefined) session.promptId = record.id ?? session.promptId;
      let agent = session.agents.get(record.subagent ?? MAIN);
      if (!agent) {
        agent = { id: record.subagent ?? MAIN, type: '', batch: undefined };
        session.agents.set(agent.id, agent);
        begins.push(eventOf('subagent.start', id, session, agent));
      }
      return [...begins, ...eventsOf(record, { id, session, agent, ahead, seen })];
    },
    end(id) {
      const session = sessions.get(id);
      sessions.delete(id);
      return session ? [eventOf('session.end', id, session, undefined, { reason: 'other' })] : [];
    },
  };
}

interface Around {
  readonly id: string;
  readonly session: Session;
  readonly agent: Agent;
  readonly ahead: Ahead;
  readonly seen: Set<string>;
}

function eventsOf(record: TranscriptRecord, around: Around): readonly ToldEvent[] {
  const make = (name: EventName, more: Partial<ToldEvent> = {}) =>
    eventOf(name, around.id, around.session, around.agent, more);
  switch (record.kind) {
    case 'prompt':
      // What a sub-agent is told to do is the input of the call that started it.
      if (around.agent.id !== MAIN && record.heard !== true) return [];
      return [make('prompt.submit', { prompt: { text: record.text, origin: record.origin } })];
    case 'answer':
      if (record.ends !== true) return [];
      return [make(around.agent.id === MAIN ? 'turn.stop' : 'subagent.stop', { lastMessage: record.text })];
    case 'call':
      return startCall(record, around, make);
    case 'result':
      return endCall(record, around, make);
    case 'compacted':
      return [
        make('compact.before', { reason: 'auto' }),
        make('session.start', { reason: 'compact' }),
        make('compact.after', { reason: 'auto' }),
      ];
    case 'hook':
    case 'turn-end':
      return [];
  }
}

type Make = (name: EventName, more?: Partial<ToldEvent>) => ToldEvent;

function startCall(record: Of<'call'>, { agent, ahead, seen }: Around, make: Make): readonly ToldEvent[] {
  const { name, id, input } = record.call;
  if (id === undefined || seen.has(id)) return [];
  if (seen.size >= MOST_CALLS) seen.delete(seen.values().next().value as string);
  seen.add(id);
  const call: ToldCall = { name, id, input };
  const message = record.message ?? id;
  if (agent.batch?.message !== message) agent.batch = { message, calls: new Map(), open: 0 };
  agent.batch.calls.set(id, call);
  agent.batch.open += 1;
  const result = ahead.resultOf(id);
  // The agent turned it down by itself: no hook is asked about such a call.
  if (result?.outcome === 'invalid') return [];
  return [make('tool.before', { call, ...(result?.before === undefined ? {} : { before: result.before }) })];
}

function endCall(record: Of<'result'>, { session, agent, ahead }: Around, make: Make): readonly ToldEvent[] {
  const { batch } = agent;
  const call = batch?.calls.get(record.call);
  if (!batch || !call) return [];
  if (record.started) {
    const started = session.agents.get(record.started.id);
    if (started) started.type = record.started.type;
  }
  const events: ToldEvent[] = [];
  if (record.outcome === 'ran')
    events.push(make('tool.after', { call: { ...call, output: record.output ?? record.text } }));
  if (record.outcome === 'failed') events.push(make('tool.failed', { call: { ...call, error: record.text } }));
  batch.calls.set(record.call, { ...call, output: record.text });
  batch.open -= 1;
  if (batch.open > 0 || ahead.goesOn(batch.message)) return events;
  agent.batch = undefined;
  return [...events, make('tool.batch', { batch: [...batch.calls.values()] })];
}

function eventOf(
  name: EventName,
  id: string,
  session: Session,
  agent: Agent | undefined,
  more: Partial<ToldEvent> = {},
): ToldEvent {
  const { at, transcript, cwd, projectDir, branch, attended, promptId, mode } = session;
  return {
    name,
    at,
    session: id,
    transcript,
    cwd,
    projectDir,
    ...(branch === undefined ? {} : { branch }),
    ...(attended === undefined ? {} : { attended }),
    ...(promptId === undefined ? {} : { promptId }),
    ...(mode === undefined || name.startsWith('session.') ? {} : { mode }),
    ...(agent && agent.id !== MAIN ? { subagent: { id: agent.id, type: agent.type } } : {}),
    ...more,
  };
}
