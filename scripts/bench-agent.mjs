// `npm run bench:agent [-- ROUNDS]`: what hooks cost the real agent client per tool call.
import { installClient } from './install-client.mjs';
import { runBundled } from './run-bundled.mjs';

const env = { FAIRLEAD_E2E_CLIENT: installClient() };
await runBundled('bench/agent/cost.ts', 'bench-agent', process.argv.slice(2), { env });
