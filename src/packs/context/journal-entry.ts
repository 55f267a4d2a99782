import { redact, redactCommand } from '../../engine/rule.ts';
import type { ToolCall } from '../../event/event.ts';
import type { TranscriptLine } from '../../event/transcript.ts';
import { frontMatterValue, otherLines, splitFrontMatter, yamlText } from './front-matter.ts';

type PieceKind = 'text' | 'call';

interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
  readonly bytes: number;
}

/** The body of an entry: its beginning and its end stay whole, what does not fit between them is left out. */
interface Body {
  add(kind: PieceKind, text: string): void;
  text(): string;
}

/** Blank lines between two pieces. */
const GAP = 2;
const NOTICE = 200;

function createBody(most: number): Body {
  const half = Math.floor((most - NOTICE) / 2);
  const head: Piece[] = [];
  const tail: Piece[] = [];
  let [inHead, inTail, gone, first] = [0, 0, 0, 0];
  const encoder = new TextEncoder();
  return {
    add(kind, text) {
      const piece = { kind, text, bytes: encoder.encode(text).length + GAP };
      if (tail.length === 0 && gone === 0 && inHead + piece.bytes <= half) {
        head.push(piece);
        inHead += piece.bytes;
        return;
      }
      tail.push(piece);
      inTail += piece.bytes;
      for (; inTail > half && first < tail.length; first += 1) {
        inTail -= tail[first]?.bytes ?? 0;
        gone += 1;
      }
      // The list is made shorter now and then, not for every piece.
      if (first > 1_000) {
        tail.splice(0, first);
        first = 0;
      }
    },
    text() {
      const middle: Piece[] =
        gone === 0
          ? []
          : [{ kind: 'text', text: `*${gone} parts are left out here; the transcript has them.*`, bytes: 0 }];
      return join([...head, ...middle, ...tail.slice(first)]);
    },
  };
}

function join(pieces: readonly Piece[]): string {
  return pieces
    .map(
      ({ kind, text }, at) =>
        (at === 0 ? '' : kind === 'call' && pieces[at - 1]?.kind === 'call' ? '\n' : '\n\n') + text,
    )
    .join('');
}

/** What the front matter of an entry says. */
export interface EntryFacts {
  readonly session: string;
  readonly started?: number;
  readonly ended?: number;
  readonly branch?: string;
  readonly model?: string;
  readonly prompts: number;
  /** How full the context was at the end. */
  readonly tokens?: number;
}

export interface Entry {
  readonly facts: EntryFacts;
  readonly body: string;
  /** Neither a prompt nor an answer. */
  readonly isEmpty: boolean;
}

/** Below this line an entry belongs to its readers. */
export const NOTES = '<!-- notes -->';
const NOTES_LINE = /^<!--[ \t]*notes[ \t]*-->[ \t]*$/m;
const KEYS = ['session', 'started', 'ended', 'branch', 'model', 'prompts', 'tokens', 'enriched'];
/** What is there before the body and after it, at most. */
const FRAME = 2 << 10;
const MAX_ENTRY = 200 << 10;
/** The most of one prompt or one answer. */
const MAX_TEXT = 20_000;
/** No secret is longer, so one that lies across a cut is still recognised whole. */
const MARGIN = 5_000;
const MAX_SUBJECT = 200;

/** Gathers what a session's lines tell. Holds no more than an entry may have, however long the session was. */
export function collectEntry(session: string, root: string, lines: Iterable<TranscriptLine | undefined>): Entry {
  const facts: { -readonly [K in keyof EntryFacts]: EntryFacts[K] } = { session, prompts: 0 };
  const body = createBody(MAX_ENTRY - FRAME);
  let isEmpty = true;
  let speaks: 'person' | 'agent' | undefined;
  for (const line of lines) {
    if (line === undefined) continue;
    if (line.at !== undefined) facts.ended = Math.max(facts.ended ?? 0, line.at);
    if (line.at !== undefined) facts.started ??= line.at;
    if (line.branch !== undefined) facts.branch = line.branch;
    if (line.usage) Object.assign(facts, { model: line.usage.model, tokens: line.usage.tokens });
    if (line.compacted) body.add('text', '*The context was compacted here.*');
    if (line.prompt !== undefined && line.prompt !== '') {
      facts.prompts += 1;
      isEmpty = false;
      body.add('text', `## Prompt ${facts.prompts}${line.at === undefined ? '' : `, ${timeOf(line.at)}`}`);
      body.add('text', presentable(line.prompt));
      speaks = 'person';
    }
    if (line.answer !== undefined) {
      isEmpty = false;
      if (speaks !== 'agent') body.add('text', '**Answer**');
      body.add('text', presentable(line.answer));
      speaks = 'agent';
    }
    for (const call of line.calls ?? []) body.add('call', `- ${describeCall(call, root)}`);
  }
  return { facts, body: body.text(), isEmpty };
}

