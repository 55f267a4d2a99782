import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { getText } from './get.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function served(answer: RequestListener): Promise<URL> {
  server = createServer(answer);
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/policy`);
}

const OPTIONS = { etag: undefined, maxBytes: 1_000, timeoutMs: 60_000 };

it('brings the text and its tag, and hears that nothing changed', async () => {
  const url = await served(({ headers }, response) => {
    if (headers['if-none-match'] === '"1"') return response.writeHead(304).end();
    return response.writeHead(200, { etag: '"1"' }).end('text');
  });
  expect(await getText(url, OPTIONS)).toEqual({ text: 'text', etag: '"1"' });
  expect(await getText(url, { ...OPTIONS, etag: '"1"' })).toBe('unchanged');
});

it.each<[string, RequestListener, RegExp]>([
  ['a redirect', (_, response) => response.writeHead(302, { location: 'http://elsewhere/' }).end(), /status 302/],
  ['a failure', (_, response) => response.writeHead(503).end(), /status 503/],
  ['a 304 that nobody asked for', (_, response) => response.writeHead(304).end(), /status 304/],
  ['too much', (_, response) => response.end('x'.repeat(2_000)), /larger/],
  [
    'an answer that breaks off',
    (_, response) => (response.writeHead(200, { 'content-length': 50 }).write('x'), response.destroy()),
    /./,
  ],
])('fails on %s', async (_, answer, why) => {
  await expect(getText(await served(answer), OPTIONS)).rejects.toThrow(why);
});

it('does not wait for a server that says nothing', async () => {
  const url = await served(() => {});
  await expect(getText(url, { ...OPTIONS, timeoutMs: 50 })).rejects.toThrow(/no answer within 50 ms/);
});
