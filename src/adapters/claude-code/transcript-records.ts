import type { CallJudge, HookOutcome, RecordPlace, TranscriptRecord } from '../../event/transcript.ts';
import type { Fields } from '../fields.ts';
import { blockText, isFields, numberAt, stringAt, textAt } from '../fields.ts';
import { canonicalName } from './names.ts';
import { isOwnHook } from './own-hook.ts';
import { readOrigin } from './parse.ts';
import { readTool } from './tool.ts';
import { NOT_TYPED, parseLine } from './transcript.ts';
import { aboutLine, isModel } from './transcript-line.ts';

/** Most bytes of a transcript are in lines that tell nothing of what happened, such as requests; these are never parsed. */
const TELLS =
  /"type":\s*"(?:user|assistant|hook_[a-z_]+)"|"subtype":\s*"(?:stop_hook_summary|compact_boundary)"|"promptSubmitEnding":/;

export function recordsIn(text: string): readonly TranscriptRecord[] | undefined {
  if (!TELLS.test(text)) return isWhole(text) ? [] : undefined;
  const line = parseLine(text);
  if (line === undefined) return undefined;
  const place = placeOf(line);
  switch (line['type']) {
    case 'user':
      return readUser(line, place);
    case 'assistant':
      return readAnswer(line, place);
    case 'attachment':
      return isFields(line['attachment']) ? readHook(line['attachment'], place) : [];
    case 'system':
      return readSystem(line, place);
    default:
      return [];
  }
}

/** As far as the ends of a line tell. */
function isWhole(text: string): boolean {
  return text === '' || (text.startsWith('{') && /\}\s*$/.test(text.slice(-3)));
}

/** How the client says that no person sits at it. */
const DRIVEN = 'sdk-cli';

function placeOf(line: Fields): RecordPlace {
  const place: { -readonly [Key in keyof RecordPlace]: RecordPlace[Key] } = aboutLine(line);
  const mode = textAt(line, 'permissionMode');
  if (mode !== undefined) place.mode = mode;
  if (line['entrypoint'] === DRIVEN) place.attended = false;
  const session = textAt(line, 'sessionId');
  if (session !== undefined) place.session = session;
  const subagent = textAt(line, 'agentId');
  if (subagent !== undefined) place.subagent = subagent;
  return place;
}

function readUser(line: Fields, place: RecordPlace): readonly TranscriptRecord[] {
  const content = isFields(line['message']) ? line['message']['content'] : undefined;
  const results = Array.isArray(content)
    ? content.filter((block): block is Fields => isFields(block) && block['type'] === 'tool_result')
    : [];
  if (results.length > 0) return results.flatMap((block) => readResult(block, line, place));
  const text = blockText(content);
  // The client itself speaks as the user too: what it adds, and the summary after which it forgot.
  if (line['isMeta'] === true || line['isCompactSummary'] === true) return [];
  if (text === undefined || text === '' || NOT_TYPED.test(text)) return [];
  const id = textAt(line, 'promptId');
  // A sub-agent is asked by the agent.
  const origin = line['isSidechain'] === true ? 'system' : readOrigin(text, textAt(line, 'promptSource'));
  return [{ ...place, kind: 'prompt', text, origin, ...(id === undefined ? {} : { id }) }];
}

const INVALID = '<tool_use_error>';

function readResult(block: Fields, line: Fields, place: RecordPlace): readonly TranscriptRecord[] {
  const call = textAt(block, 'tool_use_id');
  if (call === undefined) return [];
  const text = blockText(block['content']) ?? '';
  const failed = block['is_error'] === true;
  const judged = isFields(line['permissionDecision']) ? line['permissionDecision'] : undefined;
  const stopped = judged?.['decision'] === 'reject' || (failed && line['toolDenialKind'] !== undefined);
  const outcome = stopped ? 'stopped' : failed ? (text.startsWith(INVALID) ? 'invalid' : 'failed') : 'ran';
  const by = judged && judgeOf(textAt(judged, 'source') ?? '');
  const output = line['toolUseResult'];
  const started = isFields(output) ? textAt(output, 'agentId') : undefined;
  const before = isFields(output) ? output['originalFile'] : undefined;
  return [
    {
      ...place,
      kind: 'result',
      call,
      outcome,
      text,
      ...(by === undefined ? {} : { by }),
      ...(output === undefined ? {} : { output }),
      ...(typeof before === 'string' || before === null ? { before } : {}),
      ...(started === undefined ? {} : { started: { id: started, type: textAt(output as Fields, 'agentType') ?? '' } }),
    },
  ];
}

