import type { CallbackInput, CallbackOutput, PluginInput, Properties } from './client.ts';
import { createSessions } from './sessions.ts';
import type { Sessions } from './sessions.ts';

type Callback = (input: CallbackInput, output: CallbackOutput) => Promise<void>;
type Listener = (properties: Properties) => Promise<unknown>;

/** The client ends when this is over, whatever is left to tell. */
const LAST_WORDS_MS = 2_000;

/**
 * What runs inside the client. It hands events to the engine over its socket, and does with the reply what the client lets a
 * plugin do. Without an engine it starts what hooks of other agents start, which decides by itself and brings an engine up.
 */
export const Fairlead = async (input: PluginInput): Promise<object> => {
  const sessions = createSessions(input);
  const denied = new Set<string>();
  const servers: string[] = [];
  /** The server that a tool is of, by the names in the settings; the client puts the two together. */
  const serverOf = (tool: string): object => {
    const server = servers.find((name) => tool.startsWith(`${name}_`));
    return server === undefined ? {} : { mcp: { server, tool: tool.slice(server.length + 1) } };
  };
  const listeners = listenersFor(sessions, denied, serverOf);
  return {
    ...callbacksFor(sessions),
    ...callCallbacks(sessions, denied, serverOf),
    async config(settings?: { readonly mcp?: object | null }) {
      const mcp = settings?.mcp ?? {};
      servers.push(...Object.keys(mcp).map((name) => name.replaceAll(/[^\w-]/g, '_')));
      servers.sort((a, b) => b.length - a.length);
    },
    async event(given: { readonly event: { readonly type: string; readonly properties: Properties } }) {
      try {
        const { type, properties } = given.event;
        if (Object.hasOwn(listeners, type)) await listeners[type]?.(properties);
      } catch {
        // Nobody waits for this, and what is thrown here would end the client.
      }
    },
    async dispose() {
      const roots = [...sessions.all].filter(([, { parent }]) => parent === undefined);
      const told = roots.map(([id]) => sessions.tell('dispose', id, { reason: 'other' }));
      const late = new Promise((resolve) => {
        setTimeout(resolve, LAST_WORDS_MS).unref();
      });
      await Promise.race([Promise.allSettled(told), late]);
    },
  };
};

function callbacksFor({ of, hasBegun, tell, textFor }: Sessions): Record<string, Callback> {
  return {
    async 'chat.message'(input, output) {
      const { sessionID: id } = input;
      await hasBegun(id);
      const session = of(id);
      const { agent, model } = output.message ?? {};
      session.speaker = { agent, ...(model && { model: { providerID: model.providerID, modelID: model.modelID } }) };
      const own = session.isPushed === true;
      Object.assign(session, { isPushed: false, again: own && session.again });
      const reply = await tell('chat.message', id, { input, output, own });
      if (reply.deny !== undefined) throw new Error(reply.deny);
      const last = output.parts?.at(-1);
      const text = last ? textFor(id, reply) : '';
      if (text === '') return;
      const part = {
        id: `${last?.id}z`,
        sessionID: id,
        messageID: last?.messageID,
        type: 'text',
        synthetic: true,
        text,
      };
      output.parts?.push(part);
    },
    async 'experimental.session.compacting'(input, output) {
      const { note } = await tell('experimental.session.compacting', input.sessionID, { input });
      if (note !== undefined) output.context?.push(note);
    },
    async 'experimental.text.complete'({ sessionID }, { text }) {
      of(sessionID).lastMessage = text;
    },
  };
}

function callCallbacks(
  { tell, textFor }: Sessions,
  denied: Set<string>,
  serverOf: (tool: string) => object,
): Record<string, Callback> {
  return {
    async 'tool.execute.before'(input, output) {
      const reply = await tell('tool.execute.before', input.sessionID, { input, output, ...serverOf(input.tool) });
      if (reply.deny !== undefined) {
        denied.add(input.callID);
        throw new Error(reply.deny);
      }
      if (reply.args === undefined) return;
      // The client keeps the object that it gave, whatever stands in its place.
      for (const key of Object.keys(output.args)) delete output.args[key];
      Object.assign(output.args, reply.args);
    },
    async 'tool.execute.after'(input, output) {
      const reply = await tell('tool.execute.after', input.sessionID, { input, output, ...serverOf(input.tool) });
      // A call of the client itself that failed has none.
      const { output: printed, content } = (output as CallbackOutput | undefined) ?? {};
      if (typeof printed !== 'string' && !Array.isArray(content)) return;
      const text = textFor(input.sessionID, reply);
      if (text === '') return;
      if (typeof printed === 'string') output.output = `${printed}\n\n${text}`;
      else content?.push({ type: 'text', text });
    },
  };
}

function listenersFor(
  { begin, of, tell, tellAndHold, goOn }: Sessions,
  denied: Set<string>,
  serverOf: (tool: string) => object,
): Record<string, Listener> {
  return {
    async 'session.created'(properties) {
      const { sessionID: id, info = {} } = properties;
      begin(id, info).began = tellAndHold('session.created', id, { source: 'startup', properties });
    },
    async 'session.idle'(properties) {
      const { sessionID: id } = properties;
      const { lastMessage, again } = of(id);
      const { deny } = await tell('session.idle', id, {
        properties,
        last_message: lastMessage,
        stop_hook_active: again,
      });
      if (deny !== undefined) await goOn(id, deny);
    },
    async 'message.part.updated'(properties) {
      const { part } = properties;
      if (part?.type !== 'tool' || part.state?.status !== 'error' || denied.delete(part.callID)) return;
      await tellAndHold('message.part.updated', part.sessionID, { properties, ...serverOf(part.tool) });
    },
    'session.error': (properties) => tell('session.error', properties.sessionID, { properties }),
    'session.compacted': (properties) => tellAndHold('session.compacted', properties.sessionID, { properties }),
    'permission.asked': (properties) => tell('permission.asked', properties.sessionID, { properties }),
  };
}
