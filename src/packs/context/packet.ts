import { readMarkdown } from '../../text/markdown.ts';
import { shorten } from '../../text/shorten.ts';
import { newestEntries, readIndex } from './entries.ts';
import { CONTEXT_DIR, LOAD_ORDER } from './files.ts';
import { openTasks } from './tasks.ts';

/** What happened since the session before, gathered by the caller. */
export interface Changes {
  /** The start of the previous session, or a fixed time ago when none is known. */
  readonly since: 'session' | 'day';
  /** Names of changed context files, the newest first. */
  readonly files: readonly string[];
  readonly commits?: { readonly count: number; readonly newest: string };
}

export interface PacketInput {
  /** The context files that exist, by name. */
  readonly texts: ReadonlyMap<string, string>;
  readonly maxChars: number;
  readonly order?: readonly string[];
  /** `minimal`: the constitution and the playbook alone. */
  readonly profile?: 'full' | 'minimal';
  readonly changes?: Changes;
  /** How the agent would name the directory. */
  readonly dir?: string;
}

export type Shown = 'whole' | 'index' | 'outline' | 'path';

export interface PacketFile {
  readonly name: string;
  /** Of all that would be sent of it if there were room. */
  readonly tokens: number;
  readonly shown: Shown;
}

export interface Packet {
  /** Never longer than `maxChars`. */
  readonly text: string;
  readonly files: readonly PacketFile[];
  /** Before anything was shortened. */
  readonly tokens: number;
}

const MINIMAL: ReadonlySet<string> = new Set(['CONSTITUTION.md', 'AGENT_PLAYBOOK.md']);
const INDEXED: ReadonlySet<string> = new Set(['DECISIONS.md', 'LEARNINGS.md']);
/** Tasks are counted, and words are looked up. */
const UNGIVEN: ReadonlySet<string> = new Set(['TASKS.md', 'GLOSSARY.md']);
const NEWEST_ENTRIES = 20;
const MAX_OUTLINE_CHARS = 1_500;
const MAX_SUBJECT_CHARS = 100;
const MAX_CHANGED = 8;
const PLAIN_NAME = /^[\p{L}\p{N}._-]+$/u;

const INTRO =
  'Context of this project, loaded by Fairlead. It is in this conversation now, so what is shown whole needs no reading. What follows each === line is the content of a project file.';

/** As long as there is room. */
export function isGivenWhole(name: string): boolean {
  return !INDEXED.has(name) && !UNGIVEN.has(name);
}

export function estimateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 4);
}

/** The context files as one text: whole where they fit, in order; else as an outline with the path, or the path alone. */
export function buildPacket(input: PacketInput): Packet {
  const { texts, maxChars, changes, dir = CONTEXT_DIR } = input;
  const sources = sourcesOf(input);
  const tokens = sources.reduce((sum, source) => sum + source.tokens, 0);
  const head = [INTRO, ...(changes ? [changesLine(changes)] : [])].filter((line) => line !== '').join('\n');
  const foot = footer(sources.length, tokens, texts, dir);
  let room = maxChars - head.length - foot.length - 2 * GAP.length;
  let reserved = sources.reduce((sum, { name }) => sum + section(name, dir, PATH_ONLY).length + GAP.length, 0);
  const sections: string[] = [];
  const files = sources.map((source): PacketFile => {
    const least = section(source.name, dir, PATH_ONLY);
    reserved -= least.length + GAP.length;
    const free = room - reserved - GAP.length;
    const { text, shown } = fit(source, dir, free) ?? { text: least, shown: 'path' as const };
    sections.push(text);
    room -= text.length + GAP.length;
    return { name: source.name, tokens: source.tokens, shown };
  });
  const text = [head, ...sections, foot].join(GAP);
  return { text: cutAtLine(text, maxChars), files, tokens };
}

const GAP = '\n\n';
const PATH_ONLY = '(left out for want of room; read the file when it is needed)';

interface Source {
  readonly name: string;
  readonly content: string;
  readonly tokens: number;
  readonly shown: 'whole' | 'index';
  outline(): readonly string[];
}

