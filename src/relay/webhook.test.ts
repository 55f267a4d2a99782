import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decrypt, encrypt } from '../platform/cipher.ts';
import type { Encrypted } from '../platform/cipher.ts';
import { nodeFiles } from '../platform/files.ts';
import { dropOldKey, replaceKey } from '../platform/key-file.ts';
import { keyAgeDays, keyFileOf, parseWebhookUrl, readWebhook, webhookFile, writeWebhook } from './webhook.ts';
import type { WebhookLocation } from './webhook.ts';

const SECRET = 'https://hooks.example.com/services/T000/B000?token=abc';
let home: string;
let location: WebhookLocation;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-webhook-')));
  const root = join(home, 'project');
  mkdirSync(join(root, '.context'), { recursive: true });
  location = { files: nodeFiles, root, config: join(home, 'config'), userHome: home };
});
afterEach(() => rmSync(home, { recursive: true }));

const stored = () => readFileSync(webhookFile(location.root), 'utf8');
const problemOf = () => {
  const webhook = readWebhook(location);
  return webhook.state === 'broken' ? webhook.problem : webhook.state;
};

describe('an address at rest', () => {
  it('comes back, and is in no file', () => {
    expect(readWebhook(location)).toEqual({ state: 'absent' });
    writeWebhook(location, new URL(SECRET));
    const webhook = readWebhook(location);
    expect(webhook.state === 'ready' && webhook.url.href).toBe(SECRET);
    expect(stored()).not.toContain('example');
    const parts = JSON.parse(stored()) as Encrypted;
    expect(Object.keys(parts)).toEqual(['v', 'iv', 'tag', 'ct']);
    expect(parts.v).toBe(1);
    expect([parts.iv, parts.tag].map((part) => Buffer.from(part, 'base64').length)).toEqual([12, 16]);
    expect(statSync(webhookFile(location.root)).mode & 0o777).toBe(0o600);
    const key = statSync(join(home, 'config/notify.key'));
    expect([key.size, key.mode & 0o777]).toEqual([32, 0o600]);
  });

  it('is written with other bytes each time, and the key stays', () => {
    writeWebhook(location, new URL(SECRET));
    const [before, key] = [stored(), readFileSync(keyFileOf(location))];
    writeWebhook(location, new URL(SECRET));
    expect(stored()).not.toBe(before);
    expect(readFileSync(keyFileOf(location))).toEqual(key);
  });

  it('no changed byte passes, and no other key opens it', () => {
    const [key, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.constantFrom('iv', 'tag', 'ct'),
        fc.nat(),
        (text, part, at) => {
          const sealed = encrypt(text, key);
          expect(decrypt(sealed, key)).toBe(text);
          expect(decrypt(sealed, other)).toBeUndefined();
          const bytes = Buffer.from(sealed[part as 'iv'], 'base64');
          bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ 1;
          expect(decrypt({ ...sealed, [part]: bytes.toString('base64') }, key)).toBeUndefined();
        },
      ),
    );
  });

  it.each<[string, (key: string) => void, RegExp]>([
    [
      'the key of somebody else',
      (key) => (replaceKey(key), dropOldKey(key)),
      /cannot be opened with the key of this machine/,
    ],
    ['no key', (key) => rmSync(key), /is missing; `fairlead notify setup` makes one/],
    ['a key that others can read', (key) => chmodSync(key, 0o640), /can be read by others/],
    ['a key that was cut', (key) => writeFileSync(key, 'short'), /is not a key of 32 bytes/],
    [
      'text that is no address',
      () => writeFileSync(webhookFile(location.root), 'https://evil.example'),
      /cannot be opened/,
    ],
    ['an empty object', () => writeFileSync(webhookFile(location.root), '{}'), /cannot be opened/],
    ['nothing', () => writeFileSync(webhookFile(location.root), 'null'), /cannot be opened/],
  ])('%s: it is not used', (_what, change, problem) => {
    writeWebhook(location, new URL(SECRET));
    change(keyFileOf(location));
    expect(problemOf()).toMatch(problem);
  });
});

describe('where the key lies', () => {
  it.each<[string, string | undefined, string | RegExp]>([
    ['nothing named', undefined, 'config/notify.key'],
    ['a path from the home', '~/keys/k', 'keys/k'],
    ['a relative path', 'keys/k', /absolute/],
    ['a path in the project', '~/project/.context/k', /lies in the project/],
    ['a link into the project', '~/link/k', /lies in the project/],
    ['a path beside the project', '~/project-keys/k', 'project-keys/k'],
  ])('%s', (_what, keyPath, expected) => {
    symlinkSync(location.root, join(home, 'link'));
    const named = { ...location, ...(keyPath !== undefined && { keyPath }) };
    if (typeof expected === 'string') expect(keyFileOf(named)).toBe(join(home, expected));
    else expect(() => writeWebhook(named, new URL(SECRET))).toThrow(expected);
  });

  it('its age is in whole days', () => {
    expect(keyAgeDays(location, Date.now())).toBeUndefined();
    writeWebhook(location, new URL(SECRET));
    const now = Date.now();
    expect(keyAgeDays(location, now)).toBe(0);
    const made = (now - 95.5 * 86_400_000) / 1_000;
    utimesSync(keyFileOf(location), made, made);
    expect(keyAgeDays(location, now)).toBe(95);
  });
});

it('a link out of the project is not written through', () => {
  writeFileSync(join(home, 'precious'), 'mine');
  symlinkSync(join(home, 'precious'), webhookFile(location.root));
  expect(() => writeWebhook(location, new URL(SECRET))).toThrow('leads out of the project');
  expect(readFileSync(join(home, 'precious'), 'utf8')).toBe('mine');
});

describe('an address', () => {
  it.each<[string, boolean]>([
    ['https://hooks.example.com/x', true],
    ['  https://hooks.example.com/x\n', true],
    ['http://127.0.0.1:8080/x', true],
    ['http://127.9.0.1/x', true],
    ['http://localhost/x', true],
    ['http://[::1]:80/x', true],
    ['http://hooks.example.com/x', false],
    ['http://localhost.example.com/x', false],
    ['http://127.0.0.1.example.com/x', false],
    ['http://10.0.0.1/x', false],
    ['ftp://hooks.example.com/x', false],
    ['file:///etc/passwd', false],
    ['hooks.example.com', false],
    ['', false],
  ])('%s: %s', (text, isFine) => {
    if (isFine) expect(parseWebhookUrl(text).href).toBe(new URL(text).href);
    else expect(() => parseWebhookUrl(text)).toThrow(/https|not a URL/);
  });
});
