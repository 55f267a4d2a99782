import { READERS } from '../adapters/instruction-files.ts';
import type { Mood } from './statements.ts';

/** Why a sentence cannot become a rule. */
export const REASONS = {
  conditional: 'it depends on what no event tells',
  judgement: 'whether it holds is a matter of judgement',
  unnamed: 'it names no command, file, branch or text that can be recognised',
  ordinary: 'what it names is an ordinary word, which would be found where it is not meant',
  positive: 'it says what to do, and nothing that could be stopped',
  place: 'it holds for a place that is no path here',
  mind: 'it is about what the agent thinks or says, which no event shows',
} as const;
export type Reason = keyof typeof REASONS;

/** What a sentence wants: something not done, asked about, done otherwise, or done first. */
export interface Clause {
  readonly wants: 'not' | 'ask';
  /** A milder word than never. */
  readonly isMild: boolean;
  /** Verb and object, without what is said about when, why and how. */
  readonly what: string;
  readonly byHand: boolean;
  /** What follows `in`, `inside`, …, as said. */
  readonly where?: string;
}

const LEADING = new RegExp(
  `^(?:\\d+[.)] |[-–—•] |(?:important|critical|note|warning|caution|rule|reminder|mandatory|remember|security|always|also|and|but|so|please|you|we|${READERS}|must|strictly|absolutely)[,:!]? (?=\\S))+`,
);
const NEVER =
  /^(?:(?:you )?(?:must|should|may|can|shall)(?: not| never)(?: ever)?|never ever|never|do not ever|do not|cannot|under no circumstances(?: should you)?|(?:you are |it is )?(?:not allowed|forbidden|prohibited)(?: to)?|not)[:,]? (?=\S)/;
const MILD = /^(?:(?:try to )?avoid|should not|try not to|refrain from)[:,]? (?=\S)/;
const NO = /^(?:no|zero)(?: more)? (?=\S)/;

/** Says what is not to be done; undefined for a sentence that forbids nothing. */
export function clauseOf(words: string, mood: Mood | undefined): Clause | Reason | undefined {
  const plain = withoutLead(words);
  const asked =
    /^(?:ask|confirm|check|get (?:explicit )?(?:approval|permission|confirmation)|request (?:approval|permission))(?: (?:the user|me|us|first|for (?:permission|approval|confirmation)|with (?:the user|me|us)|from (?:the user|me)))* before (.+)$/.exec(
      plain,
    );
  if (asked) return strip(asked[1] ?? '', 'ask', false);
  const passive = passiveOf(plain);
  if (passive !== undefined) return strip(passive, 'not', false);
  if (MILD.test(plain)) return strip(plain.replace(MILD, ''), 'not', true);
  if (NEVER.test(plain)) return strip(plain.replace(NEVER, ''), 'not', plain.startsWith('should'));
  if (NO.test(plain)) return strip(`use ${plain.replace(NO, '')}`, 'not', false);
  if (mood === undefined) return undefined;
  return strip(plain.replace(/^(?:to |use of )/, ''), 'not', mood === 'avoid');
}

export function withoutLead(words: string): string {
  const label = /^[\w -]{2,30}: (?=(?:never|do not|avoid|no|always|use|run|prefer|before|after|ask)\b)/;
  let plain = words.replace(label, '');
  for (
    let next = plain.replace(LEADING, '');
    next !== plain && !startsWithWant(plain);
    next = plain.replace(LEADING, '')
  )
    plain = next;
  return plain;
}

function startsWithWant(words: string): boolean {
  return NEVER.test(words) || MILD.test(words) || NO.test(words);
}

