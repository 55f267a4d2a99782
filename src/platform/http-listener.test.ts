import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import { findFreePort } from '../cli/install/free-port.ts';
import { listenHttp } from './http-listener.ts';
import type { HttpListener } from './http-listener.ts';
import { pause } from './timers.ts';

const listeners: HttpListener[] = [];
const agents: Agent[] = [];
afterEach(() => {
  for (const listener of listeners.splice(0)) void listener.close();
  for (const agent of agents.splice(0)) agent.destroy();
});

type OnRequest = Parameters<typeof listenHttp>[1];
const echo: OnRequest = (_request, response) => void response.end('hello');

async function listen(onRequest = echo, port?: number): Promise<{ port: number; listener: HttpListener }> {
  const at = port ?? (await findFreePort());
  const listener = await listenHttp(at, onRequest);
  listeners.push(listener);
  return { port: at, listener };
}

function keepingAgent(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return agent;
}

interface Got {
  readonly text: string;
  readonly reused: boolean;
}

function get(port: number, agent: Agent, host = '127.0.0.1'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ text, reused: asked.reusedSocket }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

it('listens on loopback and on no other address', async () => {
  const { port } = await listen();
  expect((await get(port, keepingAgent())).text).toBe('hello');
  const others = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const addresses = others.filter(({ address }) => address !== '127.0.0.1').map(({ address }) => address);
  for (const host of [...addresses, '::1', '127.0.0.2'])
    await expect(get(port, keepingAgent(), host), host).rejects.toThrow(/E[A-Z]+/);
});

it('rejects when the port is taken, and leaves it to its owner', async () => {
  const { port } = await listen();
  await expect(listenHttp(port, echo)).rejects.toThrow('EADDRINUSE');
  expect((await get(port, keepingAgent())).text).toBe('hello');
});

it('keeps a connection over many requests', async () => {
  const { port } = await listen();
  const agent = keepingAgent();
  const got: Got[] = [];
  for (let at = 0; at < 50; at += 1) got.push(await get(port, agent));
  expect(got.filter(({ reused }) => reused)).toHaveLength(49);
});

it('sets no end to a connection that is silent', async () => {
  const { port } = await listen();
  const header = await new Promise<unknown>((resolve) => {
    request({ port, agent: keepingAgent() }, (response) => {
      response.resume();
      resolve(response.headers['keep-alive']);
    }).end();
  });
  expect(header).toBeUndefined();
});

it('hangs up on what is not HTTP, and goes on', async () => {
  const { port } = await listen();
  const said = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write('FLQ1 what is this\r\n\r\n'));
    socket.on('data', (part) => (text += part.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', () => {});
  });
  expect(said).toBe('');
  expect((await get(port, keepingAgent())).text).toBe('hello');
});

it('closed, answers what is under way, keeps no connection, and leaves the port to the next', async () => {
  const agent = keepingAgent();
  let answer: (() => void) | undefined;
  const { port, listener } = await listen((_request, response) => {
    answer = () => response.end('late');
  });
  const asked = get(port, agent);
  while (!answer) await pause(5);
  void listener.close();
  await listen((_request, response) => void response.end('next'), port);
  answer();
  expect((await asked).text).toBe('late');
  await expect.poll(() => [agent.freeSockets, agent.sockets].flatMap(Object.keys)).toEqual([]);
  expect(await get(port, agent), 'on the connection that was busy').toEqual({ text: 'next', reused: false });
});
