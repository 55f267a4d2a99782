import { canonicalName } from '../../src/adapters/claude-code/names.ts';
import type { Home } from './home.ts';
import type { Session, StreamLine } from './session.ts';

/** What no session may show: a hook that failed or never ended, or the token where the model or the person reads it. */
export function flawsOf(session: Session, home: Home): string[] {
  const token = home.token();
  const secrets = token === undefined ? [] : session.requests.filter(({ raw }) => raw.includes(token));
  return [
    ...(session.code === 0 ? [] : [`the client exited with ${session.code}`]),
    ...complaintsIn(session.stderr).map((text) => `the client complained: ${text}`),
    ...failedHooks(session.stream),
    ...secrets.map(({ lane }) => `the token reached the model, as ${lane}`),
    ...(token !== undefined && JSON.stringify(session.stream).includes(token) ? ['the token was printed'] : []),
  ];
}

/** Clients that start at once in one home find their own file while another one writes it anew, and go on. */
const OWN_FILE =
  /\n?Claude configuration file not found at: [^\n]*\nA backup file exists at: [^\n]*\nYou can manually restore it by running: [^\n]*\n*/g;

function complaintsIn(stderr: string): string[] {
  const rest = stderr.replace(OWN_FILE, '');
  return rest === '' ? [] : [rest];
}

export function failedHooks(stream: readonly StreamLine[]): string[] {
  const responses = new Map(
    stream.filter(({ subtype }) => subtype === 'hook_response').map((line) => [line.hook_id, line]),
  );
  const unanswered = stream.filter(({ subtype, hook_id: id }) => subtype === 'hook_started' && !responses.has(id));
  const failed = [...responses.values()].filter(({ outcome }) => outcome !== 'success');
  const noVerdict = stream.filter(({ tag }) => tag === 'hook_no_verdict');
  return [
    ...unanswered.map((line) => `no end of ${line.hook_name}`),
    ...[...failed, ...noVerdict].map((line) => JSON.stringify(line)),
  ];
}

/** How often the client ran hooks for each event. It does not tell of those that run as it ends. */
export function hooksRun({ stream }: Session): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of stream) {
    if (line.subtype !== 'hook_response') continue;
    const event = canonicalName(line.hook_event ?? '');
    counts[event] = (counts[event] ?? 0) + 1;
  }
  return counts;
}