/** An entry without the mark is no longer ours: nobody can tell what in it its readers wrote. */
export function hasNotes(text: string): boolean {
  return NOTES_LINE.test(text);
}

/** `before` is the entry as it stands: what its readers have written stays. */
export function printEntry({ facts, body }: Entry, before?: string): string {
  const known = before === undefined ? undefined : splitFrontMatter(before);
  const notes = before === undefined ? undefined : NOTES_LINE.exec(before);
  const said = notes ? (before ?? '').slice(notes.index + notes[0].length) : '\n';
  const enriched = frontMatterValue(known?.lines ?? [], 'enriched') ?? 'false';
  const lines = [
    `session: ${yamlText(facts.session)}`,
    ...(facts.started === undefined ? [] : [`started: ${new Date(facts.started).toISOString()}`]),
    ...(facts.ended === undefined ? [] : [`ended: ${new Date(facts.ended).toISOString()}`]),
    ...(facts.branch === undefined ? [] : [`branch: ${yamlText(facts.branch)}`]),
    ...(facts.model === undefined ? [] : [`model: ${yamlText(facts.model)}`]),
    `prompts: ${facts.prompts}`,
    ...(facts.tokens === undefined ? [] : [`tokens: ${facts.tokens}`]),
    `enriched: ${enriched}`,
    ...otherLines(known?.lines ?? [], KEYS),
  ];
  return `---\n${lines.join('\n')}\n---\n\n${body}\n\n${NOTES}${said}`;
}

/** Whether the front matter of an entry says that it was enriched; its beginning is enough. */
export function saysEnriched(head: string): boolean {
  const value = frontMatterValue(splitFrontMatter(head)?.lines ?? [], 'enriched');
  return value !== undefined && value !== '' && value !== 'false' && value !== 'no';
}

/** The tool and what it was about, on one line; never what it printed. */
function describeCall(call: ToolCall, root: string): string {
  const { name, command, query, paths, input } = call;
  const path = paths[0] === root ? undefined : paths[0];
  const place = path?.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const told = ['description', 'url', 'prompt', 'skill']
    .map((key) => input[key])
    .find((each) => typeof each === 'string');
  const subject =
    (command === undefined ? undefined : redactCommand(command)) ??
    (query === undefined ? place : place === undefined ? query : `${query} in ${place}`) ??
    told;
  return subject === undefined ? name : `${name} ${codeOf(oneLine(subject))}`;
}

function oneLine(text: string): string {
  const clean = redact(text.slice(0, MAX_SUBJECT + MARGIN))
    .replace(/\s+/g, ' ')
    .trim();
  return clean.length > MAX_SUBJECT ? `${clean.slice(0, MAX_SUBJECT)}…` : clean;
}

function codeOf(text: string): string {
  const fence = '`'.repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const gap = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + gap + text + gap + fence;
}

/** Masked, cut, and unable to end the part of the entry that it stands in. */
function presentable(text: string): string {
  const clean = redact(text.slice(0, MAX_TEXT + MARGIN)).trim();
  const left = text.trim().length - MAX_TEXT;
  const kept = clean.length > MAX_TEXT ? clean.slice(0, MAX_TEXT) : clean;
  const closed = closeFence(kept.replace(new RegExp(NOTES_LINE, 'gm'), (mark) => `\\${mark}`));
  return left > 0 && clean.length > MAX_TEXT ? `${closed}\n\n[${left} more characters]` : closed;
}

/** A code block that the cut left open would swallow the rest of the entry. */
function closeFence(text: string): string {
  let open = '';
  for (const [, mark = '', rest = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (open === '') open = mark.startsWith('`') && rest.includes('`') ? '' : mark;
    else if (mark.startsWith(open) && rest.trim() === '') open = '';
  }
  return open === '' ? text : `${text}\n${open}`;
}

function timeOf(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}
