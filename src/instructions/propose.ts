import { clauseOf } from './clause.ts';
import type { Reason } from './clause.ts';
import { readDemanded } from './demanded.ts';
import { readForbidden } from './forbidden.ts';
import type { Reading, Setting } from './form.ts';
import { phraseOf } from './phrase.ts';
import type { Draft } from './rule-draft.ts';
import { statementsIn } from './statements.ts';
import type { Statement } from './statements.ts';
import { hashOf } from '../workspace/config/scan.ts';

/** A sentence of a file of instructions, and what became of it. */
export interface Read {
  readonly line: number;
  /** As it stands there, on one line. */
  readonly sentence: string;
  /** The same for the same words under the same heading, wherever in the file they stand. */
  readonly digest: string;
  readonly drafts: readonly Draft[];
  /** Why it asks for no rule, where it looks like an instruction. */
  readonly why?: Reason;
}

export interface Source {
  readonly text: string;
  /** The directory of the file, from the root. */
  readonly base: string;
}

/** Every sentence that looks like an instruction, with the rules that it asks for or why there are none. */
export function readInstructions({ text, base }: Source): readonly Read[] {
  const scope = scopeOf(text);
  return statementsIn(text).flatMap((statement): Read[] => {
    const { line, text: sentence } = statement;
    const reading = readStatement(statement, base, scope);
    if (reading === undefined) return [];
    const common = { line, sentence, digest: digestOf(statement) };
    return [typeof reading === 'string' ? { ...common, drafts: [], why: reading } : { ...common, drafts: reading }];
  });
}

/** The digests of all sentences that a file has. */
export function digestsIn(text: string): ReadonlySet<string> {
  return new Set(statementsIn(text).map(digestOf));
}

function digestOf({ text, mood, under }: Statement): string {
  const words = (said: string) => said.replaceAll(/[*_]+|\s+/g, ' ').trim();
  const all = [words(text), mood ?? '', mood === undefined ? '' : words(under ?? '')];
  return hashOf(new TextEncoder().encode(all.join('\n'))).slice(0, 16);
}

const LOOKS =
  /^(?:always|use|run|prefer|ensure|make sure|keep|write|add|follow|ask|check|only|avoid|create|update|read|test|verify|commit|include|put|place|respect|do|document|return|handle|validate|name|set|call|import|store|log|treat|start|stop|wait|commit|push|open|install|build|format|lint|fix|remove|delete|move|rename|replace)\b|\b(?:never|do not|must|always|should|avoid|cannot|forbidden|prohibited|not allowed|no longer|only|required|mandatory)\b|^(?:no|not|before|after|when|if) /;

function readStatement(statement: Statement, base: string, scope: readonly string[] | undefined): Reading | undefined {
  const whole = phraseOf(statement.text);
  const parts = segmentsOf(whole.words);
  const isHeld = parts.slice(1).some((part) => EXCEPTION.test(part.words));
  const readings = parts.flatMap(({ words, lead }, at): Reading[] => {
    const setting: Setting = {
      phrase: pronounsOf({ ...whole, words }, statement, parts[at - 1]?.words),
      base,
      ...(scope && { scope }),
    };
    // `— no x` behind a description describes.
    if (lead !== words && words.startsWith('no ') && !WANTS.test(lead)) return [];
    const reading = readPart(setting, at === 0 ? statement.mood : undefined);
    return reading === undefined ? [] : [reading];
  });
  const drafts = readings.flatMap((reading) => (typeof reading === 'string' ? [] : reading));
  const why = readings.find((reading) => typeof reading === 'string');
  if (drafts.length > 0) return isHeld ? 'conditional' : drafts;
  if (why !== undefined) return why;
  if (!LOOKS.test(whole.words) || whole.words.split(' ').length < 3) return undefined;
  return CONDITION.test(whole.words) && /\b(?:never|do not|must not|avoid)\b/.test(whole.words)
    ? 'conditional'
    : 'positive';
}

const WANTS = /^(?:no|never|do not|always|use|avoid|must|only|be|keep|write|prefer) /;
const EXCEPTION =
  /^(?:unless|except|only|but|however|exceptions?|if|when|other than|it is (?:fine|ok|okay|allowed))\b|\b(?:is|are) (?:fine|ok|okay|allowed|acceptable|permitted)\b|\bexcept\b|\bunless\b/;

