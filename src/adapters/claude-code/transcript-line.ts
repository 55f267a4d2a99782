import type { ToolCall } from '../../event/event.ts';
import type { TranscriptLine, UsageRecord } from '../../event/transcript.ts';
import type { Fields } from '../fields.ts';
import { blockText, isFields, numberAt, textAt } from '../fields.ts';
import { readTool } from './tool.ts';
import { HAS_RESULT, parseLine, typedText } from './transcript.ts';

/** Lines that no reader wants are the longest ones, and are never parsed. */
const WANTED = /"type":\s*"(?:user|assistant)"|"subtype":\s*"compact_boundary"/;

/** What one line of a transcript tells; nothing for lines of sub-agents, of the client itself, or that are damaged. */
export function readTranscriptLine(text: string): TranscriptLine | undefined {
  if (!WANTED.test(text) || HAS_RESULT.test(text)) return undefined;
  const line = parseLine(text);
  if (line === undefined || line['isSidechain'] === true) return undefined;
  const about = aboutLine(line);
  if (line['subtype'] === 'compact_boundary') return { ...about, compacted: true };
  if (line['type'] === 'user') {
    const prompt = asTyped(typedText(line) ?? '');
    return prompt === '' ? about : { ...about, prompt };
  }
  return line['type'] === 'assistant' ? { ...about, ...readMessage(line, about.cwd ?? '/') } : undefined;
}

/** The newest usage record among whole lines. Read from the end: what is older is not even parsed. */
export function usageIn(lines: string): UsageRecord | undefined {
  for (let before = lines.length; before > 0;) {
    // Inside a text its quotes would be escaped.
    const at = lines.lastIndexOf('"input_tokens"', before - 1);
    if (at < 0) return undefined;
    const start = lines.lastIndexOf('\n', at) + 1;
    const end = lines.indexOf('\n', at);
    const line = parseLine(lines.slice(start, end < 0 ? lines.length : end));
    const usage = line?.['type'] === 'assistant' && line['isSidechain'] !== true ? readUsage(line) : undefined;
    if (usage !== undefined) return usage;
    before = start;
  }
  return undefined;
}

/** A configured name may carry it too, where a message does not. */
export function windowOfModel(model: string): number | undefined {
  return /\[1m\]/i.test(model) ? 1_000_000 : undefined;
}

export function aboutLine(line: Fields): Pick<TranscriptLine, 'at' | 'cwd' | 'branch'> {
  // Not spread: every line has one, and to add to a copy costs a microsecond for each property.
  const about: { at?: number; cwd?: string; branch?: string } = {};
  const at = Date.parse(textAt(line, 'timestamp') ?? '');
  if (!Number.isNaN(at)) about.at = at;
  const cwd = textAt(line, 'cwd');
  if (cwd !== undefined) about.cwd = cwd;
  const branch = textAt(line, 'gitBranch');
  if (branch !== undefined) about.branch = branch;
  return about;
}

function readMessage(line: Fields, cwd: string): TranscriptLine {
  const message = line['message'];
  // What the client says in the model's place, such as that a request failed, is no answer.
  if (!isFields(message) || !isModel(textAt(message, 'model'))) return {};
  const content = message['content'];
  const blocks = Array.isArray(content) ? content.filter(isFields) : [];
  const said = blockText(typeof content === 'string' ? content : blocks.filter((block) => block['type'] === 'text'));
  const calls = blocks.filter((block) => block['type'] === 'tool_use').map((block) => readCall(block, cwd));
  const usage = readUsage(line);
  return {
    ...(said === undefined || said.trim() === '' ? {} : { answer: said }),
    ...(calls.length === 0 ? {} : { calls }),
    ...(usage === undefined ? {} : { usage }),
  };
}

function readCall(block: Fields, cwd: string): ToolCall {
  const input = block['input'];
  return readTool({ tool_name: textAt(block, 'name') ?? '', tool_input: input }, { cwd, home: '' });
}

function readUsage(line: Fields): UsageRecord | undefined {
  const message = line['message'];
  if (!isFields(message) || message['role'] !== 'assistant') return undefined;
  const model = textAt(message, 'model');
  const usage = message['usage'];
  if (!isModel(model) || !isFields(usage)) return undefined;
  const own = numberAt(usage, 'input_tokens');
  if (own === undefined) return undefined;
  const cached = ['cache_creation_input_tokens', 'cache_read_input_tokens'].map((key) => numberAt(usage, key) ?? 0);
  const tokens = cached.reduce((sum, part) => sum + part, own);
  const window = windowOfModel(model);
  return tokens > 0 ? { tokens, model, ...(window === undefined ? {} : { window }) } : undefined;
}

/** Lines that the client makes up itself name a model in angle brackets. */
export function isModel(name: string | undefined): name is string {
  return name !== undefined && !name.startsWith('<');
}

const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>\s*/g;
const COMMAND =
  /^\s*<command-message>[\s\S]*?<command-name>([^<]*)<\/command-name>(?:\s*<command-args>([\s\S]*?)<\/command-args>)?/;

/** As the person typed it: without what the client put around it. */
function asTyped(text: string): string {
  const command = COMMAND.exec(text);
  const said = command ? `${command[1] ?? ''} ${command[2] ?? ''}` : text.replace(REMINDER, '');
  return said.trim();
}
