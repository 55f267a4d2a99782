import type { PluginReply } from '../render.ts';
import { ask } from './ask.ts';
import { attempt } from './client.ts';
import type { PluginInput, SessionInfo } from './client.ts';

interface Session {
  /** The session that a sub-agent works for in the end. */
  readonly parent?: string;
  readonly agent?: string;
  /** Texts that came where the model reads nothing. */
  readonly held: string[];
  /** That it began, until the engine has answered. */
  began?: Promise<unknown>;
  lastMessage?: string;
  /** Who answers in it, and with which model. */
  speaker?: object;
  /** The turn was held back, and the prompt that says so is on its way. */
  isPushed?: boolean;
  /** So was the turn before. */
  again?: boolean;
}

export interface Sessions {
  readonly all: ReadonlyMap<string, Session>;
  of(id: string): Session;
  begin(id: string, info: SessionInfo): Session;
  /** Once the engine knows of it, also of one that was there before this process. */
  hasBegun(id: string): Promise<void>;
  /** Tells of an event, and shows the person what is for the person. */
  tell(event: string, id: string, payload: object): Promise<PluginReply>;
  /** Of an event with which nothing goes to the model: its text goes with the next one. */
  tellAndHold(event: string, id: string, payload: object): Promise<PluginReply>;
  /** All that the model shall read now. */
  textFor(id: string, reply: PluginReply): string;
  /** The turn is not over: the reason comes as the next prompt. */
  goOn(id: string, reason: string): Promise<void>;
}

export function createSessions({ client, directory = process.cwd() }: PluginInput): Sessions {
  const all = new Map<string, Session>();

  function of(id: string): Session {
    const known = all.get(id) ?? { held: [] };
    all.set(id, known);
    return known;
  }
  function begin(id: string, { parentID, agent = '' }: SessionInfo): Session {
    const parent = typeof parentID !== 'string' ? undefined : (all.get(parentID)?.parent ?? parentID);
    const begun: Session = parent === undefined ? { held: [] } : { parent, agent, held: [] };
    all.set(id, begun);
    return begun;
  }
  async function tell(event: string, id: string, payload: object): Promise<PluginReply> {
    const { parent, agent } = of(id);
    const who = parent === undefined ? { session_id: id } : { session_id: parent, agent_id: id, agent_type: agent };
    const reply = await ask(event, directory, { ...who, ...payload });
    const body = { title: 'Fairlead', message: reply.show, variant: 'warning' };
    if (reply.show !== undefined) void attempt(() => client.tui.showToast({ body }));
    return reply;
  }
  async function tellAndHold(event: string, id: string, payload: object): Promise<PluginReply> {
    const reply = await tell(event, id, payload);
    if (reply.note !== undefined) of(id).held.push(reply.note);
    return reply;
  }

  return {
    ...{ all, of, begin, tell, tellAndHold },
    async hasBegun(id) {
      if (!all.has(id)) {
        const found = await attempt(() => client.session.get({ path: { id } }));
        const session = begin(id, found?.data ?? {});
        if (session.parent === undefined) session.began = tellAndHold('session.created', id, { source: 'resume' });
      }
      await of(id).began;
    },
    textFor(id, { note }) {
      const texts = of(id).held.splice(0);
      return (note === undefined ? texts : [...texts, note]).join('\n\n');
    },
    async goOn(id, reason) {
      const session = of(id);
      const { isPushed, again } = session;
      Object.assign(session, { isPushed: true, again: true });
      const body = { ...session.speaker, parts: [{ type: 'text', text: reason }] };
      const isSent = await attempt(async () => {
        await client.session.promptAsync({ path: { id }, body });
        return true;
      });
      // Else the next prompt of a person would count as ours.
      if (!isSent) Object.assign(session, { isPushed, again });
    },
  };
}