function readPart(setting: Setting, mood: Statement['mood']): Reading | undefined {
  const { words } = setting.phrase;
  const demanded = readDemanded(words, setting);
  if (demanded !== undefined && typeof demanded !== 'string') return demanded;
  const clause = clauseOf(words, mood);
  if (clause === undefined) return demanded;
  return typeof clause === 'string' ? (demanded ?? clause) : readForbidden(clause, setting);
}

const CONDITION = /^(?:if|when|while|for|in|on|during|unless|until|whenever|where|once|inside|as) /;

/** A part of a sentence, and the one that the sentence begins with. */
interface Segment {
  readonly words: string;
  readonly lead: string;
}

const DASHES =
  /\s*(?:;|\s[—–]\s|\s--?\s|—|: (?=(?:never|do not|use|run|no|always|avoid|before|after)\b))\s*|, (?=(?:never|do not|no|and never|and do not|and no) )/;

/** A sentence and what is added to it behind a dash, a semicolon or a colon. */
function segmentsOf(words: string): readonly Segment[] {
  // What begins with a condition stays with it.
  if (CONDITION.test(words)) return [{ words, lead: words }];
  return words.split(/\. (?=\S)/).flatMap((sentence) => {
    const parts = sentence
      .split(DASHES)
      .map((part) => part.replace(/^and /, '').trim())
      .filter((part) => part !== '');
    return parts.map((part) => ({ words: part, lead: parts[0] ?? '' }));
  });
}

/** `them`, `it` and the like stand for the files that were just named. */
function pronounsOf(phrase: Setting['phrase'], { before }: Statement, earlier: string | undefined): Setting['phrase'] {
  const [, verbs] =
    /\b(edit|modify|touch|change|update|commit|delete|hand-edit|alter|overwrite)(?: (?:it|them|these|these files|this file|those|this directory|those files))?(?: (?:by hand|manually|directly))*$/.exec(
      phrase.words,
    ) ?? [];
  if (verbs === undefined) return phrase;
  const last = phraseOf(before ?? '');
  const [said, from] = earlier !== undefined && earlier.includes('‹') ? [earlier, phrase] : [last.words, last];
  const named =
    /^(?:the |all |files? (?:in|under) )*((?:‹\d+›(?:, | and |, and | or )?)+)(?: (?:files?|director(?:y|ies)|folders?|are|is)\b.*)?$/.exec(
      said,
    )?.[1];
  if (named === undefined) return phrase;
  const moved = named.replaceAll(
    /‹(\d+)›/g,
    (_, at: string) => `‹${Number(at) + (from === phrase ? 0 : phrase.spans.length)}›`,
  );
  const spans = from === phrase ? phrase.spans : [...phrase.spans, ...from.spans];
  const isHeadless =
    /\b(?:edit|modify|touch|change|update|delete|alter|overwrite|hand-edit|commit)(?: (?:by hand|manually|directly))*$/.test(
      phrase.words,
    );
  const words = isHeadless
    ? phrase.words.replace(new RegExp(`\\b${verbs}\\b`), `${verbs} ${moved.trim()}`)
    : phrase.words.replace(
        / (?:it|them|these files|these|this file|those files|those|this directory)\b/,
        ` ${moved.trim()}`,
      );
  return { words, spans };
}

/** The globs in the front matter of files that say what they are about. */
function scopeOf(text: string): readonly string[] | undefined {
  const [, matter = ''] = /^﻿?---\r?\n([\s\S]*?)\n---\r?\n/.exec(text) ?? [];
  if (/^alwaysApply:\s*true/m.test(matter)) return undefined;
  const [, said = ''] = /^(?:globs|applyTo):[ \t]*(.+)$/m.exec(matter) ?? [];
  const globs = said
    .replaceAll(/["'[\]]/g, '')
    .split(/,\s*/)
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '');
  return globs.length === 0 || globs.some((glob) => /^\*\*(?:\/\*)?$/.test(glob)) ? undefined : globs;
}
