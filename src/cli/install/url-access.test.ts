import { expect, it } from 'vitest';
import { proxyInTheWay, refusalOf } from './url-access.ts';

const URL = 'http://127.0.0.1:20001/hook/some-agent';
const list = (...patterns: string[]) => ({ setting: 'urls', patterns });

it.each([
  [[], undefined],
  [[undefined, undefined], undefined],
  [[list()], 'urls'],
  [[list('https://*')], 'urls'],
  [[list('http://127.0.0.1:*')], undefined],
  [[list('http://127.0.0.1:20001/hook/some-agent')], undefined],
  [[list('http://127.0.0.1:20001')], 'urls'],
  [[list('http://127x0.0.1:*')], 'urls'],
  [[list('http://127.0.0.1:20001/hook/some-agen?')], 'urls'],
  [[list('https://*'), undefined, list('*')], undefined],
])('lists %j: %s', (lists, setting) => {
  expect(refusalOf(URL, lists)).toBe(setting);
});

it.each([
  [{}, undefined],
  [{ HTTP_PROXY: 'http://p:1' }, 'HTTP_PROXY'],
  [{ http_proxy: 'http://p:1', NO_PROXY: 'localhost' }, 'http_proxy'],
  [{ HTTP_PROXY: 'http://p:1', NO_PROXY: 'localhost,127.0.0.1' }, undefined],
  [{ HTTP_PROXY: 'http://p:1', no_proxy: '*' }, undefined],
  [{ HTTPS_PROXY: 'http://p:1' }, undefined],
  [{ HTTP_PROXY: '' }, undefined],
])('%j: %s', (env, name) => {
  expect(proxyInTheWay(env)).toBe(name);
});
