import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';
import { opencodeInstaller } from '../../src/adapters/opencode/install.ts';
import { applyEdits } from '../../src/adapters/json-edit.ts';
import { listenUnix } from '../../src/platform/unix-socket.ts';
import type { Listener } from '../../src/platform/unix-socket.ts';
import type { FrameReply, Request } from '../../src/transport/frame.ts';
import { serveConnection } from '../../src/transport/socket-server.ts';

/** The file that `init` writes, loaded as the client loads it, with an engine that says what is written. */
type Fields = Record<string, unknown>;
type Plugin = Record<string, (...args: readonly unknown[]) => Promise<void>>;

/** What the engine is told. */
interface Told {
  readonly hook_event_name: string;
  readonly session_id: string;
  readonly args: readonly string[];
  readonly output?: { readonly args?: { readonly command?: string } };
  readonly stop_hook_active?: boolean;
  readonly source?: string;
  readonly mcp?: unknown;
}

let dir: string;
let listener: Listener | undefined;
let asked: Told[];
/** What the plugin has the client do. */
let done: [string, Fields][];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fl-plugin-'));
  mkdirSync(join(dir, 'run'), { mode: 0o700 });
  [asked, done] = [[], []];
});
afterEach(() => {
  listener?.close();
  listener = undefined;
  rmSync(dir, { recursive: true });
});

const answered = (reply: object, exitCode = 0): FrameReply => ({
  outcome: 'answered',
  exitCode,
  stdout: Buffer.from(Object.keys(reply).length === 0 ? '' : JSON.stringify(reply)),
});

async function engine(reply: (payload: Told) => FrameReply | Promise<FrameReply>): Promise<void> {
  listener = await listenUnix(join(dir, 'run', 'daemon.sock'), (socket) =>
    serveConnection(socket, async ({ body, args }: Request) => {
      const payload = JSON.parse(Buffer.from(body).toString()) as Told;
      asked.push({ ...payload, args });
      return reply(payload);
    }),
  );
}

const client = {
  session: {
    get: async () => ({ data: {} }),
    promptAsync: async (given: Fields) => void done.push(['prompt', given]),
  },
  tui: { showToast: async (given: Fields) => void done.push(['toast', given]) },
};

/** `program`: the text of what is started where no engine answers. */
async function load(program?: string, given: Fields = { client, directory: dir }, withinMs = 1_000): Promise<Plugin> {
  const script = join(dir, 'fairlead.mjs');
  if (program !== undefined) writeFileSync(script, program);
  const addition = opencodeInstaller.add('', {
    launch: { command: process.execPath, args: [script], homeArgs: ['--config', dir, '--state', dir] },
    failsClosed: (event) => event === 'tool.before',
  });
  if ('refusal' in addition) throw new Error(addition.refusal);
  const file = join(dir, 'plugin.mjs');
  writeFileSync(file, applyEdits('', addition.edits).replaceAll('"55000"', `"${withinMs}"`));
  const { Fairlead } = (await import(pathToFileURL(file).href)) as { Fairlead: (given: Fields) => Promise<Plugin> };
  return Fairlead(given);
}

const BEFORE = 'tool.execute.before';
const AFTER = 'tool.execute.after';
const call = (tool = 'bash') => ({ tool, sessionID: 's1', callID: 'c1' });
const prompt = (id = 's1') =>
  [
    { sessionID: id },
    {
      message: { agent: 'build', model: { providerID: 'p', modelID: 'm' } },
      parts: [{ id: 'prt_1', messageID: 'm1', type: 'text', text: 'hi' }],
    },
  ] as const;
const created = (id: string, info: Fields = {}) => ({
  event: { type: 'session.created', properties: { sessionID: id, info } },
});
const idle = (id = 's1') => ({ event: { type: 'session.idle', properties: { sessionID: id } } });

