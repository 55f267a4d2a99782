import { isSecretPath, mayBeSecret } from '../effects/paths/secret-names.ts';
import { redact } from './redact.ts';
import type { Edit, Event, ToolCall } from '../event/event.ts';

const GONE = '[redacted]';

/** An event without what was read from or written to files that count as secret. */
export interface Covered {
  readonly event: Event;
  /** Texts that were taken out, for what repeats parts of the event. */
  readonly hidden: readonly string[];
}

/**
 * The same event when it is about no such file. In doubt more is taken out: the record is for telling what was decided.
 * Of what programs have printed only the first `most` characters are looked at; no more of it may be kept.
 */
export function coverSecretFiles(event: Event, most = Number.POSITIVE_INFINITY): Covered {
  const hidden: string[] = [];
  const { tool, batch } = event;
  const covered = tool && coverCall(tool, hidden, most);
  const calls = batch?.map((call) => coverCall(call, hidden, most));
  if (covered === tool && (calls === undefined || calls.every((call, at) => call === batch?.[at])))
    return { event, hidden };
  return { event: { ...event, ...(covered && { tool: covered }), ...(calls && { batch: calls }) }, hidden };
}

const LOOKING: ReadonlySet<string> = new Set(['read', 'search', 'glob', 'list']);

/** Tools whose arguments nobody knows: a path may be anywhere in them. */
const FOREIGN: ReadonlySet<string> = new Set(['mcp', 'other']);

function coverCall(call: ToolCall, hidden: string[], most: number): ToolCall {
  if (call.command !== undefined && call.kind === 'shell') return coverShell(call, call.command, hidden, most);
  const { kind, paths, edits, input } = call;
  const isTouched = [...paths, ...edits.map(({ path }) => path)].some(isSecretFile);
  if (!isTouched && !(FOREIGN.has(kind) && someText(input, namesSecretFile)))
    return coverAnswer(call, (text) => coverOutput(text, most));
  const keeps = (text: string) => LOOKING.has(kind) || isOnlyPath(text) || paths.includes(text);
  const take = (text: string) => (keeps(text) ? text : (hidden.push(text), GONE));
  const { command, ...rest } = coverAnswer(call, () => GONE);
  return {
    ...rest,
    ...(command === undefined ? {} : { command: coverCommand(command, hidden) }),
    input: mapTexts(input, take) as ToolCall['input'],
    edits: edits.map((edit) => coverEdit(edit, hidden)),
  };
}

function coverEdit({ old, new: next, ...edit }: Edit, hidden: string[]): Edit {
  hidden.push(...[old, next].filter((text) => text !== undefined));
  return { ...edit, ...(old !== undefined && { old: GONE }), ...(next !== undefined && { new: GONE }) };
}

function coverShell(call: ToolCall, command: string, hidden: string[], most: number): ToolCall {
  if (!namesSecretFile(command)) return coverAnswer(call, (text) => coverOutput(text, most));
  const clean = coverCommand(command, hidden);
  const input = mapTexts(call.input, (text) => (text === command ? clean : hide(text, hidden))) as ToolCall['input'];
  return { ...coverAnswer(call, () => GONE), command: clean, input };
}

function coverAnswer(call: ToolCall, cover: (text: string) => string): ToolCall {
  const { output, outputText, error } = call;
  const clean = {
    ...(output !== undefined && { output: coverValue(output, cover) }),
    ...(outputText !== undefined && { outputText: cover(outputText) }),
    ...(error !== undefined && { error: cover(error) }),
  };
  if (clean.output === output && clean.outputText === outputText && clean.error === error) return call;
  return { ...call, ...clean };
}

