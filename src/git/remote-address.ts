/** Where a repository is fetched from, by its config: of several remotes `origin`, else the first. */
export function remoteAddress(config: string): string | undefined {
  let remote: string | undefined;
  const found = new Map<string, string>();
  for (const line of config.split('\n')) {
    const section = /^\s*\[\s*([\w-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (section) remote = section[1]?.toLowerCase() === 'remote' ? section[2] : undefined;
    const url = remote === undefined ? undefined : /^\s*url\s*=\s*"?([^"#;]+?)"?\s*$/i.exec(line)?.[1];
    if (remote !== undefined && url !== undefined && !found.has(remote)) found.set(remote, url);
  }
  return found.get('origin') ?? [...found.values()][0];
}

/** One name for all spellings of an address, without who fetches; undefined for one that means something on this machine alone. */
export function addressName(address: string): string | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:?#]+)(?::\d+)?\/+(.+)$/i.exec(address);
  const scp = url ?? /^(?:[^@/\s]+@)?([^/:\s]{2,}):(?!\/\/)\/*(.+)$/.exec(address);
  const [, host, path] = scp ?? [];
  if (host === undefined || path === undefined || /^file:/i.test(address) || isHere(host)) return undefined;
  return `${host.toLowerCase()}/${path
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')}`;
}

function isHere(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i.test(host);
}
