import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRecorded, recorded } from '../../test/fixtures/claude-code.ts';
import { findFreePort } from '../cli/install/free-port.ts';
import { openEngine } from '../assembly/open-engine.ts';
import type { OpenedEngine } from '../assembly/open-engine.ts';
import { listenHttp } from '../platform/http-listener.ts';
import type { HttpListener } from '../platform/http-listener.ts';
import { pathsOf } from '../platform/paths.ts';
import { pause } from '../platform/timers.ts';
import { createBatching } from './batching.ts';
import { createDaemon } from './daemon.ts';
import type { Daemon } from './daemon.ts';
import { serveHttp } from './http-server.ts';

const TOKEN = '0123456789abcdef'.repeat(4);
const NO_DEPLOY = `---
name: no-deploy
event: bash
words: [deploy]
action: deny
---
Deployments start in the pipeline.
`;

let dir: string;
let engine: OpenedEngine;
let daemon: Daemon;
let listener: HttpListener;
let port: number;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeEach(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-http-')));
  mkdirSync(join(dir, 'project/.git'), { recursive: true });
  put('home/config/rules/no-deploy.md', NO_DEPLOY);
  engine = openEngine({ paths: pathsOf(join(dir, 'home')), userHome: dir, resident: true });
  daemon = createDaemon({
    batching: createBatching(Date.now),
    engine,
    stamp: '1.0.0+1.aa',
    pid: 1,
    userHome: dir,
    isAlive: () => true,
    memoryBytes: () => 0,
    onStop: () => expect.fail('nobody may stop it over HTTP'),
  });
  port = await findFreePort();
  listener = await listenHttp(port, serveHttp({ port, token: TOKEN }, daemon.answerHttp, daemon.refusedHttp));
});
afterEach(async () => {
  agent.destroy();
  void listener.close();
  await engine.finishLate(1_000);
  engine.close();
  rmSync(dir, { recursive: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

interface Got {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly reused: boolean;
}

interface Post {
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

const NEUTRAL = '{"hook_event_name":"Notification"}';

/** A list of parts is sent in chunks, one after the other. */
function post({ body = NEUTRAL, path = '/hook/claude-code', method = 'POST', headers = {} }: Post = {}): Promise<Got> {
  const all = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, agent, headers: sent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, text, reused: asked.reusedSocket }),
      );
    });
    asked.on('error', reject);
    if (typeof body === 'string' || body instanceof Uint8Array) asked.end(body);
    else void writeParts(body);
    async function writeParts(parts: readonly (string | Uint8Array)[]): Promise<void> {
      for (const part of parts) {
        asked.write(part);
        await pause(1);
      }
      asked.end();
    }
  });
}

let calls = 0;
const bash = (command: string, more: Record<string, unknown> = {}) =>
  JSON.stringify({
    ...recorded('PreToolUse/bash.json'),
    cwd: join(dir, 'project'),
    tool_use_id: `t${(calls += 1)}`,
    tool_input: { command },
    ...more,
  });

/** Writes bytes as they are and resolves to all that comes back, until so many replies are there or it is hung up. */
function raw(bytes: string, replies: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (part) => {
      text += part.toString();
      if (text.split('HTTP/1.1').length - 1 >= replies && text.endsWith('}')) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => {});
  });
}

const head = (more = '') =>
  `POST /hook/claude-code HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n${more}`;
const denied = { hookSpecificOutput: { permissionDecision: 'deny' } };