describe('with an engine', () => {
  it('a denial is thrown with its reason, a new input goes into the object of the client', async () => {
    await engine(({ output }) =>
      answered(output?.args?.command === 'rm' ? { deny: 'not here' } : { args: { command: 'ls -l' } }),
    );
    const plugin = await load();
    await expect(plugin[BEFORE]?.(call(), { args: { command: 'rm' } })).rejects.toThrow(/^not here$/);
    const args: Fields = { command: 'ls', workdir: 'x' };
    await plugin[BEFORE]?.(call(), { args });
    expect(args).toEqual({ command: 'ls -l' });
    expect(asked[0]).toMatchObject({ hook_event_name: BEFORE, cwd: dir, session_id: 's1', input: call() });
    expect(asked[0]?.args).toEqual([
      ...['--agent', 'opencode', '--event', BEFORE, '--config', dir, '--state', dir, '--within', '1000'],
    ]);
  });

  it('a text goes with the result, also of a tool of a server, which is told by the settings', async () => {
    await engine(() => answered({ note: 'look here' }));
    const plugin = await load();
    await plugin['config']?.({ mcp: { 'my files': {}, my: {} } });
    const text = { output: 'made' };
    await plugin[AFTER]?.({ ...call(), args: {} }, text);
    expect(text.output).toBe('made\n\nlook here');
    const blocks = { content: [{ type: 'text', text: 'made' }] };
    await plugin[AFTER]?.({ ...call('my_files_read_it'), args: {} }, blocks);
    expect(blocks.content.map((block) => block.text)).toEqual(['made', 'look here']);
    expect(asked.map(({ mcp }) => mcp)).toEqual([undefined, { server: 'my_files', tool: 'read_it' }]);
  });

  it('what is said at the start waits for the first prompt, and comes once', async () => {
    await engine(({ hook_event_name: event }) =>
      answered(event === 'session.created' ? { note: 'welcome', show: 'for you' } : {}),
    );
    const plugin = await load();
    void plugin['event']?.(created('s1'));
    const [input, output] = prompt();
    await plugin['chat.message']?.(input, output);
    expect(output.parts).toMatchObject([
      { text: 'hi' },
      { type: 'text', text: 'welcome', synthetic: true, messageID: 'm1' },
    ]);
    const again = prompt();
    await plugin['chat.message']?.(...again);
    expect(again[1].parts).toHaveLength(1);
    expect(asked.map(({ hook_event_name: event }) => event)).toEqual([
      'session.created',
      'chat.message',
      'chat.message',
    ]);
    expect(done).toEqual([['toast', { body: { title: 'Fairlead', message: 'for you', variant: 'warning' } }]]);
  });

  it('a session that was there before is told of with its first prompt; a prompt can be refused', async () => {
    await engine(({ hook_event_name: event }) => answered(event === 'chat.message' ? { deny: 'ask otherwise' } : {}));
    const plugin = await load();
    await expect(plugin['chat.message']?.(...prompt())).rejects.toThrow('ask otherwise');
    expect(asked.map(({ hook_event_name: event, source }) => [event, source])).toEqual([
      ['session.created', 'resume'],
      ['chat.message', undefined],
    ]);
  });

  it('a turn that is held back goes on with the reason, by the same agent, and the next end says so', async () => {
    await engine(({ hook_event_name: event, stop_hook_active: again }) =>
      answered(event === 'session.idle' && again !== true ? { deny: 'prove it' } : {}),
    );
    const plugin = await load();
    await plugin['chat.message']?.(...prompt());
    await plugin['experimental.text.complete']?.({ sessionID: 's1' }, { text: 'All is well.' });
    await plugin['event']?.(idle());
    const body = {
      agent: 'build',
      model: { providerID: 'p', modelID: 'm' },
      parts: [{ type: 'text', text: 'prove it' }],
    };
    expect(done).toEqual([['prompt', { path: { id: 's1' }, body }]]);
    await plugin['chat.message']?.(...prompt());
    await plugin['event']?.(idle());
    const [, first, , end, second] = asked;
    expect(first).toMatchObject({ hook_event_name: 'chat.message', own: false });
    expect(asked[2]).toMatchObject({ hook_event_name: 'session.idle', last_message: 'All is well.' });
    expect(end).toMatchObject({ hook_event_name: 'chat.message', own: true });
    expect(second).toMatchObject({ hook_event_name: 'session.idle', stop_hook_active: true });
    expect(done).toHaveLength(1);
  });

  it('sub-agents name the session that they work for in the end', async () => {
    await engine(() => answered({}));
    const plugin = await load();
    await plugin['event']?.(created('s1'));
    await plugin['event']?.(created('s2', { parentID: 's1', agent: 'general' }));
    await plugin['event']?.(created('s3', { parentID: 's2', agent: 'explore' }));
    await plugin[BEFORE]?.({ ...call(), sessionID: 's3' }, { args: {} });
    expect(asked.at(-1)).toMatchObject({ session_id: 's1', agent_id: 's3', agent_type: 'explore' });
    await plugin['dispose']?.();
    expect(asked.filter((each) => each.hook_event_name === 'dispose').map((each) => each.session_id)).toEqual(['s1']);
  });

  it('a call that failed is told, but not one that was denied', async () => {
    await engine(({ hook_event_name: event }) => answered(event === BEFORE ? { deny: 'no' } : {}));
    const plugin = await load();
    await expect(plugin[BEFORE]?.(call(), { args: {} })).rejects.toThrow('no');
    const failed = (callID: string) => ({
      event: {
        type: 'message.part.updated',
        properties: { part: { type: 'tool', tool: 'read', sessionID: 's1', callID, state: { status: 'error' } } },
      },
    });
    await plugin['event']?.(failed('c1'));
    await plugin['event']?.(failed('c2'));
    expect(asked.map(({ hook_event_name: event }) => event)).toEqual([BEFORE, 'message.part.updated']);
  });

  it('one that hangs does not keep the client from ending', async () => {
    await engine(({ hook_event_name: event }) => (event === 'dispose' ? new Promise(() => {}) : answered({})));
    const plugin = await load();
    await plugin['event']?.(created('s1'));
    await plugin['dispose']?.();
    expect(asked.at(-1)).toMatchObject({ hook_event_name: 'dispose' });
  });

  it('files in a message and of a result are left out, arguments of a call are told whole', async () => {
    await engine(() => answered({}));
    const plugin = await load();
    const url = 'data:text/plain,rm';
    const file = { type: 'file', url };
    await plugin[BEFORE]?.(call(), { args: { url, parts: [file], output: { parts: [file] } } });
    expect(asked.at(-1)?.output).toEqual({ args: { url, parts: [file], output: { parts: [file] } } });
    await plugin[AFTER]?.({ ...call(), args: { url } }, { output: 'made', attachments: [file] });
    expect(asked.at(-1)).toMatchObject({ input: { args: { url } }, output: { attachments: [{ url: 'data:' }] } });
    const [input] = prompt();
    const parts = [file, null, { type: 'text', text: 'hi' }];
    await plugin['chat.message']?.(input, { parts });
    expect(asked.at(-1)?.output).toEqual({ parts: [{ type: 'file', url: 'data:' }, null, parts[2]] });
    expect(file.url).toBe(url);
  });

  it.each<[string, Fields]>([
    ['no client', {}],
    ['an empty one', { client: {} }],
    ['one that knows nothing of a session', { client: { session: { get: async () => ({ data: null }) }, tui: {} } }],
    [
      'one that answers nothing',
      { client: { session: { get: () => undefined }, tui: { showToast: () => undefined } } },
    ],
    [
      'one that fails',
      {
        client: {
          session: { get: () => Promise.reject(new Error('x')), promptAsync: () => Promise.reject(new Error('x')) },
          tui: {
            showToast: () => {
              throw new Error('x');
            },
          },
        },
      },
    ],
  ])('with %s what is allowed passes, and what is denied does not', async (_, given) => {
    await engine(({ hook_event_name: event, output }) =>
      answered(
        event === 'session.idle' || output?.args?.command === 'rm'
          ? { deny: 'not here', show: 'for you' }
          : { show: 'for you', note: 'for it' },
      ),
    );
    const plugin = await load(undefined, given);
    await plugin[BEFORE]?.(call(), { args: { command: 'ls' } });
    await expect(plugin[BEFORE]?.(call(), { args: { command: 'rm' } })).rejects.toThrow(/^not here$/);
    const [input, output] = prompt('s9');
    await plugin['chat.message']?.(input, output);
    expect(output.parts.at(-1)).toMatchObject({ text: 'for it\n\nfor it' });
    await plugin['chat.message']?.(input, {});
    await plugin['experimental.session.compacting']?.({ sessionID: 's9' }, {});
    // A turn that cannot be held back leaves the next prompt to the person.
    await plugin['event']?.(idle('s9'));
    await plugin['chat.message']?.(...prompt('s9'));
    expect(asked.at(-1)).toMatchObject({ hook_event_name: 'chat.message', own: false });
  });

  it('settings and events that are not there do not make it throw', async () => {
    const plugin = await load();
    for (const given of [[], [{}], [{ mcp: null }], [null]]) {
      await expect(plugin['config']?.(...given)).resolves.toBeUndefined();
      await expect(plugin['event']?.(...given)).resolves.toBeUndefined();
    }
    await expect(plugin['event']?.({ event: null })).resolves.toBeUndefined();
  });

  it('no event makes it throw', async () => {
    await engine(() => answered({ note: 'x', deny: 'y' }));
    const plugin = await load();
    const types = ['session.created', 'session.idle', 'message.part.updated', 'session.error', 'x', '__proto__'];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...types), fc.anything(), async (type, properties) => {
        await expect(plugin['event']?.({ event: { type, properties } })).resolves.toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });
});

