import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { clientProgram } from './home.ts';
import type { Home } from './home.ts';
import { resultsIn, startModel, textsIn } from './model.ts';
import type { ModelRequest, Script, ToolResult } from './model.ts';

/** A line that the client printed for programs to read: what is looked at of it. */
export interface StreamLine {
  readonly type?: string;
  readonly subtype?: string;
  readonly session_id?: string;
  readonly content?: string;
  readonly tag?: string;
  readonly hook_id?: string;
  readonly hook_name?: string;
  readonly hook_event?: string;
  readonly outcome?: string;
  readonly stdout?: string;
  readonly request_id?: string;
  /** What a `control_request` asks for. */
  readonly request?: {
    readonly subtype: string;
    readonly tool_name: string;
    readonly input: Readonly<Record<string, unknown>>;
  };
}

export interface Session {
  readonly id: string;
  readonly code: number | null;
  /** What each agent of the session was sent, in order; `main` is the first. */
  readonly requests: readonly ModelRequest[];
  readonly results: ReadonlyMap<string, ToolResult>;
  readonly stream: readonly StreamLine[];
  readonly stderr: string;
}

export interface SessionOptions {
  readonly script: Script;
  /** Each is sent when the one before is done. */
  readonly prompts?: readonly string[];
  readonly args?: readonly string[];
  /** Where the client is started; in the project unless told otherwise. */
  readonly cwd?: string;
  /** What its environment holds beside the home's. */
  readonly env?: Readonly<Record<string, string>>;
  /** Plays the person at the permission dialog: whether the call may run. Without it nobody is there to be asked. */
  readonly allows?: (tool: string, input: Readonly<Record<string, unknown>>) => boolean;
  /** The client tells of each hook it runs; on unless what it costs is measured. */
  readonly showHooks?: boolean;
}

const ALLOWED = ['Read', 'Bash', 'Write', 'Edit', 'Agent'];
/** Only against a hang: a loaded machine may take its time. */
const LIMIT_MS = 600_000;

/** One session of the real client in a home, from its start to its end, with nothing of this process's environment. */
export async function runSession(home: Home, options: SessionOptions): Promise<Session> {
  const model = await startModel(options.script);
  const child = spawn(
    clientProgram(),
    [
      ...['-p', '--verbose', '--input-format', 'stream-json', '--output-format', 'stream-json'],
      ...['--allowedTools', ALLOWED.join(',')],
      ...(options.showHooks === false ? [] : ['--include-hook-events']),
      ...(options.allows ? ['--permission-prompt-tool', 'stdio'] : []),
      ...(options.args ?? []),
    ],
    {
      cwd: options.cwd ?? home.project,
      env: {
        ...home.env,
        SHELL: '/bin/bash',
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_TMPDIR: join(home.dir, 'tmp'),
        // A server of tools is waited for, however slowly it starts on a loaded machine.
        MCP_TIMEOUT: String(LIMIT_MS),
        MCP_CONNECT_TIMEOUT_MS: String(LIMIT_MS),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_ERROR_REPORTING: '1',
        DISABLE_TELEMETRY: '1',
        ...options.env,
      },
    },
  );
  const prompts = [...(options.prompts ?? ['Go on.'])];
  const sendNext = (): void => {
    const content = prompts.shift();
    if (content === undefined) child.stdin.end();
    else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
  };
  const stream: StreamLine[] = [];
  let stderr = '';
  child.stdin.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const told = JSON.parse(line) as StreamLine;
    stream.push(told);
    if (told.type === 'result') sendNext();
    if (told.type === 'control_request' && options.allows)
      child.stdin.write(`${JSON.stringify(answerTo(told, options.allows))}\n`);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  try {
    sendNext();
    const code = await ended;
    return {
      id: stream.find((line) => line.session_id !== undefined)?.session_id ?? '',
      code,
      requests: model.requests.filter(({ lane }) => lane !== 'aside'),
      results: resultsIn(model.requests),
      stream,
      stderr,
    };
  } finally {
    clearTimeout(limit);
    model.close();
  }
}

/** The dialog as programs that drive the client answer it. */
function answerTo({ request_id, request }: StreamLine, allows: NonNullable<SessionOptions['allows']>): object {
  const allowed = request?.subtype === 'can_use_tool' && allows(request.tool_name, request.input);
  const response = allowed
    ? { behavior: 'allow', updatedInput: request.input }
    : { behavior: 'deny', message: 'The person said no.' };
  return { type: 'control_response', response: { subtype: 'success', request_id, response } };
}

/** What hooks had told an agent of the session by its n-th request, counted from 1. */
export function heard(session: Session, nth: number, lane = 'main'): string[] {
  const request = session.requests.filter((each) => each.lane === lane)[nth - 1];
  return request === undefined ? [`no request ${nth} of ${lane}`] : hookTexts(request);
}

/** What they had told it by its last request. */
export function heardInAll(session: Session, lane = 'main'): string[] {
  return heard(session, session.requests.filter((each) => each.lane === lane).length, lane);
}

/** The client says of each such text where it comes from; the texts of several hooks follow each other line by line. */
const HOOK_TEXT = /^[A-Z]\w+(?::\w+)? hook (?!error)[a-z ]+:\s(?:.+\n?)+?(?=\n|<|$|[A-Z]\w+(?::\w+)? hook )/gm;

function hookTexts(request: ModelRequest): string[] {
  return (textsIn(request).join('\n\n').match(HOOK_TEXT) ?? []).map((text) => text.trimEnd());
}

/** What the client told the person beside the conversation. What a start says is on the screen, but printed only in the hook's own line. */
export function toldThePerson({ stream }: Session): string[] {
  return stream.flatMap(({ subtype, content, hook_event: event, stdout }) => {
    if (subtype === 'informational') return [content ?? ''];
    if (subtype !== 'hook_response' || event !== 'SessionStart' || !stdout) return [];
    const { systemMessage } = JSON.parse(stdout) as { systemMessage?: string };
    return systemMessage === undefined ? [] : [systemMessage];
  });
}

/** How a denial of a tool call reads: whose it is, its reason, and the way out. */
export function denialOf(tagged: string): RegExp {
  const reason = tagged.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(
    `^PreToolUse:Bash hook error: ${reason}\nA person can let it through: \`fairlead allow-once \\w{6}\`\\.$`,
  );
}
