import type { Clause } from './clause.ts';
import {
  commandDraft,
  commitDraft,
  effectDraft,
  fileDraft,
  pushDraft,
  readDraft,
  signatureDraft,
  textDraft,
} from './drafts.ts';
import { isVerb, withBaseVerb } from './form.ts';
import type { Form, Reading, Setting } from './form.ts';
import { ADD_PACKAGE } from './lexicon.ts';
import { allOf, branchOf, commandOf, contentOf, partsOf, pathsOf, placeOf, someOf } from './objects.ts';
import { spansIn } from './phrase.ts';
import type { Draft } from './rule-draft.ts';

const EDITING =
  'edit|modify|change|touch|alter|update|overwrite|write to|hand-?edit|rename|move|delete|remove|tamper with|rewrite|mess with|reformat';
const ORDINARY = /^[a-z]+$/i;

const actionOf = ({ wants, isMild }: Clause): Draft['action'] => (wants === 'ask' ? 'ask' : isMild ? 'note' : 'deny');

/** What is not to be done, by its verb. The first that fits, and whose object is known, is taken. */
export const FORBIDDEN: readonly Form[] = [
  {
    name: 'force push',
    said: /^(?:(?:use |do |git )?force[- ]?push(?:es)?)(?: (?:to|on) (.+))?$/,
    read: ([where], { phrase }, clause) => {
      if (where === undefined || /^(?:any|shared|remote) branch(?:es)?$|^(?:the )?remotes?$/.test(where))
        return [pushDraft(undefined, true, actionOf(clause))];
      const branches = allOf(where, phrase, branchOf);
      return branches && [pushDraft(branches, true, actionOf(clause))];
    },
  },
  {
    name: 'push or commit to a branch',
    said: /^(commit|push|work|develop)(?:(?:,? (?:or|and) |\/)(commit|push))?(?: (?:code|changes|anything|commits|work|new code))?(?: (?:directly|straight))? (?:to|on|onto|into|against) (.+)$/,
    read: ([one = '', other, where = ''], { phrase }, clause) => {
      const branches = allOf(where, phrase, branchOf);
      const verbs = [one, other];
      const pushes = verbs.includes('push');
      const commits = verbs.some((verb) => verb !== undefined && verb !== 'push');
      return (
        branches && [
          ...(pushes ? [pushDraft(branches, false, actionOf(clause))] : []),
          ...(commits ? [commitDraft(branches, actionOf(clause))] : []),
        ]
      );
    },
  },
  {
    name: 'a verb of git',
    said: /^(commit|push|rebase|amend|merge)(?:(?:,? (?:or|and) |\/)(commit|push|merge|amend))?(?: (?:code|changes|anything|commits|any changes|your changes|to (?:the )?remote(?: repository)?|prs?|pull requests?|branches))?$/,
    read: ([one = '', other], _setting, clause) => {
      const verbs = [one, other].filter((verb) => verb !== undefined);
      return verbs.map((verb) =>
        verb === 'push'
          ? pushDraft(undefined, false, actionOf(clause))
          : commandDraft(GIT[verb] ?? [`git ${verb}`], actionOf(clause)),
      );
    },
  },
  {
    name: 'skip hooks',
    said: /^(?:skip|bypass|disable) (?:the |pre-?commit |git |commit |husky |pre-push |or )*hooks?(?: (?:with|using|via) ‹\d+›)?$/,
    read: (_found, _setting, clause) => [
      commandDraft(['git commit --no-verify', 'git commit -n', 'git push --no-verify'], actionOf(clause)),
    ],
  },
  {
    name: 'add a dependency',
    said: /^(?:(?:add|install|introduce|bring in|pull in) (?:new |any |additional |external |third-party |npm |python |extra |a |other |more )*|use new (?:external |third-party |npm |python )*)(?:dependenc(?:y|ies)|packages?|librar(?:y|ies))$/,
    read: (_found, _setting, clause) => [commandDraft(ADD_PACKAGE, actionOf(clause), ['npm install'])],
  },
  {
    name: 'publish',
    said: /^publish(?: (?:packages?|releases?|anything|(?:the |this )?package))?(?: to (?:npm|pypi|crates\.io|the registry))?$/,
    read: (_found, _setting, clause) => [
      effectDraft(
        'publish',
        ['no', 'publish'],
        actionOf(clause),
        ['npm publish', 'cargo publish'],
        ['npm pack', 'npm run publish-docs'],
      ),
    ],
  },
  {
    name: 'open a pull request',
    said: /^(?:open|create|submit|raise|make) (?:a |an |any |new )*(?:prs?|pull requests?|merge requests?)$/,
    read: (_found, _setting, clause) => [commandDraft(['gh pr create', 'glab mr create'], actionOf(clause))],
  },
  {
    name: 'sign a commit for the agent',
    said: /^(?:(?:add|include|use|put|append|mention|have) )?(?:any |a |an |the )*(‹\d+›|co-authored-by|ai attribution|ai co-author(?:s|ship)?)(?: (?:lines?|trailers?|footers?|tags?|attributions?))?(?: (?:to|in|on) (?:any |the |your |git )*(?:commits?|commit messages?))?$/,
    read: ([named = ''], { phrase }, clause) => {
      const text = spansIn(named, phrase)[0]?.text ?? named;
      return /co-authored-by|^ai /i.test(text) ? [signatureDraft(actionOf(clause))] : undefined;
    },
  },
  {
    name: 'commit a file',
    said: /^(?:commit|check in|stage|git add|track|version) (.+?)(?: to (?:git|version control|the repo(?:sitory)?|source control))?$/,
    read: ([list = ''], { phrase }, clause) => {
      const globs = someOf(list, phrase, (part) => pathsOf(part, phrase, ''))?.flat();
      const typed = globs?.flatMap((glob) => {
        const path = glob.replace(/^\*\*\//, '').replace(/\/\*\*$/, '');
        return [`git add ${path}`, ...(path === glob ? [] : [`git add ${path}/*`])];
      });
      return typed && [commandDraft(typed, actionOf(clause))];
    },
  },
  {
    name: 'edit files',
    said: new RegExp(`^((?:${EDITING})(?:(?:,? (?:or|and) |, |/)(?:${EDITING}|create|add))*) (.+)$`),
    read: ([verbs = '', list = ''], { phrase, base }, clause) => {
      const globs = someOf(list, phrase, (part) => pathsOf(part, phrase, base))?.flat();
      const how = clause.byHand || /hand|generated/.test(`${verbs} ${list}`) ? 'hand' : editingOf(verbs);
      return globs && [fileDraft(globs, how, actionOf(clause))];
    },
  },
  {
    name: 'read files',
    said: /^(?:read|open|access|view|print|cat|look at|inspect|display|output|load)(?: or (?:read|open|access|modify|edit|print|display|view))? (.+)$/,
    read: ([list = ''], { phrase, base }, clause) => {
      const globs = someOf(list, phrase, (part) => pathsOf(part, phrase, base))?.flat();
      return globs && [readDraft(globs, actionOf(clause))];
    },
  },
  {
    name: 'run a command',
    said: /^(?:run|execute|invoke|start|launch|call|issue)(?: or (?:run|execute|use))? (.+)$/,
    read: ([list = ''], { phrase }, clause) => {
      const typed = someOf(list, phrase, (part) => commandOf(part, phrase, true))?.flat();
      return typed && [commandDraft(typed, actionOf(clause))];
    },
  },
  {
    name: 'use a command or a text',
    said: /^(?:(?:use|using|add|write|introduce|leave|include|insert|put|pass|commit|call|rely on|import|reach for|allow|create|make|have|suppress \w+ with|ship|merge)(?: or (?:use|add|commit|leave))? )?(.+)$/,
    read: ([list = ''], { phrase }, clause) => {
      const typed = allOf(list, phrase, (part) => commandOf(part, phrase, false))?.flat();
      if (typed) return [commandDraft(typed, actionOf(clause))];
      return textReading(list, { phrase }, clause);
    },
  },
];

const GIT: Readonly<Record<string, readonly string[]>> = {
  amend: ['git commit --amend'],
  merge: ['gh pr merge'],
};

function editingOf(verbs: string): 'edit' | 'delete' | 'any' {
  if (/^(?:edit|update|write to|rewrite|reformat)$/.test(verbs)) return 'edit';
  return /^(?:delete|remove)$/.test(verbs) ? 'delete' : 'any';
}

function textReading(list: string, { phrase }: Pick<Setting, 'phrase'>, clause: Clause): Reading | undefined {
  const contents = allOf(list, phrase, contentOf);
  if (contents) return contents.map((content) => textDraft(content, {}, actionOf(clause)));
  const isOrdinary = partsOf(list).some(
    (part) =>
      /^(?:the |raw )?‹\d+›/.test(part) && phrase.spans.some(({ text, isCode }) => isCode && ORDINARY.test(text)),
  );
  return isOrdinary ? 'ordinary' : undefined;
}

/** Reads what is not to be done. */
export function readForbidden(clause: Clause, setting: Setting): Reading {
  const { what, where } = clause;
  const said = withBaseVerb(what);
  const place = where === undefined ? {} : placeOf(where, setting.phrase, setting.base);
  for (const { said: form, read } of FORBIDDEN) {
    const found = form.exec(said);
    const reading = found && read(found.slice(1), setting, clause);
    if (reading === undefined || reading === null) continue;
    if (typeof reading === 'string') return reading;
    if (place === undefined) return 'place';
    return placed(reading, said, place, setting, clause);
  }
  const each = where === undefined ? verbsOf(said) : [];
  const known = each.flatMap((part) => {
    const reading = readForbidden({ ...clause, what: part }, setting);
    return typeof reading === 'string' ? [] : reading;
  });
  if (known.length > 0) return known;
  return VAGUE.test(what) ? 'judgement' : MIND.test(what) ? 'mind' : 'unnamed';
}

/** `commit, push or open a pr` as three things, each of which is forbidden by itself. */
function verbsOf(said: string): readonly string[] {
  const parts = partsOf(said);
  return parts.length > 1 && parts.every((part) => isVerb(part.split(' ')[0] ?? '')) ? parts : [];
}

/** Text is looked for where the sentence says; nothing else has a place. */
function placed(
  drafts: readonly Draft[],
  said: string,
  place: NonNullable<ReturnType<typeof placeOf>>,
  setting: Setting,
  clause: Clause,
): Reading {
  const isText = drafts.every(({ kind }) => kind === 'text');
  if (!isText) {
    if (place.paths || place.not !== undefined) return 'place';
    return setting.base !== '' && drafts.some(({ kind }) => kind !== 'file' && kind !== 'read') ? 'place' : drafts;
  }
  const scope = place.paths ?? setting.scope ?? (setting.base === '' ? undefined : [`${setting.base}/**`]);
  const list = FORBIDDEN.at(-1)?.said.exec(said)?.[1] ?? '';
  const contents = allOf(list, setting.phrase, contentOf) ?? [];
  return contents.map((content) => textDraft(content, { ...place, ...(scope && { paths: scope }) }, actionOf(clause)));
}

const VAGUE =
  /\b(?:unnecessar\w+|overly|complex\w*|clean|readable|good|bad|proper\w*|appropriate\w*|large|big|long|deep\w*|excessive\w*|meaningful|duplicat\w+|redundant|magic|vague|generic|hacky|clever|premature|simple|over-?engineer\w*|speculative|unrelated|needless\w*|hard-?code\w*|secrets?|credentials|passwords?|api keys?|tokens?|sensitive)\b/;
const MIND =
  /\b(?:assume|guess|invent|make up|mention|say|claim|apologi[sz]e|explain|think|forget|hallucinate|speculate|recommend|suggest|respond|reply|tell|ask|ignore|trust|skip|mix)\b/;
