import { outputSchema } from '../../../test/fixtures/codex.ts';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly required?: readonly string[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** What of the reply breaks the client's own schema, or lets a tool run that was to be stopped. */
export function isValidReply(event: string, stdout: string): true | string {
  if (stdout === '') return true;
  const schema: Schema | undefined = outputSchema(event);
  if (!schema) return `${event} takes no output`;
  let reply: unknown;
  try {
    reply = JSON.parse(stdout);
  } catch {
    return 'not JSON';
  }
  return problemOf(reply, schema, schema, '') ?? meaningOf(reply as Reply) ?? true;
}

function problemOf(value: unknown, schema: Schema, root: Schema, path: string): string | undefined {
  const { $ref, allOf = [], type, enum: words, const: only, properties = {}, required = [] } = schema;
  const referred = $ref === undefined ? undefined : root.definitions?.[$ref.split('/').at(-1) ?? ''];
  for (const each of [...allOf, ...(referred ? [referred] : [])]) {
    const problem = problemOf(value, each, root, path);
    if (problem !== undefined) return problem;
  }
  if (type !== undefined && typeof value !== type) return `${path} is no ${type}`;
  if (words && !words.includes(value)) return `${path} is none of ${words.join(', ')}`;
  if (only !== undefined && value !== only) return `${path} is not ${JSON.stringify(only)}`;
  if (type !== 'object') return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const missing = required.find((name) => fields[name] === undefined);
  if (missing !== undefined) return `${path}.${missing} is missing`;
  for (const [name, inner] of Object.entries(fields)) {
    const known = properties[name];
    if (!known) return schema.additionalProperties === false ? `${path}.${name} is not known` : undefined;
    const problem = problemOf(inner, known, root, `${path}.${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

interface Reply {
  readonly decision?: string;
  readonly reason?: string;
  readonly hookSpecificOutput?: Readonly<Record<string, unknown>>;
}

/** As client 0.166.0 was seen to do it: each of these lets the tool run. */
function meaningOf({ decision, reason = '', hookSpecificOutput: own = {} }: Reply): string | undefined {
  if (decision === 'block' && reason.trim() === '') return 'a block without a reason';
  const { permissionDecision: permission, permissionDecisionReason: why = '', updatedInput } = own;
  if (permission === 'ask') return 'an ask, which lets the tool run';
  if (permission === 'deny' && String(why).trim() === '') return 'a denial without a reason';
  return permission === 'allow' && updatedInput === undefined ? 'an allow without a new input' : undefined;
}
