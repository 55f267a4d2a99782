import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { oldKeyOf } from '../platform/key-file.ts';
import { rotateKey } from './rotation.ts';
import { keyFileOf, readWebhook, writeWebhook } from './webhook.ts';
import type { WebhookLocation } from './webhook.ts';

let home: string;
let one: WebhookLocation;
let other: WebhookLocation;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-rotation-')));
  [one, other] = ['one', 'other'].map((name): WebhookLocation => {
    const root = join(home, name);
    mkdirSync(join(root, '.context'), { recursive: true });
    const location = { files: nodeFiles, root, config: join(home, 'config'), userHome: home };
    writeWebhook(location, new URL(`https://${name}.example.com/x`));
    return location;
  }) as [WebhookLocation, WebhookLocation];
});
afterEach(() => rmSync(home, { recursive: true }));

const hostOf = (location: WebhookLocation) => {
  const webhook = readWebhook(location);
  return webhook.state === 'ready' ? webhook.url.host : webhook.state;
};

it('what cannot be written keeps the key that opens it, until it can be', () => {
  const key = keyFileOf(one);
  const writeAtomic = () => {
    throw new Error('read-only');
  };
  const locked = { ...other, files: { ...nodeFiles, writeAtomic } };
  expect(rotateKey(key, [one, locked])).toEqual({ encrypted: [one.root], kept: [other.root], lost: [] });
  expect([one, other].map(hostOf)).toEqual(['one.example.com', 'other.example.com']);
  const keys = () => [key, oldKeyOf(key)].map((path) => readFileSync(path, 'hex'));
  const before = keys();
  expect(() => rotateKey(key, [one, locked])).toThrow(/the address of .*other cannot be written/);
  expect(keys()).toEqual(before);
  expect(rotateKey(key, [one, other])).toEqual({ encrypted: [one.root, other.root], kept: [], lost: [] });
  expect(existsSync(oldKeyOf(key))).toBe(false);
  expect([one, other].map(hostOf)).toEqual(['one.example.com', 'other.example.com']);
});
