import type { EventName } from '../../event/event.ts';
import { join } from '../../platform/paths.ts';
import type { ModelAnswer, Rehearsal, Stage } from '../installer.ts';
import { isFields, stringAt } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { SWITCHES } from './settings.ts';

/** What decides about hooks. All else stays out of the copy: keys, helpers that fetch some, addresses, models. */
const KEPT = ['hooks', 'allowedHttpHookUrls', 'httpHookAllowedEnvVars', ...SWITCHES];
const OWN_VARIABLE = /^FAIRLEAD_/;

function copyOf(text: string): string {
  let settings: unknown;
  try {
    settings = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // As broken as it is.
    return '{';
  }
  if (!isFields(settings)) return 'null';
  const kept = Object.entries(settings).filter(([key]) => KEPT.includes(key));
  const env = isFields(settings['env']) ? Object.entries(settings['env']) : [];
  const own = env.filter(([key]) => OWN_VARIABLE.test(key));
  return JSON.stringify({ ...Object.fromEntries(kept), ...(own.length > 0 && { env: Object.fromEntries(own) }) });
}

const fileIn = ({ project }: Stage): string => join(project, 'fairlead-canary.txt');

const read = (id: string, path: string): object => ({ type: 'tool_use', id, name: 'Read', input: { file_path: path } });
const FIRST_CALL = 'toolu_canary_1';

/** What the model says: reads a file, reads one that is not there, and is done. */
function saysAt(step: number, stage: Stage): object {
  if (step === 0) return read(FIRST_CALL, fileIn(stage));
  if (step === 1) return read('toolu_canary_2', `${fileIn(stage)}.missing`);
  return { type: 'text', text: 'Done.' };
}

const messagesIn = (body: string): readonly Fields[] => {
  try {
    const { messages, tools } = JSON.parse(body) as { messages?: unknown; tools?: unknown };
    // Without tools it is a question of the client's own.
    const isPlayed = Array.isArray(tools) && tools.length > 0 && Array.isArray(messages);
    return isPlayed
      ? (messages as readonly unknown[]).filter(isFields)
      : [{ role: 'assistant' }, { role: 'assistant' }];
  } catch {
    return [];
  }
};

function answer({ method, path, body }: Parameters<Rehearsal['answer']>[0], stage: Stage): ModelAnswer {
  if (method !== 'POST' || !path.startsWith('/v1/messages')) return { status: method === 'HEAD' ? 200 : 404, body: '' };
  const step = messagesIn(body).filter(({ role }) => role === 'assistant').length;
  const block = saysAt(step, stage) as Fields;
  const isText = block['type'] === 'text';
  const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const message = { id: `msg_canary_${step}`, type: 'message', role: 'assistant', model: 'canary', content: [] };
  const delta = isText
    ? { type: 'text_delta', text: block['text'] }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) };
  const events = [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } },
    { type: 'content_block_start', index: 0, content_block: { ...block, ...(isText ? { text: '' } : { input: {} }) } },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: isText ? 'end_turn' : 'tool_use', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return { status: 200, type: 'text/event-stream', body: lines.join('') };
}

/** What a hook of somebody said that stopped the call or the prompt. */
function refusal(bodies: readonly string[], output: string): string | undefined {
  const blocked = /UserPromptSubmit operation blocked by hook:\\n((?:[^"\\]|\\[^n])*)/.exec(output)?.[1];
  if (blocked !== undefined) return blocked;
  for (const content of bodies.flatMap(messagesIn).map((message) => message['content']))
    for (const block of Array.isArray(content) ? (content as readonly unknown[]).filter(isFields) : [])
      if (block['tool_use_id'] === FIRST_CALL && block['is_error'] === true)
        return stringAt(block, 'content') ?? JSON.stringify(block['content']);
  return undefined;
}

const HEARD: readonly EventName[] = [
  'session.start',
  'prompt.submit',
  'tool.before',
  'tool.after',
  'tool.failed',
  'tool.batch',
];

export const REHEARSAL: Rehearsal = {
  program: 'claude',
  copyOf,
  copies: ({ project, own }) => ({
    user: join(own, 'settings.json'),
    project: join(project, '.claude', 'settings.json'),
    local: join(project, '.claude', 'settings.local.json'),
  }),
  files: (stage) => ({ [fileIn(stage)]: 'canary\n' }),
  start: ({ own, session, model }) => ({
    args: [
      ...['-p', 'canary', '--session-id', session, '--output-format', 'json'],
      ...['--allowedTools', 'Read', '--strict-mcp-config'],
    ],
    env: {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CONFIG_DIR: own,
      CLAUDE_CODE_TMPDIR: join(own, 'tmp'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
    },
  }),
  answer,
  refusal,
  heard: HEARD,
  played: [...HEARD, 'turn.stop', 'session.end'],
};
