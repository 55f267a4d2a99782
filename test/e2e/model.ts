import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';

export interface ToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

type Block = ToolUse | { readonly type: 'text'; readonly text: string };

/** One reply of the model. `first` runs before it, to change the world in the middle of a session. */
export interface Turn {
  readonly content: readonly Block[];
  readonly first?: () => unknown;
  /** What the check of auto mode says of the calls; it lets them pass unless told. */
  readonly flagged?: true;
}

/** What each agent of a session says, reply by reply: `main`, and the sub-agents whose prompt names them as `[lane:name]`. */
export type Script = Readonly<Record<string, readonly Turn[]>>;

interface Message {
  readonly role: string;
  readonly content: string | readonly Readonly<Record<string, unknown>>[];
}

/** What the model received. */
export interface ModelRequest {
  readonly lane: string;
  readonly messages: readonly Message[];
  readonly raw: string;
  readonly receivedAt: number;
  /** When the reply had been written. */
  answeredAt: number;
}

export interface ToolResult {
  readonly failed: boolean;
  readonly text: string;
}

export interface Model {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): void;
}

let given = 0;

/** The client takes two messages or calls of one id for the same. */
function newId(kind: string): string {
  given += 1;
  return `${kind}_${String(given).padStart(6, '0')}`;
}

export function call(name: string, input: Readonly<Record<string, unknown>>): ToolUse {
  return { type: 'tool_use', id: newId('toolu'), name, input };
}

export const bash = (command: string): ToolUse => call('Bash', { command, description: 'run a command' });
export const read = (path: string): ToolUse => call('Read', { file_path: path });
export const write = (path: string, content: string): ToolUse => call('Write', { file_path: path, content });

export const turn = (...content: readonly ToolUse[]): Turn => ({ content });
export const flagged = (...content: readonly ToolUse[]): Turn => ({ content, flagged: true });
export const say = (text: string): Turn => ({ content: [{ type: 'text', text }] });

/** Stands in for the model's service, on the loopback interface: plays a script and keeps what it was sent. */
export async function startModel(script: Script): Promise<Model> {
  const requests: ModelRequest[] = [];
  const played = new Map<string, number>();

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await textOf(request);
    const path = new URL(request.url ?? '/', 'http://model').pathname;
    if (request.method !== 'POST' || path !== '/v1/messages') {
      response.writeHead(request.method === 'HEAD' ? 200 : 404).end();
      return;
    }
    const body = JSON.parse(raw) as {
      model: string;
      messages: Message[];
      tools?: unknown[];
      safeguards?: unknown;
    };
    const lane = laneOf(body.messages, body.tools);
    const received: ModelRequest = { lane, messages: body.messages, raw, receivedAt: performance.now(), answeredAt: 0 };
    requests.push(received);
    const at = played.get(lane) ?? 0;
    played.set(lane, at + 1);
    const next = script[lane]?.[at] ?? say(`Nothing more to say as ${lane}.`);
    await next.first?.();
    stream(response, body.model, next.content, body.safeguards === undefined ? undefined : verdictsOn(next));
    received.answeredAt = performance.now();
  }

  const server = createServer((request, response) => {
    reply(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Requests without tools are the client's own: titles, summaries. */
function laneOf(messages: readonly Message[], tools: readonly unknown[] = []): string {
  if (tools.length === 0) return 'aside';
  const first = messages.find(({ role }) => role === 'user');
  return /\[lane:(\w+)\]/.exec(JSON.stringify(first?.content ?? ''))?.[1] ?? 'main';
}

/** As the service answers a client in auto mode: a verdict for each call, made before any hook runs. */
function verdictsOn({ content, flagged: isFlagged }: Turn): object {
  const outcome = isFlagged ? { outcome: 'flagged', explanation: 'It was flagged.' } : { outcome: 'not_flagged' };
  const calls = content.flatMap((block) =>
    block.type === 'tool_use' ? [[block.id, { type: 'evaluated', ...outcome }]] : [],
  );
  const status = { type: 'available', tool_uses: Object.fromEntries(calls) as object };
  return { safeguard_results: [{ type: 'dangerous_tool_use', status }] };
}

function stream(response: ServerResponse, model: string, content: readonly Block[], verdicts: object = {}): void {
  const event = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 10 };
  const message = { id: newId('msg'), type: 'message', role: 'assistant', model, content: [] };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  event('message_start', { message: { ...message, stop_reason: null, stop_sequence: null, usage } });
  for (const [index, block] of content.entries()) {
    const isText = block.type === 'text';
    event('content_block_start', { index, content_block: isText ? { ...block, text: '' } : { ...block, input: {} } });
    event('content_block_delta', {
      index,
      delta: isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
    });
    event('content_block_stop', { index });
  }
  const calling = content.some(({ type }) => type === 'tool_use');
  const delta = { stop_reason: calling ? 'tool_use' : 'end_turn', stop_sequence: null, ...verdicts };
  event('message_delta', { delta, usage });
  event('message_stop', {});
  response.end();
}

/** Everything readable in a request's conversation, block by block. */
export function textsIn({ messages }: ModelRequest): string[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string' ? [content] : content.map((block) => blockText(block)),
  );
}

function blockText(block: Readonly<Record<string, unknown>>): string {
  const { text, content } = block;
  if (typeof text === 'string') return text;
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part) => blockText(part as Record<string, unknown>)).join('\n')
    : JSON.stringify(block);
}

/** What came of each tool call, by its id, as the model was told. */
export function resultsIn(requests: readonly ModelRequest[]): Map<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (const { messages } of requests) {
    for (const { content } of messages) {
      for (const block of typeof content === 'string' ? [] : content) {
        const id = block['tool_use_id'];
        if (block['type'] !== 'tool_result' || typeof id !== 'string' || results.has(id)) continue;
        results.set(id, { failed: block['is_error'] === true, text: blockText(block) });
      }
    }
  }
  return results;
}