describe('without an engine', () => {
  const ECHO = `import { readFileSync } from 'node:fs';
const { hook_event_name: event } = JSON.parse(readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify({ deny: event + ' ' + process.argv.slice(2, 4).join(' ') }));`;

  it('the program that other agents start answers', async () => {
    const plugin = await load(ECHO, undefined, 55_000);
    await expect(plugin[BEFORE]?.(call(), { args: {} })).rejects.toThrow(`${BEFORE} hook --agent`);
  });

  it.each([
    ['is gone', undefined],
    ['fails', 'process.exit(1)'],
    ['says something else', 'process.stdout.write("{not JSON")'],
    ['hangs', 'setInterval(() => {}, 1000)'],
  ])('a call is stopped where that %s, and nothing else is', async (_, program) => {
    const plugin = await load(program);
    await expect(plugin[BEFORE]?.(call(), { args: {} })).rejects.toThrow('Fairlead cannot start or answer');
    const output = { output: 'made' };
    if (program?.startsWith('setInterval') !== true) await plugin[AFTER]?.({ ...call(), args: {} }, output);
    expect(output.output).toBe('made');
  });

  it('what holds its output does not hold the client, and is ended with it', async () => {
    // A process of its group that has its output, and a line to here for as long as it lives.
    const line = join(dir, 'line.sock');
    let [begun, ended] = [0, 0];
    const server = createServer((socket) => {
      begun += 1;
      socket.on('error', () => {});
      socket.on('close', () => (ended += 1)).resume();
    }).listen(line);
    const held = `require('node:net').connect(${JSON.stringify(line)})`;
    const plugin = await load(`import { spawn } from 'node:child_process';
spawn(process.execPath, ['-e', ${JSON.stringify(held)}], { stdio: 'inherit' });
process.exit(0);`);
    await expect(plugin[BEFORE]?.(call(), { args: {} })).rejects.toThrow('it did not answer within 3000 ms');
    await vi.waitFor(() => expect(ended).toBe(begun), { timeout: PATIENCE_MS });
    server.close();
  });

  it('an engine that cannot answer stops a call too', async () => {
    await engine(() => answered({}, 1));
    const plugin = await load(ECHO);
    await expect(plugin[BEFORE]?.(call(), { args: {} })).rejects.toThrow('the engine could not answer');
  });

  it('an input that cannot be told is stopped', async () => {
    await engine(() => answered({}));
    const plugin = await load();
    const args: Fields = {};
    args['self'] = args;
    await expect(plugin[BEFORE]?.(call(), { args })).rejects.toThrow('Fairlead cannot start or answer');
  });
});