const MOST = 4_096;
/** Names of files cannot hold these without quotes, which programs seldom leave out. */
const SEPARATORS = /[\s'"`=<>;|&(),:{}[\]@]+/;

/** Whether a path, alone in a text, is that of a file with secrets. */
function isSecretFile(text: string): boolean {
  return text.length < MOST && mayBeSecret(text) && !/[\n]/.test(text) && isSecretPath(text.replace(/^file:\/\//, ''));
}

/** Whether a text is such a path and nothing else, so that it can be kept. */
function isOnlyPath(text: string): boolean {
  return !/[\s<>|;&"'`$=(),{}]/.test(text) && isSecretFile(text);
}

/** Whether a text, such as a command or code, names one among others. */
function namesSecretFile(text: string): boolean {
  const plain = text.replaceAll(/\$\{?HOME\}?/g, '~');
  // Quotes end a word in code and are inside of one in a shell.
  return [plain, filledIn(plain.replaceAll(/\$?["']|\\\n?/g, ''))].some(
    (one) => mayBeSecret(one) && one.split(SEPARATORS).some((part) => mayBeSecret(part) && isSecretPath(part)),
  );
}

const ASSIGNED = /(?:^|[\s;&|(])([A-Za-z_]\w*)=([^\s;&|)]*)/g;
const MOST_ASSIGNED = 32;
/** What is longer was not typed, and would grow. */
const LONGEST_FILLED = 8_192;
const LONGEST_VALUE = 256;

/** With the variables that the text itself sets: `E=.en; cat ${E}v`. */
function filledIn(text: string): string {
  if (text.length > LONGEST_FILLED || !text.includes('$') || !text.includes('=')) return text;
  const values = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(ASSIGNED)) {
    if (values.size >= MOST_ASSIGNED) break;
    values.set(name, filledWith(value, values).slice(0, LONGEST_VALUE));
  }
  return filledWith(text, values);
}

function filledWith(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{?([A-Za-z_]\w*)\}?/g, (whole, name: string) => values.get(name) ?? whole);
}

/** Texts of a command that say nothing of a file's content. */
const PROGRAM = /^[A-Za-z_][\w.+-]{0,40}$/;
const OPTION = /^(?:-[A-Za-z]{1,4}|--[a-z][\w-]{0,30})$/;
const PATH = /^(?:\.{1,2}|~|\/)?(?:\/?[\w.@*?+-]{1,24})+\/?$/;
const LEADS = /^(?:sudo|env|time|nohup|exec|command|xargs|then|do|else|if|while|until|!|\{)$/;
const HAS_VERBS =
  /^(?:git|docker|docker-compose|podman|kubectl|helm|npm|pnpm|yarn|npx|cargo|go|make|terraform|aws|gcloud|az|gh|op|sops|source)$/;
/** A here-document, a comment, an operator, a word, or space. */
const PIECE =
  /<<-?[ \t]*(["']?)([\w.-]+)\1|[ \t]+|\n|[;|&()<>`]+|(?:\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|[^\s;|&()<>`\\])+|\\/y;

/** A command with its programs, options, operators and paths; every other word may be content. */
function coverCommand(command: string, hidden: string[] = []): string {
  if (!namesSecretFile(command)) return command;
  let clean = '';
  let program = '';
  let isFirst = true;
  let ends: string | undefined;
  let at = 0;
  const drop = (text: string) => (hidden.push(text), GONE);
  while (at < command.length) {
    PIECE.lastIndex = at;
    const match = PIECE.exec(command);
    const piece = match?.[0] ?? command.charAt(at);
    at += piece.length;
    if (match?.[2] !== undefined) ends = match[2];
    if (piece === '\n' && ends !== undefined) {
      const end = bodyEnd(command, at, ends);
      clean += `\n${end > at ? `${drop(command.slice(at, end))}\n` : ''}`;
      [at, ends, isFirst] = [end, undefined, true];
    } else if (/^(?:[ \t]+|<<.*)$/.test(piece)) clean += piece;
    else if (/^[\n;|&()<>`]/.test(piece)) {
      clean += piece;
      isFirst = !/^[<>]+$|^[<>]&$/.test(piece);
    } else {
      const isSubject = !isFirst && HAS_VERBS.test(program) && /^[a-z][a-z:-]{0,15}$/.test(piece);
      const isLead = isFirst && LEADS.test(piece);
      if (isFirst && !isLead && /^\w+=/.test(piece)) clean += `${piece.slice(0, piece.indexOf('='))}=${drop(piece)}`;
      else {
        clean += isSubject || isTelling(piece, isFirst) ? piece : drop(piece);
        if (isFirst && !isLead) [program, isFirst] = [piece.slice(piece.lastIndexOf('/') + 1), false];
        else if (isSubject) program = '';
      }
    }
  }
  return clean;
}

/** A command, or its beginning, fit for being kept. */
export function redactCommand(command: string): string {
  return redact(coverCommand(command));
}

function isTelling(word: string, isFirst: boolean): boolean {
  if (OPTION.test(word)) return true;
  if (isFirst) return PROGRAM.test(word) || PATH.test(word);
  const bare = word.replaceAll(/["'\\]/g, '');
  return isOnlyPath(bare) || (/^(?:\.{0,2}|~)\//.test(bare) && PATH.test(bare)) || bare === '.' || bare === '-';
}

/** Where the line begins that ends a here-document. */
function bodyEnd(command: string, from: number, ends: string): number {
  for (let at = from; at < command.length;) {
    const next = command.indexOf('\n', at);
    const line = command.slice(at, next === -1 ? undefined : next);
    if (line.trim() === ends) return at;
    if (next === -1) break;
    at = next + 1;
  }
  return command.length;
}

/** A line that begins with a path, as searches, lists of differences and heads of files print it. */
const HEAD = /^([\s#*=>+\-|│├└─`"'[(]*(?:diff --git )?(?:(?:file|path):?\s+)?)([^\s:=<>"'`|,()[\]]+)(.*)$/i;

/** What a program printed, without the lines of secret files. */
function coverOutput(text: string, most: number): string {
  const head = text.length > most ? text.slice(0, most) : text;
  if (!mayBeSecret(head)) return text;
  const lines = head.split('\n');
  let isChanged = false;
  for (const [at, line] of lines.entries()) {
    if (!mayBeSecret(line)) continue;
    const [, before = '', path = '', rest = ''] = line.length < MOST ? (HEAD.exec(line) ?? []) : [];
    const context = /^(.+?)-\d+-/.exec(path)?.[1];
    const named = [path, context ?? path].some((each) => isSecretFile(each.replace(/^[ab]\//, '')));
    if (!named) continue;
    if (/^[:=]\s*\S/.test(rest) || context !== undefined) {
      lines[at] = `${before}${context ?? path}:${GONE}`;
      isChanged = true;
    } else if (/^[\s=<>:\-─)\]"'`|]*(?:b\/\S+)?\s*$/.test(rest)) {
      // From here on it may all be of that file.
      return at === lines.length - 1 && head === text ? lines.join('\n') : [...lines.slice(0, at + 1), GONE].join('\n');
    }
  }
  return isChanged ? lines.join('\n') : text;
}

/** Texts of an answer. Where one names a secret file, those beside it are taken for its content. */
function coverValue(value: unknown, cover: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return cover(value);
  if (typeof value !== 'object' || value === null || depth > 12) return value;
  const names =
    !Array.isArray(value) && Object.values(value).some((item) => typeof item === 'string' && isSecretFile(item));
  const inner = names ? (text: string) => (isOnlyPath(text) ? text : GONE) : cover;
  return mapItems(value, (item) => coverValue(item, inner, depth + 1));
}

function mapTexts(value: unknown, map: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null || depth > 12) return value;
  return mapItems(value, (item) => mapTexts(item, map, depth + 1));
}

/** The same value when nothing in it has changed. */
function mapItems(value: object, map: (item: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(map);
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const entries = Object.entries(value);
  const mapped = entries.map(([key, item]) => [key, map(item)] as const);
  return mapped.every(([, item], at) => item === entries[at]?.[1]) ? value : Object.fromEntries(mapped);
}

function someText(value: unknown, test: (text: string) => boolean, depth = 0): boolean {
  if (typeof value === 'string') return test(value);
  if (typeof value !== 'object' || value === null || depth > 12) return false;
  return Object.values(value).some((item) => someText(item, test, depth + 1));
}

/** Fewer characters tell nothing, and are in every text. */
const LEAST = 4;

/** A value without the hidden texts, also where only their beginning was kept. */
export function hideTexts(value: unknown, hidden: readonly string[]): unknown {
  return hidden.length === 0 ? value : mapTexts(value, (text) => hide(text, hidden));
}

function hide(text: string, hidden: readonly string[]): string {
  let clean = text;
  for (const each of hidden) {
    const piece = each.replaceAll(/^["']|["']$/g, '');
    if (piece.length < LEAST) continue;
    const head = piece.slice(0, LEAST * 2);
    for (let at = clean.indexOf(head); at !== -1; at = clean.indexOf(head, at + GONE.length)) {
      let length = head.length;
      while (length < piece.length && clean[at + length] === piece[length]) length += 1;
      clean = clean.slice(0, at) + GONE + clean.slice(at + length);
    }
  }
  return clean;
}
