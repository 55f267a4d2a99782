import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createTls } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { lacks } from '../../test/lacking.ts';
import { openWebhook } from '../relay/webhook.fixture.ts';
import type { WebhookServer } from '../relay/webhook.fixture.ts';
import { postJson } from './post.ts';

const OPENSSL = 'openssl';
const BODY = JSON.stringify({ event: 'relay', message: 'a/b: grüße' });
let webhook: WebhookServer | undefined;
afterEach(async () => {
  await webhook?.close();
  webhook = undefined;
});

const post = (url: string, timeoutMs = 5_000, signal = new AbortController().signal) =>
  postJson(new URL(url), BODY, { timeoutMs, userAgent: 'fairlead/test', signal });

describe('posting', () => {
  it('brings the body, and says who sends', async () => {
    webhook = await openWebhook(204);
    expect(await post(webhook.url)).toBeUndefined();
    const [got] = webhook.received;
    expect(got?.record).toEqual(JSON.parse(BODY));
    expect(got?.path).toBe('/secret-path?token=secret-query');
    expect(got?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'fairlead/test' });
  });

  it.each<[number, boolean | undefined]>([
    [200, undefined],
    [301, true],
    [400, true],
    [404, true],
    [408, false],
    [429, false],
    [500, false],
    [503, false],
  ])('status %i', async (status, isFinal) => {
    webhook = await openWebhook(status);
    const problem = await post(webhook.url);
    expect(problem?.isFinal).toBe(isFinal);
    if (problem) expect(problem.message).toBe(`answered with status ${status}`);
    expect(webhook.received).toHaveLength(1);
  });

  it('a server that hangs is left at the limit', async () => {
    webhook = await openWebhook('hang');
    expect(await post(webhook.url, 50)).toEqual({ message: 'no answer within 50 ms', isFinal: false });
  });

  it('is ended from outside', async () => {
    webhook = await openWebhook('hang');
    const ending = new AbortController();
    const posting = post(webhook.url, 60_000, ending.signal);
    await webhook.got(1);
    ending.abort();
    expect(await posting).toMatchObject({ isFinal: false });
  });

  it('nobody is there', async () => {
    const gone = await openWebhook();
    await gone.close();
    const problem = await post(gone.url);
    expect(problem?.message).toContain('ECONNREFUSED');
    expect(problem?.message).not.toContain('secret');
  });
});

describe('over TLS', () => {
  async function listening(server: Server): Promise<string> {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  it('a server that speaks none is refused, and gets nothing to read', async () => {
    let heard = '';
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        heard += String(chunk);
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    const problem = await post(await listening(server));
    expect(problem?.message).toMatch(/SSL|wrong version/i);
    expect(heard).not.toContain('relay');
    server.close();
  });

  it.skipIf(lacks('openssl'))(
    'a certificate that nobody vouches for is refused, whatever the environment says',
    async () => {
      const dir = mkdtempSync(join(tmpdir(), 'fairlead-tls-'));
      const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
      const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
      execFileSync(
        OPENSSL,
        ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, '-keyout', key, '-out', cert],
        { stdio: 'ignore' },
      );
      let requests = 0;
      const server = createTls({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => {
        requests += 1;
        response.end();
      });
      const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
      try {
        const problem = await post(await listening(server));
        expect(problem).toMatchObject({ message: expect.stringMatching(/self.signed/i), isFinal: false });
        expect(requests).toBe(0);
      } finally {
        if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
        else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
        server.close();
        rmSync(dir, { recursive: true });
      }
    },
  );
});
