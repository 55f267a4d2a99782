import { withoutLead } from './clause.ts';
import type { Clause } from './clause.ts';
import { afterDraft, commandDraft, firstDraft, textDraft } from './drafts.ts';
import { withBaseVerb } from './form.ts';
import type { Form, Reading, Setting } from './form.ts';
import { MANAGERS } from './lexicon.ts';
import { allOf, commandOf, contentOf, installsBeside, partsOf, placeOf, workOf } from './objects.ts';

const GIVEN = String.raw`(?:(?:always|default to|please|only|must|you|we|should|strictly) )*`;

/** Sentences that say what to do, from which follows what not to. */
export const DEMANDED: readonly Form[] = [
  {
    name: 'before',
    said: new RegExp(
      `^${GIVEN}(?:run|execute|use|ensure|make sure|verify)(?: that| all)? (.+?)(?: (?:pass(?:es)?|succeeds?|(?:is|are) (?:green|clean|passing)))?(?: and (?:make sure|ensure|verify) (?:it|they|all|that) .+?)? (?:before|prior to) (.+)$`,
    ),
    read: ([works = '', target = ''], setting) => before(works, target, setting),
  },
  {
    name: 'before, said first',
    said: new RegExp(
      `^(?:before|prior to) (.+?),? ${GIVEN}(?:run|execute|make sure|ensure|verify)(?: that| all)? (.+?)(?: (?:pass(?:es)?|succeeds?|(?:is|are) (?:green|clean|passing)))?$`,
    ),
    read: ([target = '', works = ''], setting) => before(works, target, setting),
  },
  {
    name: 'must pass before',
    said: /^(.+?) (?:must|should|need(?:s)? to|ha(?:s|ve) to) (?:always |all )?(?:pass|succeed|be green|be run|run|exit)(?: and exit)?(?: cleanly| successfully| locally)* before (.+)$/,
    read: ([works = '', target = ''], setting) => before(works, target, setting),
  },
  {
    name: 'not until',
    said: /^(?:never|do not|must not) (commit|push|merge|open a pr|create a pr|create a pull request|finish|stop)(?: (?:code|changes|anything))? (?:without (?:first )?running|until (?:you have run|you run|you've run)?|unless) ?(.+?)(?: (?:pass(?:es)?|succeeds?|(?:is|are) (?:green|clean|passing)))?(?: first)?$/,
    read: ([target = '', works = ''], setting) => before(works, target, setting),
  },
  {
    name: 'not if it fails',
    said: /^(?:never|do not|must not) (commit|push)(?: (?:code|changes|anything))? (?:if|when|while) (.+?) (?:fails?|(?:is|are) failing|does not pass|do not pass)$/,
    read: ([target = '', works = ''], setting) => before(works, target, setting),
  },
  {
    name: 'after',
    said: new RegExp(`^${GIVEN}(?:run|execute) (.+?) after (.+)$`),
    read: ([works = '', edits = ''], setting) => after(works, edits, setting),
  },
  {
    name: 'after, said first',
    said: new RegExp(`^after (.+?),? ${GIVEN}(?:run|execute|make sure to run) (.+)$`),
    read: ([edits = '', works = ''], setting) => after(works, edits, setting),
  },
  {
    name: 'one and not the other',
    said: new RegExp(
      `^${GIVEN}(?:use|using|run|prefer|choose) (.+?)(?: (?:for|to) [^‹›,]+?)?(?:,? (?:not|never|instead of|rather than|over|and not|but not|in favou?r of|do not use|never use)) (.+?)(?: for [^‹›,]+)?$`,
    ),
    read: ([good = '', bad = ''], setting, clause) => instead(good, bad, setting, clause),
  },
  {
    name: 'instead of the other',
    said: /^instead of (?:using )?(.+?),? (?:always )?(?:use|prefer) (.+)$/,
    read: ([bad = '', good = ''], setting, clause) => instead(good, bad, setting, clause),
  },
  {
    name: 'replace',
    said: /^replace (.+?) with (.+)$/,
    read: ([bad = '', good = ''], setting, clause) => instead(good, bad, setting, clause),
  },
  {
    name: 'the package manager',
    said: new RegExp(
      `^${GIVEN}(?:use )?(\\S+) (?:as (?:the|your|our|a)?|is the|for(?: all| any| every)?)(?: \\w+)? ?(?:package manag(?:er|ement)|dependenc(?:y|ies)(?: management)?|packages|installs?|installing (?:packages|dependencies))$`,
    ),
    read: ([program = ''], setting) => manager(program, setting),
  },
  {
    name: 'only this manager',
    said: /^(?:(?:always|only) )?use (?:only )?(\S+)$/,
    read: ([program = ''], setting) => manager(program, setting),
  },
];

function before(works: string, target: string, setting: Setting): Reading | undefined {
  const all = partsOf(works.replace(/ and (?:fix|make sure|ensure|verify) .*$/, '')).flatMap(
    (part) => workOf(part, setting.phrase) ?? [],
  );
  const said = withBaseVerb(target)
    .replace(/^(?:you |every |each |any |a |an |the |making (?:a |any )?|create (?:a )?|doing a )+/, '')
    .replace(
      / (?:code|changes|your changes|any changes|your work|anything|to (?:the )?(?:repo|repository|remote))$/,
      '',
    );
  // What a pull or a fetch brings is not undone by an edit.
  if (all.length === 0 || all.some(({ commands }) => /^git (?:pull|fetch)\b/.test(commands[0] ?? ''))) return undefined;
  if (setting.base !== '') return 'place';
  const typed =
    TARGETS.find(([pattern]) => pattern.test(said))?.[1] ?? commandOf(said.replace(/^run /, ''), setting.phrase, false);
  if (typed) return all.map((work) => firstDraft(work, typed, 'deny'));
  if (DONE.test(said)) return all.map((work) => afterDraft(work, undefined, 'deny'));
  return 'conditional';
}

const TARGETS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^commit(?:s|ting)?(?: messages?)?$/, ['git commit']],
  [/^push(?:es|ing)?$/, ['git push']],
  [/^commit(?:s)?(?: or |\/| and )push(?:es|ing)?$/, ['git commit', 'git push']],
  [
    /^(?:open(?:ing)? |submit(?:ting)? |raising |creating |an? )*(?:prs?|pull requests?|merge requests?)$/,
    ['gh pr create', 'glab mr create'],
  ],
];
const DONE =
  /^(?:finish(?:ing)?|complet(?:e|ing|ion)|done|ending|stopp?ing|declar(?:e|ing) .*(?:done|complete|finished)|mark(?:ing)? .*(?:done|complete|completed|finished)|consider(?:ing)? .*(?:done|complete)|finish(?:ing)? (?:a |the |your |any )?(?:task|work)|complet(?:e|ing) (?:a |the |your |any )?(?:task|work)|report(?:ing)? (?:completion|done)|claim(?:ing)? .*(?:done|complete))$/;

