/** A rule that a sentence asks for, before it has a name of its own and a text. */
export interface Draft {
  readonly kind: 'command' | 'file' | 'read' | 'text' | 'branch' | 'first' | 'after';
  /** Words for its name. */
  readonly about: readonly string[];
  readonly action: 'deny' | 'ask' | 'note';
  /** Lines of the front matter that say when it acts. */
  readonly when: readonly string[];
  readonly acts: readonly string[];
  readonly passes: readonly string[];
  /** What to do instead, for the message. */
  readonly instead?: string;
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function listOf(texts: readonly string[]): string {
  return `[${texts.map(quote).join(', ')}]`;
}

export function mapOf(fields: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`;
}