describe('an event with the token', () => {
  it('is answered with an empty object where the engine has no opinion', async () => {
    const got = await post({ body: bash('ls') });
    expect(got).toMatchObject({ status: 200, text: '{}' });
    expect(got.headers).toEqual({
      'content-type': 'application/json',
      'content-length': '2',
      connection: 'keep-alive',
    });
  });

  it('is answered with the decision', async () => {
    const got = await post({ body: bash('make deploy') });
    expect(got.status).toBe(200);
    expect(JSON.parse(got.text)).toMatchObject(denied);
    expect(got.headers['content-length']).toBe(String(Buffer.byteLength(got.text)));
    expect(daemon.status().requests).toMatchObject({ http: 1, refused: 0 });
  });

  it('may name this place by its other name', async () => {
    expect(await post({ headers: { host: `localhost:${port}` } })).toMatchObject({ status: 200, text: '{}' });
  });

  it('of any kind that was ever recorded gets JSON', async () => {
    for (const { file, payload } of readRecorded()) {
      const { status, text } = await post({ body: JSON.stringify(payload) });
      expect([file, status, typeof JSON.parse(text)]).toEqual([file, 200, 'object']);
    }
    expect(daemon.status().failures).toBe(0);
  });

  it('that is answered in plain text gets an empty object, since text would count as a failure', async () => {
    put('home/config/rules/keep.md', '---\nname: keep\nevent: PreCompact\n---\nKeep the list.\n');
    const [file = ''] = readRecorded().flatMap((each) => (each.event === 'PreCompact' ? [each.file] : []));
    const body = Buffer.from(JSON.stringify({ ...recorded(file), cwd: join(dir, 'project') }));
    const plain = await daemon.answerHttp({ agent: 'claude-code', body, size: body.length });
    expect(plain.stdout).toBe('[user/keep] Keep the list.');
    expect(await post({ body })).toMatchObject({ status: 200, text: '{}' });
  });

  it.each<[string, NonNullable<Post['body']>]>([
    ['nothing', ''],
    ['half of JSON', '{"session_id":"x","hook_ev'],
    ['no object', '[1,2]'],
    ['null', 'null'],
    ['a number', '17'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d])],
    ['deep nesting', '['.repeat(100_000)],
    ['no event', '{}'],
    ['a name that objects have', '{"__proto__":{"session_id":1},"hook_event_name":"constructor"}'],
    ['an event that nobody knows', '{"hook_event_name":"EventOfTomorrow"}'],
  ])('may bring %s, which is stopped: it may be a tool call', async (_, body) => {
    const { status, text } = await post({ body });
    expect([status, JSON.parse(text)]).toMatchObject([200, { hookSpecificOutput: { permissionDecision: 'deny' } }]);
  });

  const bodies: readonly [string, Post['body']][] = [
    ['a prompt cut off', '{"session_id":"x","hook_event_name":"UserPromptSubmit","prompt":"a'],
    ['an event of another kind', NEUTRAL],
  ];
  it.each(bodies)('may bring %s and gets an empty object', async (_, body) => {
    expect(await post({ body: body ?? '' })).toMatchObject({ status: 200, text: '{}' });
    expect(JSON.parse((await post({ body: bash('make deploy') })).text)).toMatchObject(denied);
  });

  it.each(['EventOfTomorrow', '', 'pretooluse'])('that calls itself "%s" is decided as a call', async (name) => {
    const told = { hook_event_name: name };
    expect(JSON.parse((await post({ body: bash('make deploy', told) })).text)).toMatchObject(denied);
    expect((await post({ body: bash('ls', told) })).text).toBe('{}');
  });

  it('gets a failure when the engine breaks', async () => {
    void listener.close();
    listener = await listenHttp(
      port,
      serveHttp({ port, token: TOKEN }, () => Promise.reject(new Error('broken')), daemon.refusedHttp),
    );
    expect(await post()).toMatchObject({ status: 500, text: '{}' });
  });
});

describe('a body', () => {
  it('in chunks is one body', async () => {
    const text = bash('make deploy ü');
    const bytes = Buffer.from(text);
    const parts = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1));
    expect(JSON.parse((await post({ body: parts })).text)).toMatchObject(denied);
    expect(JSON.parse((await post({ body: [bytes] })).text)).toMatchObject(denied);
  });

  it('of 15 MB is read whole', async () => {
    const body = bash('make deploy', { filler: 'x'.repeat(15_000_000) });
    expect(JSON.parse((await post({ body })).text)).toMatchObject(denied);
  });

  it('of 20 MB is read to its end, not parsed, and answered by what its beginning tells', async () => {
    const body = bash('ls', { filler: 'x'.repeat(20_000_000) });
    const got = await post({ body });
    expect(got.status).toBe(200);
    expect(JSON.parse(got.text)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect(engine.failures.read().at(-1)?.message).toContain('the limit');
    expect(await post({ body: bash('ls') })).toMatchObject({ status: 200, text: '{}', reused: true });
  });

  it('that never ends is forgotten with its connection', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(`${head('Content-Length: 1000\r\n\r\n')}{"half":`, () => socket.destroy());
      });
      socket.on('close', () => resolve());
    });
    expect(await post()).toMatchObject({ status: 200 });
    expect(daemon.status().requests.http).toBe(1);
  });

  it('that nobody waits for any more is decided all the same', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        const body = bash('make deploy');
        socket.write(`${head(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`)}${body}`, () => socket.destroy());
      });
      socket.on('close', () => resolve());
    });
    while (daemon.status().requests.http === 0) await pause(5);
    expect(await post()).toMatchObject({ status: 200 });
  });
});

describe('a connection', () => {
  it('carries many events, refused ones among them', async () => {
    const seen: boolean[] = [];
    for (let at = 0; at < 60; at += 1) {
      const wrong = at % 10 === 9;
      const got = await post(wrong ? { headers: { authorization: 'Bearer no' } } : { body: bash('make deploy') });
      expect(got.status).toBe(wrong ? 403 : 200);
      seen.push(got.reused);
    }
    expect(seen.filter((reused) => !reused)).toHaveLength(1);
  });

  it('may bring several events at once, which are answered in their order', async () => {
    const bodies = [bash('ls'), bash('make deploy'), '', bash('make deploy')];
    const events = bodies.map((body) => `${head(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`)}${body}`);
    const answers = (await raw(events.join(''), 4)).split(/HTTP\/1\.1 /).slice(1);
    expect(answers.map((each) => each.slice(0, 3))).toEqual(['200', '200', '200', '200']);
    expect(answers.map((each) => each.includes('"deny"'))).toEqual([false, true, true, true]);
  });
});