function after(works: string, edits: string, setting: Setting): Reading | undefined {
  const all = allOf(works, setting.phrase, workOf);
  if (!all) return undefined;
  const [, where] =
    /^(?:you |making |any |every |each |all |code |file |the |a )*(?:changes?|edits?|chang(?:e|ing)|edit(?:ing)?|modif(?:y|ying|ication)|updat(?:e|ing)|touch(?:ing)?|writing)(?: (?:any |code |files? )*)?(?: ?(?:to |in |of )?(.+))?$/.exec(
      withBaseVerb(edits),
    ) ?? [null, null];
  if (where === null) return 'conditional';
  const place =
    where === undefined || /^(?:code|files?|anything|something)$/.test(where)
      ? {}
      : placeOf(where.replace(/^(?:any|a|the) /, ''), setting.phrase, setting.base);
  if (!place || place.not !== undefined) return 'place';
  const globs = place.paths ?? (setting.base === '' ? undefined : [`${setting.base}/**`]);
  return all.map((work) => afterDraft(work, globs, 'note'));
}

function instead(good: string, bad: string, setting: Setting, { isMild }: Clause): Reading | undefined {
  const { phrase, base } = setting;
  const action = isMild ? 'note' : 'deny';
  const rest = bad.replace(/,? (?:or|and) (?:any|another) other .*$/, '').replace(/^(?:the|using|with|raw|plain) /, '');
  const [where = / (?:in|inside|within) (.+)$/.exec(good)?.[1]] =
    / (?:in|inside|within) (.+)$/.exec(rest)?.slice(1) ?? [];
  const list = rest.replace(/ (?:in|inside|within) .+$/, '');
  const wanted = allOf(good, phrase, (part) => commandOf(part, phrase, false))?.flat();
  const typed = allOf(rest, phrase, (part) => commandOf(part, phrase, false))?.flat();
  if (typed && wanted) {
    if (base !== '') return 'place';
    return typed.some((one) => wanted.includes(one)) ? undefined : [commandDraft(typed, action, wanted.slice(0, 1))];
  }
  const contents = allOf(list, phrase, contentOf);
  const place = where === undefined ? {} : placeOf(where, phrase, base);
  if (!contents || typed) return undefined;
  if (!place) return 'place';
  const scope = place.paths ?? setting.scope ?? (base === '' ? undefined : [`${base}/**`]);
  return contents.map((content) => ({ ...textDraft(content, { ...place, ...(scope && { paths: scope }) }, action) }));
}

function manager(said: string, { phrase, base }: Setting): Reading | undefined {
  const [program] = commandOf(said, phrase, false) ?? [];
  const others = program === undefined ? [] : installsBeside(program, MANAGERS);
  if (others.length === 0 || program === undefined) return undefined;
  return base === '' ? [commandDraft(others, 'deny', [program])] : 'place';
}

/** Reads what is to be done; undefined for a sentence of no known form. */
export function readDemanded(words: string, setting: Setting): Reading | undefined {
  const said = withoutLead(words).replace(/ \([^()]*\)/g, (aside) =>
    /^ \((?:‹\d+›|not \S+)\)$/.test(aside)
      ? aside.replace('(not', ', not').replace(/\)$/, (end) => (aside.startsWith(' (not') ? '' : end))
      : '',
  );
  const clause: Clause = { wants: 'not', isMild: /\bprefer\b|\bshould\b/.test(words), what: said, byHand: false };
  for (const { said: form, read } of DEMANDED) {
    const found = form.exec(said);
    const reading = found && read(found.slice(1), setting, clause);
    if (reading !== undefined && reading !== null) return reading;
  }
  return undefined;
}
