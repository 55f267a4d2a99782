import { parseObject } from '../../text/json-text.ts';

/** What metadata.json says that matters here; all else in it belongs to others and is kept. */
export interface Metadata {
  readonly status?: string;
  readonly type?: string;
  readonly created?: string;
  readonly priority?: string;
}

/** Undefined when the text is no JSON object. */
export function readMetadata(text: string): Metadata | undefined {
  const fields = parseObject(text);
  if (!fields) return undefined;
  return {
    ...textAt(fields, 'status'),
    ...textAt(fields, 'type'),
    ...textAt(fields, 'created'),
    ...textAt(fields, 'priority'),
  };
}

/** The status of an increment and who says so. */
export interface Standing {
  readonly status?: string;
  readonly source: 'metadata' | 'front matter' | 'nowhere';
  /** What the front matter says where metadata.json says something else and wins. */
  readonly otherwise?: string;
}

export function standingOf(
  metadata: Pick<Metadata, 'status'> | undefined,
  frontMatter: ReadonlyMap<string, string> | undefined,
): Standing {
  const told = frontMatter?.get('status') || undefined;
  if (metadata?.status !== undefined) {
    const { status } = metadata;
    return { status, source: 'metadata', ...(told === undefined || told === status ? {} : { otherwise: told }) };
  }
  return told === undefined ? { source: 'nowhere' } : { status: told, source: 'front matter' };
}

/** An increment whose status nobody states counts as active. */
export function isActive(status: string | undefined, activeStatuses: readonly string[]): boolean {
  return status === undefined || activeStatuses.includes(status);
}

function textAt<Key extends string>(
  fields: Readonly<Record<string, unknown>>,
  key: Key,
): { readonly [K in Key]?: string } {
  const value = fields[key];
  const text = typeof value === 'string' ? value.trim() : '';
  return (text === '' ? {} : { [key]: text }) as { readonly [K in Key]?: string };
}
