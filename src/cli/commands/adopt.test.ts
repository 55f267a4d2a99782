import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAdopted } from '../../adopted/store.ts';
import { nodeFiles } from '../../platform/files.ts';
import { MINE, plantInit, put, read } from '../init.fixture.ts';
import type { InitPlace } from '../init.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { adopt } from './adopt.ts';
import { doctor } from './doctor.ts';
import { init } from './init.ts';
import { uninstall } from './uninstall.ts';

let place: InitPlace;
let world: FakeWorld;
beforeEach(() => {
  place = plantInit();
  world = place.world({ machineRoot: join(place.tree.top, 'machine') });
});
afterEach(async () => {
  world.close();
  await place.tree.remove();
});

const settings = (event: string, entry: object, matcher?: string) =>
  JSON.stringify({ hooks: { [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [entry] }] } }, null, 2);
const command = (line: string) => ({ type: 'command', command: line });
const rule = (name: string, text: string) => put(join(place.project, '.claude', `hookify.${name}.local.md`), text);
const NO_RM = '---\nname: no-rm\nevent: bash\npattern: rm\\s+-rf\naction: block\n---\nNo.\n';
const rows = async () => (await world.json(adopt))['found'] as readonly Record<string, unknown>[];

describe('the table', () => {
  it('has every hook that is in force, where it comes from, and what is proposed', async () => {
    put(place.user, settings('Stop', command('~/notify.sh')));
    put(place.local, settings('PreToolUse', command('python3 "$CLAUDE_PROJECT_DIR"/check.py'), 'Bash'));
    put(join(place.project, '.claude', 'settings.json'), settings('PreToolUse', command('team.sh')));
    put(
      join(place.tree.top, 'machine/etc/claude-code/managed-settings.json'),
      settings('PreToolUse', command('audit')),
    );
    const plugin = join(place.tree.top, 'plugin');
    put(join(plugin, 'hooks', 'hooks.json'), settings('PostToolUse', command('${CLAUDE_PLUGIN_ROOT}/p.sh')));
    put(place.user, JSON.stringify({ ...(JSON.parse(read(place.user)) as object), enabledPlugins: { 'p@m': true } }));
    put(
      join(place.tree.home, '.claude', 'plugins', 'installed_plugins.json'),
      JSON.stringify({ plugins: { 'p@m': [{ installPath: plugin }] } }),
    );
    rule('no-rm', NO_RM);
    rule('ahead', '---\nname: ahead\nevent: bash\npattern: rm (?!x)\n---\nNo.\n');
    const shown = (await rows()).map(
      ({ name, event, proposal }) => `${String(name)} ${String(event)} ${String(proposal)}`,
    );
    expect(shown.toSorted()).toEqual([
      'ahead  leave',
      'audit PreToolUse leave',
      'check.py PreToolUse wrap',
      'no-rm bash translate',
      'notify.sh Stop wrap',
      'p.sh PostToolUse leave',
      'team.sh PreToolUse leave',
    ]);
    expect(await world.run(adopt, '--dry-run')).toBe(0);
    expect(world.printed.out).toMatch(/check\.py +PreToolUse +Bash/);
    expect(world.printed.out).toMatch(/looking ahead or behind/);
    expect(world.printed.out).toMatch(/the file is shared/);
    expect(existsSync(join(world.paths.state, 'adopted.json'))).toBe(false);
  });

  it('is empty where there is nothing', async () => {
    expect(await world.run(adopt)).toBe(0);
    expect(world.printed.out).toMatch(/No hooks of others/);
  });

  it('leaves hooks of a file that the agent ignores', async () => {
    put(place.local, JSON.stringify({ hooks: { PreToolUse: [{ hooks: [command('a.sh'), { type: 'strange' }] }] } }));
    expect(await rows()).toMatchObject([
      { name: 'a.sh', proposal: 'leave', why: expect.stringContaining('ignores') as string },
      {},
    ]);
  });
});