function judgeOf(source: string): CallJudge | undefined {
  if (source === 'hook') return 'hook';
  if (source.startsWith('user')) return 'person';
  return source === '' ? undefined : 'settings';
}

/** Why the model stopped, where no call follows. */
const ENDS: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence']);

function readAnswer(line: Fields, place: RecordPlace): readonly TranscriptRecord[] {
  const message = line['message'];
  if (!isFields(message) || !isModel(textAt(message, 'model'))) return [];
  const { content } = message;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  if (!Array.isArray(blocks)) return [];
  const base = { cwd: place.cwd ?? '/', home: '' };
  const id = textAt(message, 'id');
  const ends = ENDS.has(textAt(message, 'stop_reason') ?? '');
  return blocks.filter(isFields).flatMap((block): TranscriptRecord[] => {
    if (block['type'] === 'text') {
      const text = textAt(block, 'text')?.trim() ?? '';
      return text === '' ? [] : [{ ...place, kind: 'answer', text, ...(ends ? { ends } : {}) }];
    }
    if (block['type'] !== 'tool_use') return [];
    const fields = { tool_name: block['name'], tool_input: block['input'], tool_use_id: block['id'] };
    return [{ ...place, kind: 'call', call: readTool(fields, base), ...(id === undefined ? {} : { message: id }) }];
  });
}

const HOOK_OUTCOMES: Readonly<Record<string, HookOutcome>> = {
  hook_success: 'ran',
  hook_additional_context: 'told',
  hook_system_message: 'warned',
  hook_blocking_error: 'blocked',
  hook_cancelled: 'late',
  hook_non_blocking_error: 'failed',
};

const CUT = '<persisted-output>';
const PREVIEW = /\nPreview \([^)\n]*\):\n/;
const CUT_END = /(?:\n\.\.\.)?\n?<\/persisted-output>\s*$/;

function readHook(told: Fields, place: RecordPlace): readonly TranscriptRecord[] {
  const outcome = HOOK_OUTCOMES[textAt(told, 'type') ?? ''];
  if (outcome === undefined) return [];
  const objection = isFields(told['blockingError']) ? told['blockingError'] : undefined;
  const texts = textsOf(told, outcome, objection);
  const call = textAt(told, 'toolUseID');
  const command = textAt(told, 'command') ?? (objection && textAt(objection, 'command')) ?? addressIn(told);
  const durationMs = numberAt(told, 'durationMs');
  return [
    {
      ...place,
      kind: 'hook',
      event: canonicalName(textAt(told, 'hookEvent') ?? ''),
      outcome,
      texts: texts.map(preview),
      ...(texts.some((text) => text.startsWith(CUT)) ? { cut: true as const } : {}),
      ...(call === undefined ? {} : { call }),
      ...(command === undefined ? {} : { command }),
      ...(command !== undefined && isOwnHook(command) ? { own: true as const } : {}),
      ...(durationMs === undefined ? {} : { durationMs }),
    },
  ];
}

/** Of a server that answers with an error only the error says which it was. */
function addressIn(told: Fields): string | undefined {
  return /^HTTP \d+ from (\S+)$/.exec(textAt(told, 'stderr') ?? '')?.[1];
}

function textsOf(told: Fields, outcome: HookOutcome, objection: Fields | undefined): readonly string[] {
  if (outcome === 'ran') return [stringAt(told, 'stdout') ?? ''];
  if (outcome === 'failed') return [stringAt(told, 'stderr') ?? ''];
  const content = objection ? objection['blockingError'] : told['content'];
  const all: readonly unknown[] = Array.isArray(content) ? content : [content];
  return all.filter((text) => typeof text === 'string');
}

/** What the model got of a text that the client put into a file. */
function preview(text: string): string {
  if (!text.startsWith(CUT)) return text;
  const head = PREVIEW.exec(text);
  return head ? text.slice(head.index + head[0].length).replace(CUT_END, '') : '';
}

function readSystem(line: Fields, place: RecordPlace): readonly TranscriptRecord[] {
  if (line['subtype'] === 'compact_boundary') return [{ ...place, kind: 'compacted' }];
  if (line['subtype'] === 'stop_hook_summary')
    return [{ ...place, kind: 'turn-end', hooks: numberAt(line, 'hookCount') ?? 0 }];
  const submitted = isFields(line['promptSubmitEnding']) ? line['promptSubmitEnding']['ending'] : undefined;
  if (!isFields(submitted) || submitted['kind'] !== 'blocked_by_hook') return [];
  const texts = [textAt(submitted, 'reason') ?? ''];
  return [{ ...place, kind: 'hook', event: 'prompt.submit', outcome: 'blocked', texts }];
}
