import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../adapters/installer.ts';
import { doctor } from '../commands/doctor.ts';
import { init } from '../commands/init.ts';
import { createServerStage, PACK, put, read } from '../install/servers.fixture.ts';
import type { ServerStage } from '../install/servers.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import type { Finding } from './report.ts';

let stage: ServerStage;
beforeEach(() => {
  stage = createServerStage();
});
afterEach(() => stage.remove());

const SCOPES: readonly Scope[] = ['local', 'project', 'user'];
async function findingsOf(at: FakeWorld): Promise<{ findings: Finding[]; facts: Record<string, string> } | undefined> {
  const { sections } = (await at.json(doctor)) as {
    sections?: { title: string; findings: Finding[]; facts: Record<string, string> }[];
  };
  return sections?.find(({ title }) => title === 'Tool server');
}

describe.each(SCOPES)('--scope %s', (scope) => {
  const scoped = ['--scope', scope];

  it('doctor tells that it is registered', async () => {
    const at = stage.world();
    await at.run(init, ...scoped, ...PACK);
    const section = await findingsOf(at);
    // A shared file names no home, and this test has another one than usual.
    const answers = scope === 'project' ? '; the agent asks' : '; starts and answers';
    expect(section?.facts[`claude-code, ${scope}`]).toContain(`.json${answers}`);
    const what = section?.findings.map((each) => each.what.replace(/:.*/, ''));
    expect(what).toEqual(
      scope === 'project' ? ['The tool server in .mcp.json uses another home than this command'] : [],
    );
  });
});

/** Answers a greeting, and needs no build for that. */
const STAND_IN = `process.stdin.once('data', () => console.log('{"id":1,"result":{"serverInfo":{}}}'));`;

function startInstead(script: string): void {
  const program = stage.tree.put('instead/bin/fairlead', script);
  const words = `${JSON.stringify(process.execPath)}, "args": [${JSON.stringify(program)}`;
  put(stage.fileOf('user'), read(stage.fileOf('user')).replace(/"[^"]*sh", "args": \["[^"]*fairlead"/, words));
}

describe('doctor', () => {
  it.each<[string, () => void, readonly string[]]>([
    [
      'nothing registered',
      () => put(stage.fileOf('user'), '{}'),
      ['and no agent that works here is told of the tool server'],
    ],
    [
      'a program that is gone',
      () => put(stage.fileOf('user'), read(stage.fileOf('user')).replace(/"[^"]*node"/, '"/gone/node"')),
      ['cannot start: /gone/node does not exist'],
    ],
    [
      'a launcher that is gone',
      () => put(stage.fileOf('user'), read(stage.fileOf('user')).replace(/"[^"]*\/fairlead"/, '"/gone/fairlead"')),
      ['cannot start: /gone/fairlead does not exist'],
    ],
    [
      'another home',
      () => put(stage.fileOf('user'), read(stage.fileOf('user')).replace(/"--state", "[^"]*"/, '"--state", "/other"')),
      ['uses another home than this command'],
    ],
    [
      'a foreign one in front of it',
      () => put(stage.fileOf('project'), '{"mcpServers":{"fairlead":{"command":"ship"}}}'),
      ['in .mcp.json is not this program'],
    ],
    ['a broken file', () => put(stage.fileOf('user'), '{'), ['.claude.json:1: not valid JSON']],
    [
      'switched off in the agent',
      () =>
        put(
          stage.fileOf('user'),
          JSON.stringify({
            ...(JSON.parse(read(stage.fileOf('user'))) as object),
            projects: { [stage.project]: { disabledMcpServers: ['fairlead'] } },
          }),
        ),
      ['the agent uses no server called "fairlead" here'],
    ],
    [
      'two names',
      () =>
        put(
          stage.fileOf('user'),
          JSON.stringify({
            mcpServers: { fairlead: stage.serversAt('user')['fairlead'], graph: stage.serversAt('user')['fairlead'] },
          }),
        ),
      ['names the tool server 2 times'],
    ],
  ])('%s', async (_, change, expected) => {
    const at = stage.world();
    await at.run(init, '--scope', 'user', ...PACK);
    startInstead(STAND_IN);
    change();
    const { findings } = (await findingsOf(at)) ?? { findings: [] };
    expect(findings.map(({ what }) => what)).toEqual(expected.map((text) => expect.stringContaining(text) as string));
  });

  it.each<[string, string, string]>([
    ['ends at once', 'console.error("no library\\n"); process.exit(3);', 'cannot start: it ended with 3: no library.'],
    ['prints something else', 'console.log("hello"); setInterval(() => {}, 1000);', 'is not the protocol'],
  ])('a program that %s', async (_, script, expected) => {
    const at = stage.world();
    await at.run(init, '--scope', 'user', ...PACK);
    startInstead(script);
    const { findings } = (await findingsOf(at)) ?? { findings: [] };
    expect(findings.map(({ what }) => what)).toEqual([expect.stringContaining(expected) as string]);
  });

  it('starts nothing that a repository names', async () => {
    const marker = join(stage.project, 'was-started');
    const program = stage.tree.put(
      'project/bin/fairlead',
      `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`,
    );
    const at = stage.world();
    const args = [program, 'mcp', '--config', at.paths.config, '--state', at.paths.state];
    put(stage.fileOf('project'), JSON.stringify({ mcpServers: { fairlead: { command: process.execPath, args } } }));
    const { findings } = (await findingsOf(at)) ?? { findings: [] };
    expect(findings.map(({ what }) => what)).toContainEqual(
      expect.stringContaining('a program that the project names'),
    );
    expect(existsSync(marker)).toBe(false);
  });

  it('a pack that is off', async () => {
    const at = stage.world();
    await at.run(init, '--scope', 'user', ...PACK);
    startInstead(STAND_IN);
    put(join(at.paths.config, 'config.yaml'), 'packs:\n  autocontext: off\n');
    const { findings } = (await findingsOf(stage.world())) ?? { findings: [] };
    expect(findings.map(({ what }) => what)).toEqual([
      'The tool server is registered, and the pack autocontext is off.',
    ]);
  });

  it('says nothing of it where nobody wants it', async () => {
    const at = stage.world();
    await at.run(init, '--yes');
    expect(await findingsOf(at)).toBeUndefined();
  });
});