describe('without the right to ask', () => {
  const other = (authorization: string | undefined): Post => ({ headers: { authorization } });
  const cases: readonly [string, () => Post][] = [
    ['no token', () => other(undefined)],
    ['an empty token', () => other('')],
    ['another token', () => other(`Bearer ${TOKEN.replace('0', '1')}`)],
    ['a shorter token', () => other(`Bearer ${TOKEN.slice(1)}`)],
    ['a longer token', () => other(`Bearer ${TOKEN}0`)],
    ['a token of another kind', () => other(`Basic ${TOKEN}`)],
    ['the token alone', () => other(TOKEN)],
    ['the token in the address', () => ({ ...other(undefined), path: `/hook/claude-code?token=${TOKEN}` })],
    ['a name that leads here', () => ({ headers: { host: `evil.example:${port}` } })],
    ['a name that begins like ours', () => ({ headers: { host: `127.0.0.1:${port}.evil.example` } })],
    ['another port', () => ({ headers: { host: `127.0.0.1:${port + 1}` } })],
    ['no port', () => ({ headers: { host: '127.0.0.1' } })],
    ['an origin', () => ({ headers: { origin: 'https://evil.example' } })],
    ['an origin of our own', () => ({ headers: { origin: `http://127.0.0.1:${port}` } })],
    ['no origin, as a web page says it', () => ({ headers: { origin: 'null' } })],
    ['a browser', () => ({ headers: { 'sec-fetch-site': 'cross-site' } })],
    ['GET', () => ({ method: 'GET', body: '' })],
    ['PUT', () => ({ method: 'PUT' })],
    [
      'a question before a request of a web page',
      () => ({
        method: 'OPTIONS',
        body: '',
        headers: {
          authorization: undefined,
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
          'access-control-request-private-network': 'true',
        },
      }),
    ],
    ['OPTIONS with the token', () => ({ method: 'OPTIONS', body: '' })],
    ...[
      '/',
      '/status',
      '/stop',
      '/hook',
      '/hook/',
      '/hook/some-agent',
      '/hook/claude-code/',
      '/hook/claude-code/x',
      '/hook/a/../claude-code',
      '/hook/claude-code?x=1',
      '/hook/claude%2dcode',
      `/hook/${'a'.repeat(41)}`,
      '//hook/claude-code',
      '/HOOK/claude-code',
      '/verb/stop',
      '/daemon/status',
    ].map((path): [string, () => Post] => [path, () => ({ path })]),
  ];

  it.each(cases)('%s: learns nothing', async (_, make) => {
    const wanted = make();
    const got = await post({ body: bash('make deploy'), ...wanted });
    expect(got).toMatchObject({ status: 403, text: '{}' });
    expect(Object.keys(got.headers).sort()).toEqual(['connection', 'content-length', 'content-type']);
    expect(daemon.status().requests).toMatchObject({ http: 0, refused: 1 });
  });

  it('HEAD: learns nothing', async () => {
    expect(await post({ method: 'HEAD', body: '' })).toMatchObject({ status: 403, text: '' });
  });

  it('20 MB are read and refused', async () => {
    const wanted = { body: Buffer.alloc(20_000_000), headers: { authorization: undefined } };
    expect(await post(wanted)).toMatchObject({ status: 403, text: '{}' });
  });

  it.each([
    ['no Host', 'POST /hook/claude-code HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}'],
    ['a tunnel', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['endless headers', `POST / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('%s: is hung up on', async (_, bytes) => {
    const text = await raw(bytes, 1);
    expect(text).toMatch(/^$|^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
    expect(await post()).toMatchObject({ status: 200 });
  });
});
