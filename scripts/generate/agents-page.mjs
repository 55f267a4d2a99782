import { CLIENTS } from '../install-client.mjs';
import { loadModules } from './load-modules.mjs';

const VERDICTS = ['deny', 'ask', 'rewrite', 'allow', 'note', 'warn'];

/** docs/agents.md: what becomes of verdicts with each agent, as its adapter says, and the client that this was tried with. */
export async function agentsPage(root) {
  const [{ ADAPTERS }, { INSTALLERS }, { EVENT_NAMES }, { BUILT_IN }, { reachWith }] = await loadModules(root, [
    'src/adapters/index.generated.ts',
    'src/adapters/installers.generated.ts',
    'src/event/event.ts',
    'src/packs/index.generated.ts',
    'src/cli/rule-reach.ts',
  ]);
  const packsOf = (adapter) =>
    packRows(BUILT_IN.map(({ meta }) => ({ meta, reach: reachWith(adapter, asMeant(meta), NO_LAYERS) })));
  // One that was never run is not promised to anybody.
  const sections = ADAPTERS.flatMap((adapter) => {
    const promises = INSTALLERS.find(({ agent }) => agent === adapter.name)?.promises;
    return promises && CLIENTS[adapter.name] ? [sectionOf(adapter, promises, EVENT_NAMES, packsOf(adapter))] : [];
  });
  return {
    seen: `${sections.length} tables of verdicts`,
    files: { 'docs/agents.md': `${HEAD}\n${sections.join('\n')}` },
  };
}

const HEAD = `# Agents

One set of rules works for every agent below. This page says what becomes of a verdict on each event there. It is generated from the tables of the adapters
(\`node scripts/generate-indexes.mjs\`), which say what the client was seen to do. \`npm run e2e -- agents\` drives the clients. [What one hook call costs](bars.md) with each agent is measured beside a bare hook, and [how big each adapter is](adapter-sizes.md) counted.

- **enforced**: the agent does what was decided.
- **denied**: the agent cannot ask, so the call is denied, and the reason says how a person lets it through.
- **advised**: the model is told, and nothing is prevented.
- **person**: only the person sees it.
- **–**: there is no channel. A note waits for the next event that has one.

\`fairlead rules list --agent NAME\` says what that means for each rule, and \`fairlead rules show RULE\` for one rule with all agents. A \`save\` needs no
channel: the copy is made before the reply.

The second table of each agent has the packs. A rule that is told of a part only does there what it can by that part; one that is told of nothing does nothing. A tool that an
agent does not have is no gap: what it does instead, as a search in the shell, is told. The examples of all rules and the recorded sessions run through every
adapter in that agent's own payloads, and are decided the same (\`src/packs/every-agent.test.ts\`).
`;

const READ = '`log` and `explain` say what became of a decision, by its transcripts, and `fairlead replay` reads them.';
const UNREAD =
  'its transcripts are not read. What became of a decision there stays open, nobody knows how full the context is, and `fairlead replay` takes what Fairlead itself has recorded (`--ledger`).';

/** Nothing of a person or a project. */
const NO_LAYERS = { user: { files: [] }, project: { files: [] } };
/** A rule with nothing held back by a mode. */
const asMeant = (meta) => ({ meta, mode: 'enforce', source: 'built in', options: {} });

/** What each pack comes to with an agent, by the rules that it does not tell of all that they listen to. */
function packRows(rules) {
  return [...new Set(rules.map(({ meta }) => meta.pack))].map((pack) => {
    const own = rules.filter(({ meta }) => meta.pack === pack);
    const named = ({ meta }) => `\`${meta.id.slice(pack.length + 1)}\``;
    const inPart = own
      .filter(({ reach }) => reach.isHeard && reach.untold.length > 0)
      .map((rule) => `${named(rule)} (${rule.reach.untold.join(', ')})`);
    const deaf = own.filter(({ reach }) => !reach.isHeard).map(named);
    return `| ${pack} | ${own.length} | ${inPart.join(', ') || '–'} | ${deaf.join(', ') || '–'} |`;
  });
}

function sectionOf(adapter, { undo, failure, gaps }, names, packs) {
  const client = CLIENTS[adapter.name];
  const events = names.flatMap((canonical) =>
    adapter.events
      .filter((event) => event.canonical === canonical || event.also === canonical)
      .map(({ name }) => ({ name, canonical })),
  );
  const rows = events.map(({ name, canonical }) => {
    const reach = adapter.capabilities(canonical);
    return `| ${canonical} | ${name} | ${VERDICTS.map((kind) => (reach[kind] === 'none' ? '–' : reach[kind])).join(' | ')} |`;
  });
  const missing = names.filter((name) => name !== 'unknown' && !events.some(({ canonical }) => canonical === name));
  return [
    `## ${adapter.name}`,
    '',
    `Tried with \`${client.package}\` ${client.version}. \`fairlead init --agent ${adapter.name}\` wires it.`,
    '',
    `- **Undo**: ${undo}`,
    `- **When Fairlead fails**: ${failure}`,
    ...gaps.map((gap) => `- ${gap}`),
    `- **Receipts and replay**: ${adapter.transcripts ? READ : UNREAD}`,
    ...(missing.length === 0
      ? []
      : [
          `- It does not tell of ${missing.map((name) => `\`${name}\``).join(', ')}. Rules that listen to nothing else do nothing there.`,
        ]),
    '',
    `| event | its name there | ${VERDICTS.join(' | ')} |`,
    `|---|---|${VERDICTS.map(() => '---|').join('')}`,
    ...rows,
    '',
    '| pack | rules | told of a part: all but | told of nothing |',
    '|---|---|---|---|',
    ...packs,
    '',
  ].join('\n');
}
