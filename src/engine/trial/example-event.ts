import type { Edit, Event, EventName, ToolCall, ToolKind } from '../../event/event.ts';
import { namesOf } from '../match/rule-index.ts';
import type { Example, Listen, RuleMeta } from '../rule.ts';

export interface ExamplePlace {
  /** The workspace root; relative paths of the example count from here. */
  readonly root: string;
  readonly session: string;
  readonly now: number;
}

/**
 * The event that an example stands for. A plain text is the main text of what the rule listens to first:
 * a command, new file text, a search, a prompt, a last message.
 */
export function exampleEvent(example: Example | string, meta: RuleMeta, { root, session, now }: ExamplePlace): Event {
  const listen = listenFor(example, meta);
  const name =
    (typeof example === 'string' ? undefined : example.event) ?? (listen && namesOf(listen)[0]) ?? 'tool.before';
  const fields = typeof example === 'string' ? fieldsOf(example, name, kindFor(listen, {})) : example;
  const base = {
    name,
    agent: 'example',
    agentEvent: name,
    session,
    hasSession: true,
    cwd: root,
    projectDir: root,
    depth: 0,
    receivedAt: now,
  };
  if (name.startsWith('tool.') || name.startsWith('permission.')) {
    const tool = toolCall(fields, name, kindFor(listen, fields), listen, root);
    return { ...base, tool, ...(name === 'tool.batch' && { batch: [tool] }) };
  }
  return { ...base, ...partsOf(name, fields, root) };
}

/** The entry of `on` that the example is about: the one that hears its event and tool, else the first. */
function listenFor(example: Example | string, meta: RuleMeta): Listen | undefined {
  if (typeof example === 'string') return meta.on[0];
  const heard = meta.on.filter((listen) => example.event === undefined || namesOf(listen).includes(example.event));
  const kind = example.tool ?? guessKind(example);
  return heard.find((listen) => kind === undefined || listen.tool?.includes(kind)) ?? heard[0];
}

function guessKind({ command, new: text, old }: Example): ToolKind | undefined {
  if (command !== undefined) return 'shell';
  if (old !== undefined) return 'edit';
  return text === undefined ? undefined : 'write';
}

function kindFor(listen: Listen | undefined, example: Example): ToolKind {
  if (example.tool) return example.tool;
  const guess = guessKind(example);
  // New text alone may be either; a rule that hears only one of the two means that one.
  if (guess === 'write' && listen?.tool?.includes('edit') && !listen.tool.includes('write')) return 'edit';
  if (guess ?? listen?.tool?.[0]) return (guess ?? listen?.tool?.[0]) as ToolKind;
  if (listen?.name) return 'other';
  // A rule on effects hears every tool; a text alone is then a command.
  return listen?.paths && (!listen.effect || example.path !== undefined) ? 'edit' : 'shell';
}

function fieldsOf(text: string, name: EventName, kind: ToolKind): Example & { readonly query?: string } {
  if (name.startsWith('prompt.')) return { prompt: text };
  if (!name.startsWith('tool.') && !name.startsWith('permission.')) return { new: text };
  switch (kind) {
    case 'shell':
      return { command: text };
    case 'write':
    case 'edit':
      return { new: text };
    case 'read':
    case 'list':
      return { path: text };
    default:
      return { query: text };
  }
}

function toolCall(
  fields: Example & { readonly query?: string },
  name: EventName,
  kind: ToolKind,
  listen: Listen | undefined,
  root: string,
): ToolCall {
  const { name: toolName, command, path, old, new: text, error, query } = fields;
  const place =
    path ??
    (text !== undefined || old !== undefined || (listen?.paths && !listen.effect)
      ? samplePath(listen?.paths?.[0])
      : undefined);
  const absolute = place === undefined ? undefined : place.startsWith('/') ? place : `${root}/${place}`;
  const edits: Edit[] =
    absolute !== undefined && (text !== undefined || old !== undefined)
      ? [
          {
            path: absolute,
            operation: kind === 'write' ? 'write' : 'replace',
            ...(old !== undefined && { old }),
            ...(text !== undefined && { new: text }),
          },
        ]
      : [];
  const input = Object.fromEntries(
    Object.entries({ command, path: absolute, old, new: text, query }).filter(([, value]) => value !== undefined),
  );
  return {
    kind,
    name: toolName ?? listen?.name?.[0] ?? kind,
    id: 'example',
    input,
    hasInput: true,
    paths: absolute === undefined ? [] : [absolute],
    edits,
    ...(command !== undefined && { command }),
    ...(query !== undefined && { query }),
    ...(error !== undefined && { error }),
    ...(name === 'tool.failed' && { failed: true }),
  };
}

function partsOf(name: EventName, { path, new: text, prompt, error }: Example, root: string): Partial<Event> {
  const place =
    path === undefined ? {} : { place: { path: path.startsWith('/') ? path : `${root}/${path}`, change: 'change' } };
  const message = text ?? prompt ?? '';
  if (name.startsWith('prompt.'))
    return { prompt: { text: prompt ?? message, origin: 'human', id: 'example' }, promptId: 'example' };
  if (name === 'turn.stop' || name === 'subagent.stop')
    return { ...place, stop: { again: false, lastMessage: message, background: [] } };
  if (name === 'notification') return { notification: { kind: 'example', message } };
  if (name === 'session.start') return { start: { source: 'startup' } };
  if (name === 'session.end') return { end: { reason: message } };
  if (name === 'compact.before' || name === 'compact.after')
    return { compact: { trigger: 'manual', ...(message !== '' && { text: message }) } };
  return { ...place, ...(error !== undefined && { error }) };
}

/** A path that the glob matches, so that an example needs to name one only when it matters. */
function samplePath(glob: string | undefined): string {
  if (glob === undefined) return 'example.txt';
  return glob
    .replaceAll(/\{([^,{}]*)[^{}]*\}/g, '$1')
    .replaceAll('**/', '')
    .replace(/\/(\*\*)?$/, '/example.txt')
    .replaceAll(/\[[!^][^\]]*\]/g, '_')
    .replaceAll(/\[([^\]])[^\]]*\]/g, '$1')
    .replaceAll(/\*+/g, 'example')
    .replaceAll('?', 'a');
}
