import type { Event, RuleContext } from '../../engine/rule.ts';
import type { Edit } from '../../event/event.ts';
import { UNKNOWN } from '../../shell/command.ts';
import { readShell } from '../../shell/read.ts';
import { hasBoxCharacters } from './drawing/drawing.ts';
import { once, resultOfCommand, resultOfEdits, textOnDisk } from './resulting-text.ts';
import type { ResultingText } from './resulting-text.ts';
import type { Settings } from './settings.ts';
import { shellWrites } from './shell-writes.ts';
import type { CarriedText } from './shell-writes.ts';
import { isMarkdown, whyExempt, resolvePath } from './target.ts';
import type { Here } from './target.ts';
import type { Reading } from '../../shell/command.ts';
import { CURL } from '../../effects/network/curl.ts';
import { readOptions } from '../../shell/options.ts';

const INTERPRETERS = /^(?:python[\d.]*|node|nodejs|deno|bun|tsx|ruby|perl|php|sh|bash|zsh|dash|ksh|source|\.)$/;
const MOST_SCRIPTS = 3;
const MOST_BYTES = 64 * 1024;
const MOST_TARGETS = 8;
/** A text in quotes, or a word after a redirect, that could be a file's name. */
const NAMES = /["'`]([^"'`\n]{1,300})["'`]|>\s*([\w./-]{1,300})/g;

/** Markdown files that `curl` saves to, also from an address that is no network's. */
function savedTargets({ commands }: Reading, settings: Settings): readonly string[] {
  return commands.flatMap(({ program, words, dir }) => {
    if (program !== 'curl' || dir === undefined) return [];
    const options = readOptions(words.slice(1), CURL);
    const [below] = options.values('--output-dir');
    return options
      .values('-o', '--output')
      .filter(({ value, known }) => known && isMarkdown(value, settings))
      .map(({ value }) => resolvePath(value, below?.known === true ? resolvePath(below.value, dir) : dir));
  });
}

/** Markdown files that the scripts a command runs name in plain text; which of them they write, only running tells. */
function scriptTargets({ commands }: Reading, here: Here, settings: Settings): readonly string[] {
  const found = new Set<string>();
  let read = 0;
  for (const { program, words, dir } of commands) {
    if (dir === undefined || read >= MOST_SCRIPTS) continue;
    const [first, ...rest] = words;
    const script = INTERPRETERS.test(program)
      ? rest.find(({ value }) => !value.startsWith('-') && value !== 'run')
      : first?.value.includes('/') === true
        ? first
        : undefined;
    if (script?.known !== true || rest.some(({ value }) => value === '-c' || value === '-e')) continue;
    read += 1;
    const text = here.files.readText(resolvePath(script.value, dir), MOST_BYTES) ?? '';
    if (text.includes('\0')) continue;
    for (const [, quoted, word] of text.matchAll(NAMES)) {
      const name = quoted ?? word ?? '';
      if (found.size < MOST_TARGETS && isMarkdown(name, settings)) found.add(resolvePath(name, dir));
    }
  }
  return [...found];
}

/** What a call is about to bring into Markdown files. */
export interface Brought {
  readonly texts: readonly ResultingText[];
  /** Files that the call may take drawings out of, and brings none: what they hold now is to be remembered. */
  readonly emptied: readonly Pick<ResultingText, 'key' | 'before'>[];
  /** Files whose new content only running the command tells, as they are now. */
  look(): readonly Looked[];
  /** Why the call passes when no drawing is left. */
  readonly otherwise: string;
}

export interface Looked {
  readonly path: string;
  readonly mtimeMs: number;
  readonly size: number;
  readonly before: string | undefined;
}

type Scene = Here & Pick<RuleContext, 'effects'>;

/** Steps 1 to 4 of a decision; a text says why the call is nothing to judge. */
export function brought(event: Event, scene: Scene, settings: Settings): Brought | string {
  const { tool } = event;
  if (!tool) return 'no call';
  if (tool.kind === 'shell') return broughtByCommand(tool.command ?? '', event, scene, settings);
  const files = editsByFile(tool.edits).filter(([path, [first]]) => first?.cell ?? isMarkdown(path, settings));
  if (files.length === 0) return 'no Markdown';
  const judged = files.filter(([path]) => whyExempt(path, event, scene, settings) === undefined);
  if (judged.length === 0) return whyExempt(files[0]?.[0] ?? '', event, scene, settings) ?? 'exempt';
  const hasBox = (text: string | undefined) => text !== undefined && hasBoxCharacters(text, settings.drawing.ascii);
  const texts: ResultingText[] = [];
  const emptied: Pick<ResultingText, 'key' | 'before'>[] = [];
  let draws = false;
  for (const [path, edits] of judged) {
    if (edits.some((edit) => hasBox(edit.new))) {
      draws = true;
      const text = resultOfEdits(edits, scene);
      if (text) texts.push(text);
    } else if (edits.some(({ operation, cell, old }) => !cell && (operation === 'write' || hasBox(old))))
      emptied.push({ key: path, before: () => textOnDisk(path, scene) });
  }
  if (texts.length === 0 && emptied.length === 0) return draws ? 'nothing to judge' : 'no box characters';
  const otherwise = texts.length > 0 ? 'no drawing without a source' : 'no box characters';
  return { texts, emptied, look: () => [], otherwise };
}

function editsByFile(edits: readonly Edit[]): readonly (readonly [string, readonly Edit[]])[] {
  const paths = [...new Set(edits.map(({ path }) => path))];
  return paths.map((path) => [path, edits.filter((edit) => edit.path === path)] as const);
}

const MOST_LOOKED_AT = 8;

function broughtByCommand(command: string, event: Event, scene: Scene, settings: Settings): Brought | string {
  if (event.permissionMode === 'plan') return 'a plan is being made';
  const { workspace } = scene;
  const written = scene.effects.flatMap(({ path }) => (path !== undefined && isMarkdown(path, settings) ? [path] : []));
  const scripted = SCRIPTS.test(command);
  if (written.length === 0 && !scripted) return 'writes no Markdown';
  const place = { cwd: event.cwd, home: workspace.home, root: workspace.root };
  const reading = readShell(command, place);
  const isJudged = (path: string) => whyExempt(path, event, scene, settings) === undefined;
  const { carried, drawn } = shellWrites(reading, settings, place);
  const hasBox = ({ text }: CarriedText) => hasBoxCharacters(text, settings.drawing.ascii);
  const texts = carried
    .filter((each) => isJudged(each.path) && hasBox(each))
    .map((each) => resultOfCommand(each, scene));
  const emptied = carried
    .filter((each) => !each.appends && isJudged(each.path) && !hasBox(each))
    .map(({ path }) => ({ key: path, before: () => textOnDisk(path, scene) }));
  const plain = new Set(carried.filter(({ text }) => !text.includes(UNKNOWN)).map(({ path }) => path));
  return {
    texts,
    emptied,
    otherwise: texts.length > 0 ? 'no drawing without a source' : 'carries no drawing',
    look() {
      const named = new Set([
        ...written,
        ...(scripted ? [...scriptTargets(reading, scene, settings), ...savedTargets(reading, settings)] : []),
      ]);
      // What is moved is as old as it was.
      const moved = once(() =>
        scene.effects
          .flatMap(({ how, path }) => (how === 'moved-away' && path !== undefined ? [path] : []))
          .map((path) => textOnDisk(path, scene) ?? '')
          .join('\n\n\n'),
      );
      const unseen = [...named].filter((path) => !plain.has(path) && !drawn.has(path) && isJudged(path));
      return unseen.slice(0, MOST_LOOKED_AT).map((path) => {
        const { mtimeMs = 0, size = -1 } = scene.files.stat(path) ?? {};
        return { path, mtimeMs, size, before: textOnDisk(path, scene) ?? moved() };
      });
    },
  };
}

const SCRIPTS = /\b(?:python[\d.]*|node|ruby|perl|php|deno|bun|tsx|bash|sh|curl)\s|\.sh\b/;
