import type { AgentSetup } from '../../engine/rule.ts';
import { quote } from '../../shell/quote.ts';

const SERVER = 'fairlead';

/** What to call for the whole impact of a symbol: the tool of a registered server, else the command. */
export function impactQuery(key: string, servers: AgentSetup['servers']): string {
  const server = servers.find(({ name }) => name === SERVER);
  return server === undefined
    ? `\`fairlead graph impact ${quote(key)}\``
    : `${server.prefix}graph ${JSON.stringify({ action: 'impact', symbol: key })}`;
}
