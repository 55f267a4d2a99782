import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { askDaemon } from '../../../transport/ask-daemon.ts';
import { HEAD_BYTES, MAX_BODY_BYTES } from '../../../transport/limits.ts';
import { socketOf } from '../../../transport/meeting-place.ts';
import type { PluginSettings } from '../plugin-file.ts';
import type { PluginReply } from '../render.ts';

/** Stands before the program in the file that `init` writes. */
declare const FAIRLEAD: PluginSettings;

/** A daemon that takes longer than this is not waited for. */
const REPLY_MS = 3_000;
/** How long what is started waits when its words do not say. */
const USUAL_WAIT_MS = 8_000;
const MARGIN_MS = 2_000;
const HAS_GROUPS = process.platform !== 'win32';
const LONGEST_VALUE = 8 * 1024;

/** What is told of an event; `output` is the client's. */
interface Payload {
  readonly [field: string]: unknown;
  readonly output?: { readonly parts?: readonly FilePart[]; readonly attachments?: readonly FilePart[] } | undefined;
}

interface FilePart {
  readonly url?: string;
}

/** What the rules say of an event, and of a failure where a rule must not be skipped: a denial. Never throws. */
export async function ask(event: string, cwd: string, payload: Payload): Promise<PluginReply> {
  const entry = Object.hasOwn(FAIRLEAD.events, event) ? FAIRLEAD.events[event] : undefined;
  if (!entry || process.env['FAIRLEAD_DISABLED'] === '1') return {};
  try {
    const body = new TextEncoder().encode(JSON.stringify({ hook_event_name: event, cwd, ...withoutFiles(payload) }));
    const text = (await askEngine(entry.words, cwd, body)) ?? (await startHook(entry.words, cwd, body));
    return text.trim() === '' ? {} : (JSON.parse(text) as PluginReply);
  } catch (error) {
    if (!entry.blocks) return {};
    const why = error instanceof Error ? error.message : String(error);
    return {
      deny: `Fairlead cannot start or answer (${why}), and a rule must not be skipped, so this was stopped.\nThe same call may pass in a moment.\nA person finds the cause with \`fairlead doctor\`; \`fairlead init --agent opencode\` installs again, \`fairlead uninstall\` takes the plugin away.`,
    };
  }
}

/** Pictures and other files that stand in a message as a text are of no use to any rule. What a call is given stays whole. */
function withoutFiles(payload: Payload): Payload {
  const { output } = payload;
  const short = (part: FilePart | null): object | null =>
    part?.url?.startsWith?.('data:') === true ? { ...part, url: 'data:' } : part;
  const lists = (['parts', 'attachments'] as const).flatMap((name) => {
    const list = output?.[name];
    return Array.isArray(list) ? [[name, list.map(short)] as const] : [];
  });
  return lists.length === 0 ? payload : { ...payload, output: { ...output, ...Object.fromEntries(lists) } };
}

function wordAfter(words: readonly string[], flag: string): string | undefined {
  return words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined;
}

/** Undefined where no engine answers. */
async function askEngine(words: readonly string[], cwd: string, body: Uint8Array): Promise<string | undefined> {
  const args = words.slice(words.indexOf('hook') + 1);
  const state = wordAfter(args, '--state') ?? join(homedir(), '.local', 'state', 'fairlead');
  const told = FAIRLEAD.variables.flatMap((name) => {
    const value = process.env[name];
    return value === undefined || value.length > LONGEST_VALUE ? [] : [[name, value] as const];
  });
  const question = {
    ...{ verb: 'hook' as const, state, args, cwd, env: Object.fromEntries(told), size: body.length },
    body: body.length > MAX_BODY_BYTES ? body.subarray(0, HEAD_BYTES) : body,
  };
  const socket = socketOf({ config: '', state, run: join(state, 'run') });
  const reply = await askDaemon(socket, question, REPLY_MS).catch(() => undefined);
  if (reply === undefined) return undefined;
  if (reply.exitCode !== 0) throw new Error('the engine could not answer');
  return new TextDecoder().decode(reply.stdout);
}

/**
 * As other agents start it for an event: it answers in any case, and an engine is there for the next one. At its limit it is
 * ended with all of its group, and nobody waits for what else holds its output. An engine has a group of its own.
 */
function startHook([program = '', ...args]: readonly string[], cwd: string, body: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, detached: HAS_GROUPS, stdio: ['pipe', 'pipe', 'ignore'] });
    const chunks: Uint8Array[] = [];
    const within = (Number(wordAfter(args, '--within')) || USUAL_WAIT_MS) + MARGIN_MS;
    const limit = setTimeout(() => {
      reject(new Error(`it did not answer within ${within} ms`));
      endGroup(child);
      child.stdout.destroy();
      child.stdin.destroy();
      child.unref();
    }, within);
    child.on('error', (error) => {
      clearTimeout(limit);
      reject(error);
    });
    child.stdout.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    // It may have its answer before it has read all.
    child.stdin.on('error', () => {});
    child.on('close', (code) => {
      clearTimeout(limit);
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else reject(new Error(`it ended with ${code}`));
    });
    child.stdin.end(body);
  });
}

function endGroup(child: ChildProcess): void {
  try {
    if (HAS_GROUPS && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has no group, or that has just ended.
  }
  child.kill('SIGKILL');
}