/** `X is off limits` and `X must not be edited`, as what is not to be done. */
function passiveOf(words: string): string | undefined {
  const [, what, how] =
    /^(.+?) (?:is|are) (?:strictly |absolutely )?(forbidden|prohibited|banned|not allowed|disallowed|off[- ]limits|read[- ]only|immutable)$/.exec(
      words,
    ) ?? [];
  if (what !== undefined) return `${/off|read|immutable/.test(how ?? '') ? 'edit' : 'use'} ${what}`;
  const [, object, verb, rest = ''] = /^(.+?) (?:must|should|may|can) (?:not|never) be (\w+)(.*)$/.exec(words) ?? [];
  if (object === undefined || verb === undefined) return undefined;
  const base = PAST[verb] ?? verb.replace(/(?:e?d)$/, '');
  return `${base} ${object}${rest}`;
}

const PAST: Readonly<Record<string, string>> = {
  edited: 'edit',
  modified: 'modify',
  changed: 'change',
  touched: 'touch',
  committed: 'commit',
  used: 'use',
  run: 'run',
  deleted: 'delete',
  removed: 'remove',
  altered: 'alter',
  updated: 'update',
  executed: 'execute',
  imported: 'import',
  renamed: 'rename',
  read: 'read',
};

const PERMISSION =
  / ?,? (?:without (?:(?:first|explicit|prior|my|your|the user's|user|human|getting|having|obtaining|clear|written|an?|any) )*(?:asking|permission|approval|confirmation|consent|instructions?|authori[sz]ation|being asked|confirming|checking)(?: (?:first|from (?:me|us|the user|a human)|the user|me|with (?:me|the user)))*|unless (?:(?:explicitly|specifically|i|you|the user|they|directly|we|has|have|is|are|am|was|been) )*(?:asked|requested|told|instructed|approved?|ask|asks|request|requests|say so|says so|authori[sz]ed)(?: (?:to|for (?:it|this|that|that action)|it|otherwise|by (?:me|the user)|to do so|so))*|(?:unless|until) (?:the user|i) (?:explicitly )?(?:asks?|requests?|approves?|confirms?)(?: (?:it|for it|you to|so|to))*)$/;
const DROPPED =
  / ?(?:,? (?:because|since|so that|in order to|or else|otherwise|under any circumstances|for any reason|no matter what|at all|whatsoever|ever|anywhere|again|please|period|to avoid|to prevent|to keep|to ensure|, as (?:it|they|this)|, which|, it'?s|, they|, or (?:you|it|they|your|the))\b.*)$/;
const HELD =
  /\b(?:unless|except|if|when|while|until|other than|without|only|outside|but|besides|apart from|during|for|after|before|just|merely|solely|too|more than|less than|longer|than)\b/;
const BY_HAND = / (?:by hand|manually|directly|yourself|in place|hand[- ])$/;
const WHERE = /^(.+?) (?:in|inside|within|under|from|into|throughout|across|anywhere in) (?:the |our |your )?(.+)$/;

function strip(said: string, wants: Clause['wants'], isMild: boolean): Clause | Reason {
  let what = said.replace(/ \([^()]*\)/g, (aside) => (HELD.test(aside) && !/e\.g\.|i\.e\./.test(aside) ? aside : ''));
  let asks = wants;
  what = what.replace(DROPPED, '').replace(/,? (?:instead|use .+ instead)$/, '');
  if (PERMISSION.test(what)) {
    asks = 'ask';
    what = what.replace(PERMISSION, '');
  }
  let byHand = false;
  for (; BY_HAND.test(what); byHand = true) what = what.replace(BY_HAND, '');
  what = what.replace(/^(directly|manually|hand-?|accidentally|ever) ?/, (word) => {
    byHand ||= !/accidentally|ever/.test(word);
    return '';
  });
  const held = what.replace(/‹\d+›/g, '');
  if (HELD.test(held)) return 'conditional';
  const [, verb, where] = WHERE.exec(what) ?? [];
  const isObject =
    verb === undefined ||
    /^(?:any |git )*commits?(?: messages?)?$/.test(where ?? '') ||
    /^[\w-]+(?: (?:any |the |auto-?generated |generated |built |build )*(?:files?|code|anything|changes|contents?|output|types))?$/.test(
      verb,
    );
  return { wants: asks, isMild, byHand, ...(isObject ? { what } : { what: verb, where: where as string }) };
}
