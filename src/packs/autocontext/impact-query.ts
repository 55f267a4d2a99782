import { quote } from '../../shell/quote.ts';

const SERVER = 'fairlead';

/** What to call for the whole impact of a symbol: the tool of a registered server, else the command. */
export function impactQuery(key: string, servers: readonly string[]): string {
  // A plugin's servers are registered under its name, which has no underscore.
  const server = servers.find((name) => name.replace(/^plugin_[^_]+_/, '') === SERVER);
  return server === undefined
    ? `\`fairlead graph impact ${quote(key)}\``
    : `mcp__${server}__graph ${JSON.stringify({ action: 'impact', symbol: key })}`;
}
