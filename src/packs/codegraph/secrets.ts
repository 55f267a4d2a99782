import { redact } from '../../engine/rule.ts';

/** What stands before a secret: the names that the engine's own redaction knows, and some more. */
const SECRET_NAME =
  /(?:passw(?:or)?d|pwd|passphrase|secret|(?:api|access|private)[_-]?key|token|credential|authorization|bearer)s?\w{0,20}["'\s]*$/i;
const TOKEN_NAME = /(?:authorization|bearer)["'\s]*$/i;
const MAY_NAME_SECRET = /pass|pwd|secret|key|token|credential|authorization|bearer/i;

/** A text without what looks like a secret. */
export function withoutSecrets(text: string): string {
  const redacted = redact(text);
  const clean = redacted === text ? text : redacted.replaceAll(/\[redacted[^\]]*\]/g, ' ');
  return clean.replace(LONG_RUN, (run) => (looksLikeKey(run.replaceAll(/[+/=-]/g, '')) ? ' ' : run));
}

/** Longer than most names, with the marks that keys have between their letters. */
const LONG_RUN = /[\w+/-]{16,}={0,2}/g;

/** Letters and digits that nobody made up as a name: hexadecimal, or changing between the two again and again. */
function looksLikeKey(run: string): boolean {
  if (/^(?=.*\d)[\da-f]{16,}$/i.test(run)) return true;
  return run.length >= 20 && (run.match(/\d(?=[a-z])|[a-z](?=\d)/gi)?.length ?? 0) >= 4;
}

/** An expression whose syntax is taken out, without what it gives to the name of a secret, up to the next alternative. */
export function withoutValues(text: string): string {
  if (!MAY_NAME_SECRET.test(text)) return text;
  let kept = '';
  let depth = 0;
  /** How many groups were open where the present value began. */
  let valueAt: number | undefined;
  for (const part of text.match(PARTS) ?? []) {
    if (part === '(') depth += 1;
    else if (part === ')') depth -= 1;
    if (valueAt !== undefined && (depth < valueAt || (part === '|' && depth === valueAt))) valueAt = undefined;
    if (valueAt === undefined && beginsValue(part, kept)) valueAt = depth;
    kept += valueAt !== undefined && RUN.test(part) ? ' ' : part;
  }
  return kept;
}

const PARTS = /[\p{ID_Continue}-]+|[^\p{ID_Continue}-]/gu;
const RUN = /^[\p{ID_Continue}-]/u;
/** Names are looked for so far back. */
const REACH = 200;

/** `apikey` of `api[_-]?key`, whose class has become a gap. */
function joined(text: string): string {
  return text.slice(text.lastIndexOf('|') + 1).replaceAll(/[^\p{ID_Continue}]+/gu, '');
}

/** `=` and `:` give a value to the name before them; after a mere gap, digits tell a value from one more name. */
function beginsValue(part: string, before: string): boolean {
  const gives = part === '=' || part === ':';
  if (!gives && !(RUN.test(part) && part.length >= 6)) return false;
  const near = before.slice(-REACH).replace(/[^\p{ID_Continue}'"|)-]+$/u, ' ');
  const names = [near, ...(/\(([^()]*)\)\W*$/.exec(near)?.[1]?.split('|') ?? [])];
  if (gives) return names.some((name) => SECRET_NAME.test(name) || SECRET_NAME.test(joined(name)));
  return names.some((name) => TOKEN_NAME.test(name) || (/\d/.test(part) && SECRET_NAME.test(name)));
}
