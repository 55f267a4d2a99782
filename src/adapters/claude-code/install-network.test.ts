import { expect, it } from 'vitest';
import { allowsUrl, proxyInTheWay } from './install.ts';

/** Tried with client 2.1.325, except for the two with a dot and a question mark in another place. */
it.each([
  ['https://*', false],
  ['*', true],
  ['http://127.0.0.1:*', true],
  ['http://127.0.0.1:20001/hook/claude-code', true],
  ['HTTP://127.0.0.1:20001', true],
  ['http://127.0.0.1:20001/', false],
  ['http://127.0.0.1:20001/hook/claude', false],
  ['http://127.0.0.1', false],
  ['http://*/claude-code', true],
  ['http://127x0.0.1:*', false],
  ['http://127.0.0.1:20001/hook/claude-cod?', false],
])('%s: %s', (pattern, allows) => {
  expect(allowsUrl(pattern, 'http://127.0.0.1:20001/hook/claude-code')).toBe(allows);
});

it.each([
  [{}, undefined],
  [{ HTTP_PROXY: 'http://p:1' }, 'HTTP_PROXY'],
  [{ http_proxy: 'http://p:1', NO_PROXY: 'localhost' }, 'http_proxy'],
  [{ HTTP_PROXY: 'http://p:1', NO_PROXY: 'localhost,127.0.0.1' }, undefined],
  [{ HTTP_PROXY: 'http://p:1', no_proxy: '*' }, undefined],
  [{ HTTPS_PROXY: 'http://p:1' }, 'HTTPS_PROXY'],
  [{ ALL_PROXY: 'http://p:1' }, undefined],
  [{ HTTP_PROXY: 'http://p:1', NO_PROXY: '127.0.0.0/8' }, 'HTTP_PROXY'],
  [{ HTTP_PROXY: '' }, undefined],
])('%j: %s', (env, name) => {
  expect(proxyInTheWay(env)).toBe(name);
});
