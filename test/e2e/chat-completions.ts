import type { ServerResponse } from 'node:http';
import type { AgentTurn } from './agent-suite.ts';

interface ChatMessage {
  readonly role: string;
  readonly content?: string | null | readonly { readonly text?: string }[];
}

/** What a model was sent in the end: the results of its calls, and all that it was told beside what the client says by itself. */
export function readChat(body: string | undefined): { readonly results: readonly string[]; readonly told: string } {
  const { messages = [] } = JSON.parse(body ?? '{}') as { messages?: readonly ChatMessage[] };
  const textOf = ({ content }: ChatMessage): string =>
    typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n');
  const results = messages.filter(({ role }) => role === 'tool').map(textOf);
  return { results, told: messages.map(textOf).join('\n') };
}

/** One reply of a model, as a service with chat completions streams it. */
export function answerChat(response: ServerResponse, { call, text = '' }: AgentTurn, id: number): void {
  const calls = call && [
    {
      index: 0,
      id: `call_${id}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.args) },
    },
  ];
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: `reply_${id}`, object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant', ...(calls ? { tool_calls: calls } : { content: text }) }, null));
  response.end(`${chunk({}, calls ? 'tool_calls' : 'stop')}data: [DONE]\n\n`);
}
