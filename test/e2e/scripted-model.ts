import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands in for a model's service, on the loopback interface. */
export interface ScriptedModel {
  readonly url: string;
  close(): void;
}

/** `answer` gets the path and the body of each request. */
export async function startScripted(
  answer: (path: string, body: string, response: ServerResponse) => unknown,
): Promise<ScriptedModel> {
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? '/', 'http://model');
    await answer(pathname, Buffer.concat(chunks).toString('utf8'), response);
  }
  const server = createServer((request, response) => {
    reply(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What a model says next: a call, or words. */
interface Said {
  readonly call?: { readonly name: string; readonly args: object };
  readonly text?: string;
}

/** Answers as a service of chat completions does, in pieces. */
export function answerChat(response: ServerResponse, { call, text = '' }: Said, id: number): void {
  const calls = call && [
    {
      index: 0,
      id: `call_${id}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.args) },
    },
  ];
  const chunk = (delta: object, finish: string | null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const piece = { id: `reply_${id}`, object: 'chat.completion.chunk', created: 1, model: 'scripted', choices };
    return `data: ${JSON.stringify(piece)}\n\n`;
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant', ...(calls ? { tool_calls: calls } : { content: text }) }, null));
  response.end(`${chunk({}, calls ? 'tool_calls' : 'stop')}data: [DONE]\n\n`);
}