function sourcesOf({ texts, order = LOAD_ORDER, profile = 'full' }: PacketInput): readonly Source[] {
  return [...new Set(order)].flatMap((name): Source[] => {
    const text = texts.get(name);
    if (text === undefined || UNGIVEN.has(name)) return [];
    if (profile === 'minimal' && !MINIMAL.has(name)) return [];
    const isIndexed = INDEXED.has(name);
    const newest = () => newestEntries(text, NEWEST_ENTRIES).map(({ stamp, title }) => `[${stamp}] ${title}`);
    const content = withoutRulers((isIndexed ? (readIndex(text) ?? newest().join('\n')) : text).trim());
    if (content === '') return [];
    return [
      {
        name,
        content,
        tokens: estimateTokens(content),
        shown: isIndexed ? 'index' : 'whole',
        outline: isIndexed ? newest : () => headingLines(text),
      },
    ];
  });
}

function fit(source: Source, dir: string, free: number): { readonly text: string; readonly shown: Shown } | undefined {
  const whole = section(source.name, dir, source.content);
  if (whole.length <= free) return { text: whole, shown: source.shown };
  const kind = source.shown === 'index' ? 'newest entries' : 'headings';
  const intro = `(${kind} only; the whole file is ${dir}/${source.name})`;
  const room = Math.min(free - section(source.name, dir, intro).length, MAX_OUTLINE_CHARS);
  const lines: string[] = [];
  let used = 0;
  for (const line of source.outline()) {
    if (used + line.length + 1 > room) break;
    lines.push(line);
    used += line.length + 1;
  }
  if (lines.length === 0) return undefined;
  return { text: section(source.name, dir, [intro, ...lines].join('\n')), shown: 'outline' };
}

/** Three of them with nothing before or between that can be seen; what cannot be seen is taken out on the way to the agent. */
const RULER = /^[^\P{C}\n]*=[^\P{C}\n]*=[^\P{C}\n]*=/gmu;

/** No line of a file may pass for the beginning of the next one. */
function withoutRulers(content: string): string {
  return content.replaceAll('\r', '').replaceAll(RULER, ' ===');
}

function section(name: string, dir: string, content: string): string {
  return `=== ${dir}/${name}\n${content}`;
}

/** Whoever can commit chooses names and subjects. A name that could hold a sentence is counted, and a subject stands on a line of its own. */
function changesLine({ since, files, commits }: Changes): string {
  const named = files.filter((name) => PLAIN_NAME.test(name)).slice(0, MAX_CHANGED);
  const rest = files.length - named.length;
  const more = rest === 0 ? '' : named.length === 0 ? `${rest} in ${CONTEXT_DIR}` : ` and ${rest} more`;
  const parts = [
    ...(files.length === 0 ? [] : [named.join(', ') + more]),
    ...(commits && commits.count > 0
      ? [`${commits.count} commit${commits.count === 1 ? '' : 's'}, the newest called\n> ${oneLine(commits.newest)}`]
      : []),
  ];
  if (parts.length === 0) return '';
  return `Changed since ${since === 'session' ? 'the previous session began' : 'yesterday at this time'}: ${parts.join('; ')}`;
}

function footer(count: number, tokens: number, texts: ReadonlyMap<string, string>, dir: string): string {
  const tasks = texts.get('TASKS.md');
  const open = tasks === undefined ? 0 : openTasks(tasks).length;
  return [
    '===',
    `${count} file${count === 1 ? '' : 's'}, about ${tokens} tokens before shortening.`,
    ...(tasks === undefined ? [] : [`Tasks: ${dir}/TASKS.md, ${open} open.`]),
    ...(texts.has('DECISIONS.md')
      ? [`A decision in full: search ${dir}/DECISIONS.md for its title or its date in brackets.`]
      : []),
  ].join('\n');
}

function oneLine(text: string): string {
  return shorten(text.replaceAll(/\s+/g, ' ').trim(), MAX_SUBJECT_CHARS);
}

/** For a limit that not even the paths fit into. */
function cutAtLine(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf('\n', most);
  return text.slice(0, end > 0 ? end : Math.max(0, most));
}

/** As they are written, marks included. */
function headingLines(text: string): readonly string[] {
  return readMarkdown(text).lines.flatMap((line) => (line.heading ? [line.text.trim()] : []));
}
