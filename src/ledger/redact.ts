import type { KeptAnswer } from '../event/ledger-row.ts';
import { createWordMatcher } from '../text/words.ts';
import type { WordMatcher } from '../text/words.ts';
import { INPUT_HINTS, redactInputs } from './secret-inputs.ts';
import { CLIENT_HINTS, redactOptions } from './secret-options.ts';

/** Names that are also the ends of other words: `bypass`, `mapping`. A path in PWD is no secret. */
const SHORT = 'pass|pwd|pin|auth|passcode|otp';
const IS = String.raw`\\?["']? ?[:=]\s{0,3}\\?["']?`;
const VALUE = String.raw`(?!\[redacted|["']|(?:true|false|null|undefined|none|string|number|boolean)(?![\w-]))(?:(?<=")[^"\\\n]{1,4096}|(?<=')[^'\\\n]{1,4096}|[^\s"'\\,;&|]{4,4096})`;

/**
 * Secrets by their shape. Each pattern is linear: no nested repetition, every repetition bounded or of one class.
 * The name of what was found stays, the value goes.
 */
const SECRETS: readonly { readonly pattern: RegExp; readonly replacement: string }[] = [
  {
    pattern: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
    replacement: '[redacted private key]',
  },
  { pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, replacement: '[redacted access key]' },
  {
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|glpat-[\w-]{20,255})/g,
    replacement: '[redacted token]',
  },
  { pattern: /\b(?:sk|pk|rk)[-_](?:[a-z]{2,10}[-_])?[A-Za-z0-9_-]{16,255}/g, replacement: '[redacted key]' },
  { pattern: /\bxox[abeoprs]-[\w-]{10,255}/g, replacement: '[redacted token]' },
  { pattern: /\bAIza[\w-]{35}(?![\w-])/g, replacement: '[redacted key]' },
  { pattern: /(?<![\w-])eyJ[\w-]{10,2048}\.[\w-]{10,2048}\.[\w-]{5,2048}/g, replacement: '[redacted token]' },
  {
    pattern: /\b(npm_[A-Za-z0-9]{30,255}|dop_v1_[a-f0-9]{60,70}|hf_[A-Za-z0-9]{30,64})/g,
    replacement: '[redacted token]',
  },
  {
    pattern:
      /\b(authorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:[A-Za-z][\w-]{1,30}\s{1,3})?)(?!\[redacted|[\w-]{1,30}\s{1,3}\[redacted)[^\s"'\\;][^"'\\\r\n]{5,4096}/gi,
    replacement: '$1[redacted]',
  },
  { pattern: /\b(bearer\s{1,3})(?!\[redacted)[\w.~+/=-]{16,4096}/gi, replacement: '$1[redacted]' },
  {
    pattern: /\b((?:set-)?cookies?\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)(?![\s"'\\]|\[redacted)[^"'\\\r\n]{1,8192}/gi,
    replacement: '$1[redacted]',
  },
  {
    pattern:
      /(hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/)[\w/-]{8,255}/g,
    replacement: '$1[redacted]',
  },
  { pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{40,70}/g, replacement: '[redacted key]' },
  { pattern: /(:\/\/[^\s:/@'"]{0,128}:)[^\s/'"]{1,256}@/g, replacement: '$1[redacted]@' },
  // Of a name alone nobody can tell whether it is a token.
  { pattern: /(https?:\/\/)(?!git@|\[redacted)[^\s:/@'"]{1,256}@/gi, replacement: '$1[redacted]@' },
  { pattern: /(\s(?:-u|--user)[ =]{1,2}["']?[^\s:"']{1,128}:)[^\s"']{1,256}/g, replacement: '$1[redacted]' },
  {
    pattern:
      /((?:password|passwd|passphrase|secret|api_?-?key|access_?-?key|account_?-?key|private_?-?key|token|credential)s?[A-Za-z0-9_]{0,20}\\?["']?\s{0,3}[:=]\s{0,3})(?!\\?["']?\[redacted)(?:\$\([^)\n]{1,1024}\)|"[^"\n]{1,4096}"|'[^'\n]{1,4096}'|\\?["']?[^\s"'\\,;&|]{4,4096})/gi,
    replacement: '$1[redacted]',
  },
  { pattern: new RegExp(`(?<=[A-Z])(?<!BY|COM)(PASS=["']?)${VALUE}`, 'g'), replacement: '$1[redacted]' },
  {
    pattern: new RegExp(`(?<![A-Za-z])(?!pwd${IS}[/~])((?:${SHORT})${IS})${VALUE}`, 'gi'),
    replacement: '$1[redacted]',
  },
  {
    pattern: new RegExp(
      `(?<=[a-z0-9])((?:${SHORT.replaceAll(/\b[a-z]/g, (first) => first.toUpperCase())})${IS})${VALUE}`,
      'g',
    ),
    replacement: '$1[redacted]',
  },
  {
    // Words follow such an option in prose too.
    pattern:
      /(--(?:[a-z]{1,20}-){0,3}(?:password|passwd|passphrase|pass|pwd|pin|secret|api-?key|token|auth)\s{1,3})(?!-|<|["']?\[redacted|\$|(?:a|an|and|are|as|at|be|by|can|each|file|flag|for|from|has|if|in|instead|is|it|may|must|not|of|on|only|option|or|should|that|the|then|they|this|to|value|was|when|where|which|will|with|would)(?![\w-]))("[^"\n]{1,4096}"|'[^'\n]{1,4096}'|[^\s"'|;&,]{4,4096})/gi,
    replacement: '$1[redacted]',
  },
];

/** What every text has that is changed by the above, and what only names of fields have. */
const TRIGGER_WORDS = [
  ...['passw', 'passphrase', 'passcode', 'secret', 'key', 'token', 'credential', 'authorization', 'bearer', 'cookie'],
  ...['://', 'akia', 'asia', 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat', 'glpat', 'xox', 'aiza', 'eyj'],
  ...['npm_', 'dop_', 'hf_', 'sk-', 'sk_', 'pk-', 'pk_', 'rk-', 'rk_', '-u ', '-u=', '--user'],
  ...['pass', 'pwd', 'pin', 'auth', 'otp'].flatMap((name) => [':', '=', '"', "'", '\\', ' '].map((end) => name + end)),
  ...INPUT_HINTS,
  ...CLIENT_HINTS,
];
/** Most texts hold none of these, and are done with after one look. */
const TRIGGER = new RegExp(TRIGGER_WORDS.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'i');
/** On long texts the word matcher is several times as fast; to make it takes as long as a hundred looks. */
let triggers: WordMatcher | undefined;
const LOOKS_BEFORE = 100;
let looks = 0;

/** False for a text in which nothing is named or shaped like a secret. */
export function mayHoldSecret(text: string): boolean {
  if (looks++ < LOOKS_BEFORE) return TRIGGER.test(text);
  triggers ??= createWordMatcher(TRIGGER_WORDS.map((word, id) => ({ text: word, id })));
  return triggers.find([text]).size > 0;
}

export function redact(text: string): string {
  if (!TRIGGER.test(text)) return text;
  let clean = text;
  for (const { pattern, replacement } of SECRETS) clean = clean.replace(pattern, replacement);
  return redactOptions(redactInputs(clean));
}

/**
 * The answer kept for a second delivery. Undefined when it would have to change what the agent runs: then a copy is
 * decided afresh.
 */
export function redactAnswer(answer: string, keepsBodies = true): string | undefined {
  if (keepsBodies && !mayHoldSecret(answer)) return answer;
  const { content, decision } = JSON.parse(answer) as KeptAnswer;
  if (!keepsBodies && (decision.reason ?? decision.input) !== undefined) return undefined;
  if (decision.input !== undefined && redact(JSON.stringify(decision.input)) !== JSON.stringify(decision.input))
    return undefined;
  const clean = decision.reason === undefined ? decision : { ...decision, reason: redact(decision.reason) };
  return JSON.stringify({ content, decision: clean } satisfies KeptAnswer);
}

/**
 * Cuts every long text; returns the same value when there is nothing to cut. It looks for no secret: what betrays one
 * stands before it, so a text that is cut after it still has what `mayHoldSecret` looks for.
 */
export function cutTexts(value: unknown, length: number, depth = 0): unknown {
  if (typeof value === 'string') return value.length <= length ? value : cutText(value, value, length);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[deeper]';
  if (Array.isArray(value)) {
    const kept = value.slice(0, MAX_ITEMS).map((item) => cutTexts(item, length, depth + 1));
    if (value.length > MAX_ITEMS) return [...kept, `[+${value.length - MAX_ITEMS} items]`];
    return kept.every((item, at) => item === value[at]) ? value : kept;
  }
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    const cut = cutTexts(item, length, depth + 1);
    if (cut !== item) (copy ??= { ...value })[key] = cut;
  }
  return copy ?? value;
}

function cutText(text: string, kept: string, length: number): string {
  return `${kept.slice(0, length)} [+${text.length - length} characters]`;
}

const MAX_DEPTH = 12;
const MAX_ITEMS = 100;

/** Room beyond the cut, so that a secret lying across it is still recognised whole. */
export const MARGIN = 5_000;

export function shorten(text: string, length: number): string {
  const clean = redact(text.length > length + MARGIN ? text.slice(0, length + MARGIN) : text);
  if (clean.length <= length) return clean;
  return cutText(text, clean, length);
}

/** A copy fit for the record: every text redacted and shortened, whatever its depth. */
export function redactValue(value: unknown, length: number, depth = 0): unknown {
  if (typeof value === 'string') return shorten(value, length);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[deeper]';
  if (Array.isArray(value)) {
    const isPair = value.length === 2 && typeof value[0] === 'string' && isSecretName(value[0]);
    if (isPair) return [value[0], withoutTexts('', value[1], depth + 1)];
    const kept = value.slice(0, MAX_ITEMS).map((item) => redactValue(item, length, depth + 1));
    return value.length > MAX_ITEMS ? [...kept, `[+${value.length - MAX_ITEMS} items]`] : kept;
  }
  const copy: Record<string, unknown> = {};
  const entries = Object.entries(value).slice(0, 200);
  // `{ name: "password", value: … }`
  const named = entries.find(([key, item]) => NAMING.test(key) && typeof item === 'string' && isSecretName(item));
  for (const [key, item] of entries) {
    const isSecret = isSecretName(key) || (named !== undefined && HOLDING.test(key));
    copy[key] = isSecret ? withoutTexts(key, item, depth + 1) : redactValue(item, length, depth + 1);
  }
  return copy;
}

const NAMING =
  /(?:^|[-_])(?:name|key|id|field|label|variable|var|header|property|selector|param|parameter|type)$|[a-z](?:Name|Key|Id)$/i;
const HOLDING = /^(?:value|val|values|data|content|text|string|default|current|new|secret_?value|new_?value)$/i;

/** What has a secret's name: every text in it goes, and a number that is no count. */
function withoutTexts(name: string, value: unknown, depth: number): unknown {
  if (typeof value === 'string') return '[redacted]';
  if (typeof value === 'number') return /tokens?$/i.test(name) ? value : '[redacted]';
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[deeper]';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => withoutTexts(name, item, depth + 1));
  const entries = Object.entries(value).slice(0, 200);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutTexts(name, item, depth + 1)]));
}

const SECRET_NAME =
  /(?:password|passwd|passphrase|secret|api[-_]?key|private[-_]?key|access[-_]?key|token|credential|authorization|cookie)s?$/i;
/** Short names, which are the ends of other words too. */
const SHORT_NAME = /(?:^|[^A-Za-z])(?:pass|pwd|pin|auth|passcode|otp)$|[a-z0-9](?:Pass|Pwd|Pin|Auth|Passcode|Otp)$/;

function isSecretName(key: string): boolean {
  return SECRET_NAME.test(key) || SHORT_NAME.test(key) || SHORT_NAME.test(key.toLowerCase());
}
