export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of two spellings that holds a non-empty string. */
export function textAt(fields: Fields, snake: string, camel: string = snake): string | undefined {
  const first = fields[snake];
  if (typeof first === 'string' && first !== '') return first;
  if (camel === snake) return undefined;
  const second = fields[camel];
  return typeof second === 'string' && second !== '' ? second : undefined;
}

/** Like `textAt`, for texts where empty means something: the new text of an edit, the output of a command. */
export function stringAt(fields: Fields, snake: string, camel: string = snake): string | undefined {
  const value = fields[snake] ?? fields[camel];
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(fields: Fields, snake: string, camel: string = snake): number | undefined {
  const value = fields[snake] ?? fields[camel];
  return typeof value === 'number' ? value : undefined;
}

/** The text of a string or of content blocks; a single block is passed on without a copy. */
export function blockText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  let text: string | undefined;
  for (const block of value as readonly unknown[]) {
    const part = typeof block === 'string' ? block : isFields(block) ? stringAt(block, 'text') : undefined;
    if (part !== undefined) text = text === undefined ? part : `${text}\n${part}`;
  }
  return text;
}
