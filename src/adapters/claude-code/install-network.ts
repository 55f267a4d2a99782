import type { Env } from '../adapter.ts';

/** As client 2.1.325 was seen to do it: the whole address, or its origin alone, in any case; `*` also stands for slashes. */
export function allowsUrl(pattern: string, url: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  const whole = new RegExp(`^${parts.join('.*')}$`, 'i');
  return whole.test(url) || whole.test(new URL(url).origin);
}

/** All of them count for loopback too, as that client was seen to do it; of the exceptions only these words do. */
const PROXIES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];
const EXCEPT_US = ['127.0.0.1', '*'];

/** A proxy that agents started from here would send their posts to, with the token. */
export function proxyInTheWay(env: Env): string | undefined {
  const except = (env['no_proxy'] || env['NO_PROXY'] || '').split(/[\s,]+/);
  return except.some((host) => EXCEPT_US.includes(host)) ? undefined : PROXIES.find((name) => env[name]);
}
