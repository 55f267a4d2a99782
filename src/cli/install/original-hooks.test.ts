import { afterEach, beforeEach, expect, it } from 'vitest';
import { init } from '../commands/init.ts';
import { checkOriginals } from '../doctor/wiring.ts';
import { knownRules } from '../known-rules.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';

let project: PlantedProject;
beforeEach(() => void (project = plantProject()));
afterEach(() => project.remove());

const PLACE = '.claude/settings.json';
const plant = (commands: readonly string[], enabledPlugins: Readonly<Record<string, boolean>> = {}) =>
  project.putProject(
    PLACE,
    JSON.stringify({
      hooks: { PreToolUse: commands.map((command) => ({ hooks: [{ type: 'command', command }] })) },
      enabledPlugins,
    }),
  );
const findings = async () => {
  const world = project.world();
  return checkOriginals(await knownRules(world), world).flatMap((section) => section.findings);
};

it.each<[pack: string, program: string, what: string, commands: readonly string[], plugins: readonly string[]]>([
  [
    'context',
    'ctx',
    '2 hooks and the plugin ctx@activememory-ctx',
    ['ctx system check-reminders', 'bin/other ctx', '/opt/ctx agent --budget 4 || true'],
    ['ctx@activememory-ctx', 'ctxx@y'],
  ],
  [
    'increments',
    'SpecWeave',
    '2 hooks and the plugin specweave@specweave',
    [
      'bash ~/plugins/specweave/hooks/v2/dispatchers/post-tool-use.sh',
      'bash .specweave/hooks/post-task-completion.sh',
      'grep -q active .specweave/state/status-line.json',
    ],
    ['specweave@specweave'],
  ],
  ['codegraph', 'agentic-dev-team', '1 hook', ['bash .claude/hooks/codegraph-nudge.sh', 'codegraph prompt-hook'], []],
  [
    'diagrams',
    'cc-skills',
    '1 hook and the plugin itp-hooks@cc-skills',
    ['~/.claude/hooks/pretooluse-guard.sh'],
    ['itp-hooks@cc-skills', 'notes@cc-skills'],
  ],
  [
    'autocontext',
    'CodeCanvas',
    '1 hook',
    ['uv run python -c "from codecanvas.hooks.post_read import main; main()"'],
    [],
  ],
])('beside %s, %s is named by doctor and init', async (pack, program, what, commands, plugins) => {
  plant(commands, Object.fromEntries(plugins.map((plugin) => [plugin, true])));
  project.putUser('config.yaml', `packs: { ${pack}: on }\n`);
  expect(await findings()).toMatchObject([
    {
      what: `The agent also calls ${program}: ${what} in ${PLACE}.`,
      next: expect.stringContaining(`packs off ${pack}`),
    },
  ]);
  const world = project.world();
  await world.run(init, '--yes');
  expect(world.printed.out.replaceAll(/\s+/g, ' ')).toContain(
    `${what} of ${program} in ${PLACE}: kept; take that out, or leave the pack ${pack} off, else`,
  );
  project.putUser('config.yaml', `packs: { ${pack}: off }\n`);
  expect(await findings()).toEqual([]);
});
