import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFrom, loadModules } from './load-modules.mjs';

const ADAPTERS = 'src/adapters';

/**
 * The agents: a folder each, whose `index.ts` exports the adapter by the folder's name in camel case, and whose `install.ts`
 * exports the installer by that name with `Installer` behind it; one with a status line has `statusline.ts`, which exports
 * `readStatus`. In three lists, since a hook answers an event with the first alone.
 */
export function agentIndexes(root) {
  const agents = readdirSync(join(root, ADAPTERS), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    seen: `${agents.length} ${agents.length === 1 ? 'agent' : 'agents'}`,
    files: {
      [`${ADAPTERS}/index.generated.ts`]: listing(agents, 'index', 'ADAPTERS', 'Adapter'),
      [`${ADAPTERS}/installers.generated.ts`]: listing(agents, 'install', 'INSTALLERS', 'Installer'),
      [`${ADAPTERS}/status-lines.generated.ts`]: statusLines(
        agents.filter((agent) => existsSync(join(root, ADAPTERS, agent, 'statusline.ts'))),
      ),
    },
  };
}

const variable = (agent) => agent.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());

function listing(agents, file, constant, type) {
  const names = agents.map((agent) => variable(agent) + (type === 'Adapter' ? '' : type));
  return (
    `${generatedFrom('the folders beside it')}import type { ${type} } from './${type.toLowerCase()}.ts';\n` +
    agents.map((agent, index) => `import { ${names[index]} } from './${agent}/${file}.ts';\n`).join('') +
    `\nexport const ${constant}: readonly ${type}[] = [${names.join(', ')}];\n`
  );
}

function statusLines(agents) {
  const entries = agents.map((agent) => `{ agent: '${agent}', readStatus: ${variable(agent)} }`);
  return (
    `${generatedFrom('the folders beside it')}import type { StatusLine } from './adapter.ts';\n` +
    agents.map((agent) => `import { readStatus as ${variable(agent)} } from './${agent}/statusline.ts';\n`).join('') +
    `\nexport const STATUS_LINES: readonly StatusLine[] = [${entries.join(', ')}];\n`
  );
}

/** The variables that hooks hand on, for the native client; what agents and packs declare, so it comes after their lists. */
export async function variablesHeader(root) {
  const [{ FORWARDED, OPTIONAL, LONGEST_VALUE, DISABLED }, { ADAPTERS: adapters }, { linesUnknown }, { MOST_DENIALS }] =
    await loadModules(root, [
      `${ADAPTERS}/forwarded.ts`,
      `${ADAPTERS}/registry.ts`,
      'src/transport/fail-closed.ts',
      'src/engine/decide/unable.ts',
    ]);
  const named = (which) =>
    adapters.flatMap(({ name, environment }) =>
      environment?.[which] === undefined ? [] : [`{"${name}", "${environment[which]}"}`],
    );
  const rows = (items) => items.map((item) => `    ${item},\n`).join('');
  const text = `${generatedFrom(`${ADAPTERS}/forwarded.ts`)}
// Nothing else of the environment leaves this process: it holds the agent's keys.
static const char *const FORWARDED[] = {
${rows(FORWARDED.map((name) => `"${name}"`))}};

enum {
  ASKED_FOR = ${FORWARDED.length - OPTIONAL.length}, // from here on, variables that an answer can do without
  LONGEST_VALUE = ${LONGEST_VALUE}, // of such a one; a longer one stays here
};

// Set to 1 it switches hooks off.
static const char DISABLED[] = "${DISABLED}";

struct named {
  const char *agent, *variable;
};

// By which variable an agent names the project, and the session.
static const struct named PROJECT_DIRS[] = {
${rows([...named('projectDir'), '{NULL, NULL}'])}};
static const struct named SESSIONS[] = {
${rows([...named('session'), '{NULL, NULL}'])}};

enum { MOST_DENIALS = ${MOST_DENIALS} }; // of one session by this client alone; then it asks

// What is replied where no engine has said which rules are in force.
static const char *const UNKNOWN[] = {
${rows([...linesUnknown().map((line) => JSON.stringify(line)), 'NULL'])}};
`;
  return { seen: `${FORWARDED.length} variables`, files: { 'native/variables.h': text } };
}
