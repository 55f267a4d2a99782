/** Plain texts that come before a tool's input in every recorded payload, so they lie within the first bytes. */
const KEYS = [
  'session_id',
  'transcript_path',
  'cwd',
  'prompt_id',
  'agent_id',
  'agent_type',
  'hook_event_name',
  'tool_name',
  'tool_use_id',
];

/** What can be told of a payload whose end was not read. The first mention counts: the client writes its own keys first. */
export function peek(head: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const key of KEYS) {
    const match = new RegExp(`"${key}"\\s{0,20}:\\s{0,20}("(?:[^"\\\\]|\\\\.){0,4096}")`).exec(head);
    if (match?.[1] === undefined) continue;
    try {
      found[key] = JSON.parse(match[1]) as string;
    } catch {
      // Not a string after all; what is left unsaid stays unknown.
    }
  }
  return found;
}