describe('what the agent does not run', () => {
  it('is left: an entry with a wrong field', async () => {
    put(place.local, settings('Stop', { ...command('a.sh'), timeout: -1 }));
    expect(await rows()).toMatchObject([
      { proposal: 'leave', why: expect.stringContaining('timeout must be') as string },
    ]);
  });

  it('is left: all of them, where a file switches hooks off', async () => {
    put(place.local, settings('Stop', command('a.sh')));
    put(place.user, '{ "disableAllHooks": true }');
    expect(await rows()).toMatchObject([
      { proposal: 'leave', why: expect.stringMatching(/disableAllHooks/) as string },
    ]);
  });

  it('is told of, where a file is no JSON', async () => {
    put(place.local, `{ // mine\n${settings('Stop', command('a.sh')).slice(1)}`);
    expect(await world.run(adopt)).toBe(0);
    expect(world.printed.err).toMatch(/settings\.local\.json cannot be read, by the agent either: /);
  });
});

describe('adopting', () => {
  it('makes a rule of each file, whatever their names', async () => {
    const text = (name: string) => NO_RM.replace('no-rm', name);
    for (const [file, name] of Object.entries({ a: 'same', b: 'Same', c: 'x'.repeat(300), d: '../../out' }))
      rule(file, text(name));
    expect(await world.run(adopt, '--yes')).toBe(0);
    const made = readdirSync(join(place.project, '.fairlead/rules'));
    expect(made.toSorted()).toEqual(['Same-2.md', 'out.md', 'same.md', `${'x'.repeat(80)}.md`]);
    expect(await world.run(adopt, '--undo', '--yes')).toBe(0);
    expect(readdirSync(join(place.project, '.claude')).filter((name) => name.startsWith('hookify'))).toHaveLength(4);
    expect(existsSync(join(place.project, '.fairlead'))).toBe(false);
  });

  it('gives nothing back a second time that somebody brought back by hand', async () => {
    const before = put(place.local, settings('Stop', command('a.sh')));
    await world.run(adopt, '--yes');
    writeFileSync(place.local, before);
    await world.run(doctor);
    expect(world.printed.out).toMatch(/brought them back by hand/);
    expect(await world.run(adopt, '--yes')).toBe(0);
    expect(await world.run(adopt, '--undo', '--yes')).toBe(0);
    expect(read(place.local)).toBe(before);
    await world.run(adopt, '--yes');
    writeFileSync(place.local, before);
    expect(await world.run(adopt, '--undo', '--yes')).toBe(0);
    expect(read(place.local)).toBe(before);
    expect(readAdopted(nodeFiles, world.paths.state)).toEqual({ sets: [], rules: [] });
  });

  it('takes hooks out, keeps them, and gives every byte back', async () => {
    const before = put(place.local, `${settings('PreToolUse', command('a.sh'), 'Bash')}\n\n`);
    const own = put(place.user, MINE);
    expect(await world.run(adopt, '--yes')).toBe(0);
    expect(read(place.local)).not.toContain('a.sh');
    const { sets } = readAdopted(nodeFiles, world.paths.state);
    expect(sets.flatMap(({ hooks }) => hooks)).toMatchObject([{ name: 'a.sh', matcher: 'Bash' }, { name: 'mine.sh' }]);
    expect(statSync(join(world.paths.state, 'adopted.json')).mode & 0o777).toBe(0o600);
    expect(await rows()).toEqual([]);

    expect(await world.run(adopt, '--undo', '--yes')).toBe(0);
    expect([read(place.local), read(place.user)]).toEqual([before, own]);
    expect(readAdopted(nodeFiles, world.paths.state)).toEqual({ sets: [], rules: [] });
  });

  it('gives the bytes back of what was taken in two steps', async () => {
    const before = put(
      place.local,
      JSON.stringify({ hooks: { Stop: [{ hooks: [command('a.sh'), command('b.sh')] }] } }),
    );
    expect(await world.run(adopt, 'b.sh', '--yes')).toBe(0);
    expect(read(place.local)).toContain('a.sh');
    expect(await world.run(adopt, '1', '--yes')).toBe(0);
    expect(await world.run(adopt, '--undo', '--yes')).toBe(0);
    expect(read(place.local)).toBe(before);
  });

  it('gives hooks back to a file that was changed since, and says so', async () => {
    put(place.local, settings('Stop', command('a.sh')));
    await world.run(adopt, '--yes');
    writeFileSync(place.local, read(place.local).replace('{', '{ "model": "m",'));
    expect(await world.run(adopt, '--undo', '--yes')).toBe(0);
    expect(JSON.parse(read(place.local))).toEqual({ model: 'm', hooks: { Stop: [{ hooks: [command('a.sh')] }] } });
    expect(world.printed.err).toMatch(/was changed since: the hooks are back in it/);
  });

  it('makes rules of hookify files, trusted where the project is, and brings the files back', async () => {
    const before = rule('no-rm', NO_RM);
    const file = join(place.project, '.claude', 'hookify.no-rm.local.md');
    expect(await world.run(adopt, '--yes')).toBe(0);
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(join(place.project, '.fairlead', 'rules', 'no-rm.md'), 'utf8')).toMatch(/^action: block$/m);
    expect(world.printed.out).not.toMatch(/fairlead trust/);
    expect(await world.run(adopt, '--undo', '--yes')).toBe(0);
    expect(read(file)).toBe(before);
    expect(existsSync(join(place.project, '.fairlead'))).toBe(false);
  });

  it('keeps a rule that was changed since, and says so', async () => {
    rule('no-rm', NO_RM);
    await world.run(adopt, '--yes');
    const path = join(place.project, '.fairlead', 'rules', 'no-rm.md');
    writeFileSync(path, `${read(path)}Really.\n`);
    await world.run(adopt, '--undo', '--yes');
    expect(existsSync(path)).toBe(true);
    expect(world.printed.err).toMatch(/no-rm\.md was changed since, and stays/);
  });

  it('writes nothing where a person says no, where nobody can be asked, or where an agent would', async () => {
    const before = put(place.local, settings('Stop', command('a.sh')));
    const says = async (options: Parameters<InitPlace['world']>[0], ...args: string[]) => {
      const other = place.world(options);
      try {
        return await other.run(adopt, ...args);
      } catch (error) {
        return String(error);
      } finally {
        other.close();
      }
    };
    expect(await says({ answer: false })).toBe(1);
    expect(await says({})).toBe(2);
    expect(await says({ byAgent: true }, '--yes')).toMatch(/only a person adopts hooks/);
    expect(read(place.local)).toBe(before);
  });

  it('refuses what has to be left, and what is not there', async () => {
    put(place.local, settings('Stop', { type: 'http', url: 'http://127.0.0.1:1/' }));
    await expect(world.run(adopt, '1', '--yes')).rejects.toThrow(/has to be left: only the agent/);
    await expect(world.run(adopt, 'x', '--yes')).rejects.toThrow(/nothing here is "x"/);
  });

  it('measures in a copy of the project', async () => {
    put(place.local, settings('Stop', command('echo x >> "$CLAUDE_PROJECT_DIR"/trace')));
    const { found } = (await world.json(adopt, '--measure', '--yes')) as { found: readonly Record<string, unknown>[] };
    expect(found).toMatchObject([{ cost: expect.any(Number) as number }]);
    expect(existsSync(join(place.project, 'trace'))).toBe(false);
  });
});

