import { FILES, INSTALLS, isProgram, MADE_DIRS, PLACES, SAME, TASKS, TERMS } from './lexicon.ts';
import { spansIn } from './phrase.ts';
import type { Phrase, Span } from './phrase.ts';
import { typedProblem } from '../user-rules/typed-command.ts';

/** Words that only point at what is named. */
const POINTING =
  /^(?:(?:the|a|an|any|any of|all|your|our|this|these|that|files?|anything|any files?|code|changes|directly|contents?|new|generated|auto-?generated|build|output|types|or)(?: (?:in|inside|within|under|below|from|of|to))? )+|^(?:in|inside|within|under|into) /;
const NOUNS =
  /(?: (?:files?|director(?:y|ies)|folders?|branch(?:es)?|commands?|flags?|options?|types?|calls?|statements?|functions?|methods?|hooks?|script|scripts|package|library|syntax|keyword|directives?|comments?|casts?|tag|attribute|or (?:its|their) contents?|contents))+$/;

/** The things that a list names: `a, b or c`. */
export function partsOf(list: string): readonly string[] {
  return list
    .split(/,? (?:or|and|nor|and\/or) |, |\/(?=‹)/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function bareOf(part: string): string {
  let bare = part.trim();
  for (let next = bare.replace(POINTING, ''); next !== bare; next = bare.replace(POINTING, '')) bare = next;
  return bare.replace(NOUNS, '').trim();
}

/** Whether all of a part is one span, with words that only point at it. */
function spanOf(part: string, phrase: Phrase): Span | undefined {
  const bare = bareOf(part);
  return /^‹\d+›$/.test(bare) ? spansIn(bare, phrase)[0] : undefined;
}

type Read<Found> = (part: string, phrase: Phrase) => Found | undefined;

/** What is known of a list of which each part is forbidden by itself; undefined where nothing is. */
export function someOf<Found>(list: string, phrase: Phrase, read: Read<Found>): readonly Found[] | undefined {
  if (/ and /.test(list)) return allOf(list, phrase, read);
  const found = partsOf(list).flatMap((part) => read(part, phrase) ?? []);
  return found.length > 0 ? found : undefined;
}

/** All of a list, or nothing where one part of it is something else. */
export function allOf<Found>(list: string, phrase: Phrase, read: Read<Found>): readonly Found[] | undefined {
  const parts = partsOf(list);
  const found = parts.map((part) => read(part, phrase));
  return parts.length > 0 && found.every((one) => one !== undefined) ? found : undefined;
}

/** How a rule would type the command; undefined for what is none. `isRun`: the sentence says that it is run. */
export function commandOf(part: string, phrase: Phrase, isRun: boolean): readonly string[] | undefined {
  const span = spanOf(part, phrase);
  const bare = bareOf(part);
  const [text, isCode] = span ? [span.text, span.isCode] : [bare, false];
  const isTyped = isRun && /^[\w@:./-]+(?: [\w@:./-]+){0,3}$/.test(bare);
  if (!span && !isProgram(isTyped ? (bare.split(' ')[0] ?? '') : bare, false)) return undefined;
  const typed = text
    .replace(/^\$\s+/, '')
    .replaceAll(/\s*(?:\.\.\.|…)$/g, '')
    .replaceAll(/\s\[[^\]]*\]/g, '')
    .replaceAll(/\{[^{}\s]*\}/g, '<x>')
    .trim();
  const [program = '', ...rest] = typed.split(/\s+/);
  if (/^--[a-z][\w-]*$/.test(typed)) return [`* ${typed}`];
  const isNamed = isProgram(program.replace(/^.*\//, ''), isCode);
  const couldRun =
    isRun && isCode && /^(?:\.{0,2}\/)?[a-z][\w./-]*$/.test(program) && !/\.(?:md|json|ya?ml|toml)$/.test(program);
  if (!isNamed && !couldRun) return undefined;
  if (typedProblem(typed.replaceAll(/<[^<>]*>/g, 'x')) !== undefined || /[A-Z]{3,}/.test(typed)) return undefined;
  const words = [program.replace(/^.*\//, ''), ...rest].join(' ');
  return [...new Set([words, ...(SAME[words] ?? []), ...scriptForms(words)])];
}

/** `pnpm run x` and `pnpm x` run the same script. */
function scriptForms(typed: string): readonly string[] {
  const [, program, run, script] = /^(npm|pnpm|yarn|bun) (run )?([\w:.-]+)$/.exec(typed) ?? [];
  if (program === undefined || script === undefined || OWN_WORDS.test(script)) return [];
  if (program === 'npm') return /^(?:test|start|stop)$/.test(script) ? [`npm run ${script}`, `npm ${script}`] : [];
  if (program === 'bun') return [];
  return run === undefined ? [`${program} run ${script}`] : [`${program} ${script}`];
}

const OWN_WORDS =
  /^(?:install|i|add|remove|rm|ci|update|up|upgrade|publish|pack|link|unlink|init|create|dlx|exec|audit|outdated|why|list|ls|config|import|store|dedupe|prune|run|x)$/;

/** Globs from the directory of the instructions; undefined for what is no file. */
export function pathsOf(part: string, phrase: Phrase, base: string): readonly string[] | undefined {
  const said = part.replace(/^(?:the|any|all|your|our) /, '');
  const usual = FILES.find(([pattern]) => pattern.test(said.replace(/^(?:files in )/, '')));
  if (usual) return usual[1].map((glob) => below(base, glob));
  const span = spanOf(part, phrase);
  if (!span) return undefined;
  const isDirectory =
    /\b(?:director(?:y|ies)|folders?|(?:files?|anything|code|contents?) (?:in|inside|within|under))\b/.test(part);
  return globOf(span.text, isDirectory, base);
}

function globOf(typed: string, isDirectory: boolean, base: string): readonly string[] | undefined {
  const text = typed
    .replace(/^\.\//, '')
    .replaceAll(/<[^<>]*>|\{\w+\}/g, '*')
    .replaceAll('\\', '/');
  if (text === '' || /[\s()'"=:;&|$#!@+]|^\/|^~|\.\.|^\*+$|^\*\*\/\*$|^-/.test(text)) return undefined;
  const name = text.replace(/\/(?:\*\*?(?:\/\*)?)?$/, '');
  const isTree = isDirectory || text !== name || MADE_DIRS.has(name);
  if (!isTree && !isFileName(text)) return undefined;
  if (!isTree) return [below(base, text)];
  if (name === '' || name === '*') return undefined;
  const isAnywhere = !name.includes('/') && MADE_DIRS.has(name);
  return [below(base, isAnywhere ? `**/${name}/**` : `${name}/**`)];
}

function isFileName(text: string): boolean {
  return (
    /^\.[\w.*-]+$|\.[A-Za-z][\w*]{0,11}$|\/[\w.*-]+$|^(?:Makefile|Dockerfile|Procfile|LICENSE|CODEOWNERS)$|\*\./.test(
      text,
    ) && !/\(\)|^\d/.test(text)
  );
}

function below(base: string, glob: string): string {
  if (base === '') return glob;
  return glob.includes('/') ? `${base}/${glob}` : `${base}/**/${glob}`;
}

export interface Content {
  readonly name: string;
  readonly pattern: string;
  readonly paths?: readonly string[];
  readonly hit: string;
  readonly miss: string;
}

/** Text of code that can be told from other text; undefined for what is none, or an ordinary word. */
export function contentOf(part: string, phrase: Phrase): Content | undefined {
  const span = spanOf(part, phrase);
  const bare = part
    .replace(/^(?:the|a|an|any|raw) /, '')
    .replaceAll(/‹(\d+)›/g, (_, at: string) => phrase.spans[Number(at)]?.text.toLowerCase() ?? '');
  const said = span ? span.text.toLowerCase() : bare;
  const term = TERMS.find((one) => one.said.test(said) || one.said.test(bare));
  if (term) return { name: said, ...term };
  if (!span?.isCode) return undefined;
  return literal(span.text);
}

function literal(text: string): Content | undefined {
  const isCall = text.endsWith('()');
  const body = isCall ? text.slice(0, -2) : text;
  if (
    body.length < 3 ||
    body.length > 60 ||
    /\s|[<>{}]|\.\.\.|…|^--|\/$/.test(body) ||
    /^[A-Z]?[a-z]+$|^[A-Z]+$/.test(body)
  )
    return undefined;
  const isToken =
    /^[@#.!$]?[\w$-]+(?:(?:\.|::|->|:|-|\/)[\w$*-]+)*(?:!|::)?$/.test(body) && /[._@!$#:\d-]|[a-z][A-Z]/.test(body);
  if (!isToken || isFileLike(body)) return undefined;
  const escaped = body.replaceAll(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`).replaceAll('*', String.raw`\w+`);
  const start = /^\w/.test(body) ? String.raw`(?:^|[^\w.-])` : '';
  const end = isCall ? String.raw`\s*\(` : /\w$/.test(body) ? String.raw`(?:$|[^\w-])` : '';
  const filled = body.replaceAll('*', 'x');
  return {
    name: body,
    pattern: `(?-i)${start}${escaped}${end}`,
    hit: `x ${filled}${isCall ? '(1)' : ''} y`,
    miss: `x ${filled.slice(0, -1)}_z y`,
  };
}

function isFileLike(text: string): boolean {
  return (
    /\.(?:json|ya?ml|toml|md|lock|txt|py|rs|go|sh|sql|html?)$/.test(text) ||
    (text.includes('/') && !text.startsWith('@'))
  );
}

/** Branches by their names. */
export function branchOf(part: string, phrase: Phrase): string | undefined {
  const span = spanOf(part.replace(/ branch(?:es)?$/, ''), phrase);
  const name = span?.text.replace(/^origin\//, '') ?? bareOf(part);
  if (span) return /^[\w./-]+$/.test(name) && !/\.\w+$/.test(name) ? name : undefined;
  return /^(?:main|master|develop|dev|trunk|staging|production)$/.test(name) ? name : undefined;
}

/** The commands that a task stands for, or one that is named; with the name that people know it by. */
export function workOf(
  part: string,
  phrase: Phrase,
): { readonly name: string; readonly commands: readonly string[] } | undefined {
  const said = part
    .replace(/^(?:run |running |that |to run |both )+/, '')
    .replace(/ (?:first|again|locally|to (?:validate|verify|check|confirm|ensure|catch) [^‹›]+)$/, '');
  const task = TASKS.find(([, pattern]) => pattern.test(said));
  if (task) return { name: task[0], commands: task[2] };
  const bare = said.replace(
    /^(?:the (?:entire |full )?(?:test suite|tests|linter|type check|build) \((‹\d+›)\))$/,
    '$1',
  );
  const commands = commandOf(bare, phrase, true);
  return commands && !commands[0]?.startsWith('*') ? { name: `\`${commands[0]}\``, commands } : undefined;
}

export interface Place {
  readonly paths?: readonly string[];
  /** A pattern that no path of it fits. */
  readonly not?: string;
}

/** Where a sentence holds: files by their names, or as people say it. */
export function placeOf(words: string, phrase: Phrase, base: string): Place | undefined {
  const said = words.replace(/^(?:the|your|our|all|any) /, '');
  const usual = PLACES.find(([pattern]) => pattern.test(words) || pattern.test(said));
  if (usual) return usual[1].paths ? { ...usual[1], paths: usual[1].paths.map((glob) => below(base, glob)) } : usual[1];
  const ending = /^‹\d+›(?: files?)?$/.test(said) ? spansIn(said, phrase)[0]?.text : undefined;
  if (ending !== undefined && /^\.[a-z]{1,5}$/.test(ending)) return { paths: [below(base, `*${ending}`)] };
  if (/^(?:src|lib|app)$/.test(said)) return { paths: [below(base, `${said}/**`)] };
  const paths = allOf(words, phrase, (part) =>
    pathsOf(/^‹\d+›$/.test(part) ? `${part} directory` : part, phrase, base),
  );
  return paths && { paths: paths.flat() };
}

/** Commands that install what another program is meant to install. */
export function installsBeside(program: string, rows: readonly (readonly string[])[]): readonly string[] {
  const row = rows.find((one) => one.includes(program)) ?? [];
  return row.filter((other) => other !== program).flatMap((other) => INSTALLS[other] ?? []);
}
