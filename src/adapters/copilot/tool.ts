import type { ToolCall } from '../../event/event.ts';
import type { Fields } from '../fields.ts';
import { isFields, stringAt, textAt } from '../fields.ts';
import { addPatch } from '../patch-edits.ts';
import { isAbsolute, resolvePath } from '../paths.ts';
import type { PathBase } from '../paths.ts';
import { asServerCall, readCall } from '../read-call.ts';
import type { CallDraft } from '../read-call.ts';
import { TOOLS } from './names.ts';

/** The tool whose whole input is one text; rules find the text under this key. */
const PATCH = 'apply_patch';
export const PATCH_KEY = 'patch';

/** How a command ended is told behind its output alone. */
const ENDED = /<shellId: \S+ completed with exit code (\d+)>\s*$/;
const RUNS_ON = /<command started in background with shellId: \S+>\s*$/;

export function readTool(fields: Fields, base: PathBase): ToolCall {
  const name = textAt(fields, 'tool_name') ?? '';
  const given = inputOf(name, fields['tool_input']);
  const call = readCall(name, given, { tools: TOOLS, spell: (path) => [literal(path)] }, base);
  const patch = stringAt(call.input, PATCH_KEY);
  if (name === PATCH || (call.kind === 'edit' && patch !== undefined)) {
    delete call.unread;
    addPatch(call, patch ?? '', (path) => resolvePath(literal(path), base));
  } else if (call.kind === 'edit' && call.paths.length === 0) addAsked(call, base);
  const [, server, tool] = /^([^-/]+(?:-[^-/]+)*)[-/]([^-/]+)$/.exec(name) ?? [];
  if (call.kind === 'other' && server !== undefined && tool !== undefined) asServerCall(call, server, tool, base);
  addResult(call, fields);
  return call;
}

/** A patch is a text, also under another name of the tool; older clients sent every input as the text of an object. */
function inputOf(name: string, given: unknown): unknown {
  if (typeof given !== 'string') return given;
  if (name === PATCH || /^\s*\*\*\* /.test(given)) return { [PATCH_KEY]: given };
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}

/** Whom the client asks about a change of a file it tells the file and a difference, whatever the tool was. */
function addAsked(call: CallDraft, base: PathBase): void {
  const path = textAt(call.input, 'file_path');
  if (path === undefined) return;
  delete call.unread;
  call.paths = [resolvePath(literal(path), base)];
  call.edits = call.paths.map((each) => ({ path: each, operation: 'replace' }));
}

/** The client expands nothing in a path. */
function literal(path: string): string {
  return isAbsolute(path) ? path : `./${path}`;
}

function addResult(call: CallDraft, fields: Fields): void {
  const result = fields['tool_result'];
  if (result !== undefined) call.output = result;
  const text = isFields(result) ? stringAt(result, 'text_result_for_llm', 'textResultForLlm') : undefined;
  if (text !== undefined) call.outputText = text;
  const error = textAt(fields, 'error');
  const code = call.kind === 'shell' ? ENDED.exec(text ?? '')?.[1] : undefined;
  if (call.kind === 'shell' && RUNS_ON.test(text ?? '')) call.background = true;
  if (error === undefined && (code === undefined || code === '0')) return;
  call.failed = true;
  call.error = error ?? text ?? '';
}
