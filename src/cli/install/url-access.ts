import type { SettingsReport } from '../../adapters/installer.ts';
import type { Environment } from '../../platform/paths.ts';

type Allowed = NonNullable<SettingsReport['allowedUrls']>;

/** The setting that keeps hooks from posting to an address, if one does. Lists of several files count together. */
export function refusalOf(url: string, lists: readonly (Allowed | undefined)[]): string | undefined {
  const given = lists.filter((list) => list !== undefined);
  return given.some(({ patterns }) => patterns.some((pattern) => matches(pattern, url)))
    ? undefined
    : given[0]?.setting;
}

function matches(pattern: string, url: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(url);
}

/** A proxy that agents started from here would send even loopback addresses to, with the token. */
export function proxyInTheWay(env: Environment): string | undefined {
  const proxy = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'].find((name) => env[name]);
  const except = (env['no_proxy'] || env['NO_PROXY'] || '').split(/[\s,]+/);
  return except.some((host) => host === '*' || host.startsWith('127.')) ? undefined : proxy;
}
