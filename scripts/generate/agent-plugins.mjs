import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { generatedFrom } from './load-modules.mjs';

const ADAPTERS = 'src/adapters';
const ENTRY = 'plugin/plugin.ts';

/** Programs that an agent loads into its own process: `plugin/plugin.ts` in its folder, with all that it imports, as one text for the installer. */
export async function agentPlugins(root) {
  const agents = readdirSync(join(root, ADAPTERS)).filter((name) => existsSync(join(root, ADAPTERS, name, ENTRY)));
  const files = {};
  for (const agent of agents) {
    const { outputFiles } = await build({
      entryPoints: [join(root, ADAPTERS, agent, ENTRY)],
      absWorkingDir: root,
      bundle: true,
      write: false,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'error',
    });
    const text = outputFiles[0].text.replaceAll(/^\/\/ src\/.*\n/gm, '');
    files[`${ADAPTERS}/${agent}/plugin.generated.ts`] =
      `${generatedFrom('plugin/ beside it')}export const PLUGIN = ${JSON.stringify(text)};\n`;
  }
  return { seen: `${agents.length} ${agents.length === 1 ? 'plugin' : 'plugins'}`, files };
}
