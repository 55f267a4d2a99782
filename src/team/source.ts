const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Why nothing is fetched from there; undefined where it may be. */
export function sourceProblem(source: string): string | undefined {
  if (source.startsWith('/')) return undefined;
  let url: URL;
  try {
    url = new URL(source);
  } catch {
    return 'is neither a whole path nor an address';
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname))) return undefined;
  return 'has to be a whole path or begin with https://';
}