describe('with others', () => {
  it('init offers it, and wires beside what was adopted', async () => {
    const before = put(place.local, settings('PreToolUse', command('a.sh')));
    await world.run(init, '--dry-run');
    expect(world.printed.out).toMatch(/fairlead adopt/);
    await world.run(adopt, '--yes');
    await world.run(init, '--yes');
    expect(read(place.local)).toContain('--adopted');
    expect(await world.run(uninstall, '--yes')).toBe(0);
    expect(JSON.parse(read(place.local))).toEqual(JSON.parse(before));
    expect(readAdopted(nodeFiles, world.paths.state).sets).toEqual([]);
  });

  it('uninstall gives back first, to the byte', async () => {
    const before = put(place.local, `${settings('PreToolUse', command('a.sh'))}\n`);
    await world.run(init, '--yes');
    await world.run(adopt, '--yes');
    expect(await world.run(uninstall, '--yes')).toBe(0);
    expect(read(place.local)).toBe(before);
  });

  it('doctor says when nobody calls what was adopted, and when what is called is not kept', async () => {
    put(place.local, settings('PreToolUse', command('a.sh')));
    await world.run(adopt, '--yes');
    const adopted = read(place.local);
    writeFileSync(place.local, '{}');
    const said = async () => JSON.stringify(await world.json(doctor));
    expect(await said()).toMatch(/does not call 1 hook any more that fairlead has adopted: a\.sh/);
    writeFileSync(place.local, adopted);
    expect(await said()).not.toMatch(/does not call 1 hook/);
    rmSync(join(world.paths.state, 'adopted.json'));
    expect(await said()).toMatch(/calls adopted hooks that are not kept here/);
  });
});
