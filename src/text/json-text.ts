/** A member of the outermost object, by where its parts stand in the text. */
interface Member {
  readonly key: string;
  readonly keyAt: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Sets members of the object that a JSON text holds and leaves every other character as it is: order, indent, line ends,
 * numbers as they were written. Undefined when the text is not an object.
 */
export function setMembers(text: string, changes: Readonly<Record<string, unknown>>): string | undefined {
  if (!isObject(text)) return undefined;
  let changed = text;
  for (const [key, value] of Object.entries(changes)) changed = setMember(changed, key, value);
  return changed;
}

export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(withoutMark(text)) as unknown;
    const isFields = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isFields ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function isObject(text: string): boolean {
  return parseObject(text) !== undefined;
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function setMember(text: string, key: string, value: unknown): string {
  const members = membersOf(text);
  const first = members[0];
  const last = members.at(-1);
  const newLine = text.includes('\r\n') ? '\r\n' : '\n';
  const open = text.indexOf('{');
  const lead = first ? text.slice(open + 1, first.keyAt) : `${newLine}  `;
  const isSpread = lead.includes('\n');
  const indent = isSpread ? lead.slice(lead.lastIndexOf('\n') + 1) : '';
  const json = JSON.stringify(value, null, isSpread ? indent || '  ' : undefined).replaceAll('\n', newLine + indent);
  const known = members.findLast((member) => member.key === key);
  if (known) return text.slice(0, known.from) + json + text.slice(known.to);
  const member = `${JSON.stringify(key)}:${isSpread ? ' ' : ''}${json}`;
  if (last) return `${text.slice(0, last.to)},${lead}${member}${text.slice(last.to)}`;
  const close = text.indexOf('}', open);
  return `${text.slice(0, open + 1)}${lead}${member}${newLine}${text.slice(close)}`;
}

/** For a text that is known to be an object, so the scan only has to keep out of strings and count brackets. */
function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let at = skipSpace(text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const keyAt = at;
    at = endOfString(text, at);
    const key = JSON.parse(text.slice(keyAt, at)) as string;
    const from = skipSpace(text, skipSpace(text, at) + 1);
    at = endOfValue(text, from);
    members.push({ key, keyAt, from, to: at });
    at = skipSpace(text, at);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/[ \t\r\n]/.test(text[at] ?? '')) at += 1;
  return at;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length;) {
    const character = text[at] as string;
    if (character === '"') {
      at = endOfString(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (depth === 0 && /[,}\]\s]/.test(character)) return at;
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    at += 1;
    if (depth === 0 && (character === '}' || character === ']')) return at;
  }
  return text.length;
}
