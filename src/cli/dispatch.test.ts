import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GATED_VERBS } from '../event/gated-verbs.generated.ts';
import { columnsOf } from '../text/columns.ts';
import { CommandError, UsageError } from './command.ts';
import { dispatch, whereHelpIs } from './dispatch.ts';
import { plantProject } from './project.fixture.ts';
import type { PlantedProject } from './project.fixture.ts';
import { VERBS } from './verbs.generated.ts';

let project: PlantedProject;
beforeEach(() => {
  project = plantProject();
});
afterEach(() => project.remove());

/** What a command line prints; nobody is let through the gate. */
async function typed(line: string, columns = 80): Promise<string> {
  const world = project.world({ columns });
  await dispatch(line.split(' ').filter(Boolean), world, refuse);
  return world.printed.out;
}

function refuse({ verb }: { readonly verb: string }): void {
  if (GATED_VERBS.some((gated) => gated.verb === verb)) throw new CommandError(`refused: ${verb}`, 3);
}

describe('help', () => {
  it.each(['', '--help', '-h', 'help'])('"%s" shows about ten verbs, and fits', async (line) => {
    const out = await typed(line);
    const verbs = out.match(/^ {2}\S+/gm) ?? [];
    expect(verbs.length).toBeGreaterThan(8);
    expect(verbs.length).toBeLessThan(15);
    expect(out.split('\n').length).toBeLessThanOrEqual(30);
    expect(out).not.toMatch(/^ {2}(state|daemon|hook|mcp|message) /m);
    expect(out).toContain('fairlead help all');
  });

  it('leaves nothing behind', async () => {
    await typed('help');
    expect(existsSync(project.world().paths.state)).toBe(false);
  });

  it('shows the verbs of a pack once it is on', async () => {
    expect(await typed('')).not.toMatch(/^ {2}remind /m);
    project.putUser('config.yaml', 'packs: { context: on }\n');
    expect(await typed('')).toMatch(/^ {2}remind /m);
  });

  it.each(['', 'attention: { turn: 8000 }\n'])(
    'shows those of a pack that is on by itself where it has something, %j',
    async (config) => {
      if (config !== '') project.putUser('config.yaml', config);
      expect(await typed('')).not.toMatch(/^ {2}increment /m);
      project.putProject('.specweave/increments/0001-x/spec.md', '');
      expect(await typed('')).toMatch(/^ {2}increment /m);
    },
  );

  it('calls a project a project', async () => {
    // The state names its scopes as those who write rules do.
    for (const verb of Object.keys(VERBS).filter((name) => !name.startsWith('state ')))
      expect(await typed(`help ${verb}`), verb).not.toContain('workspace');
  });

  it.each([
    ['rules new', '`fairlead help rules new` explains it.\n'],
    ['log --al', '`fairlead help log` explains it.\n'],
    ['rules nwe x', '`fairlead help` lists the verbs; `fairlead help VERB` explains one.\n'],
    ['frob', '`fairlead help` lists the verbs; `fairlead help VERB` explains one.\n'],
  ])('after the mistake "%s" it is named', (line, expected) => {
    expect(whereHelpIs(line.split(' '))).toBe(expected);
  });

  it('all lists every verb that stays', async () => {
    const out = await typed('help all');
    for (const [verb, { now }] of Object.entries(VERBS))
      expect(new RegExp(`^ {2}${verb} `, 'm').test(out), verb).toBe(now === undefined);
  });

  it.each(['rules', 'help rules', 'rules --help', 'rules help', 'rules -h'])(
    '"%s" is about the group',
    async (line) => {
      const out = await typed(line);
      expect(out).toMatch(/^fairlead rules: /);
      expect(out).toMatch(/^ {2}rules new /m);
    },
  );

  it.each(['rules new --help', 'help rules new'])('"%s" is about the verb', async (line) => {
    expect(await typed(line)).toMatch(/^fairlead rules new: .*\n\nusage: fairlead rules new <name>/);
  });

  it.each(['-v', '-V', '--version', 'version'])('%s is the version', async (line) => {
    expect(await typed(line)).toMatch(/^\S+\n$/);
  });

  it.each([50, 80, 120])('of every verb fits %i columns, but for what cannot be broken', async (columns) => {
    for (const verb of [...Object.keys(VERBS), 'all']) {
      const out = await typed(`help ${verb}`, columns);
      // Lines that begin with a blank hold names, which are not broken.
      for (const line of out.split('\n').filter((each) => !each.startsWith(' ')))
        expect(columnsOf(line), line).toBeLessThanOrEqual(columns);
    }
  });
});

describe('what is not a verb', () => {
  it.each([
    ['lgo', 'log'],
    ['explian', 'explain'],
    ['expl', 'explain'],
    ['rule list', 'rules list'],
    ['rulez nwe', 'rules new'],
    ['rules lst', 'rules list'],
    ['rules sho guard/git', 'rules show'],
    ['graph calers x', 'graph callers'],
    ['list rules', 'rules list'],
    ['mode guard/git off', 'rules mode'],
    ['help lgo', 'log'],
  ])('%s: did you mean %s?', async (line, meant) => {
    const failed = typed(line);
    await expect(failed).rejects.toBeInstanceOf(UsageError);
    await expect(failed).rejects.toThrow(`did you mean "${meant}"?`);
  });

  it.each(['frobnicate', 'rules frobnicate'])('%s is like nothing', async (line) => {
    await expect(typed(line)).rejects.toThrow(/^no verb "[^"]*"$/);
  });
});

describe('mistakes come before the gate', () => {
  it.each([
    ['off --for soon', /--for takes a time/],
    ['off --nope', /--nope/],
    ['pause --session nope', /no session "nope"/],
    ['allow-once nope', /no decision "nope"/],
    ['allow-once --within never', /--within takes a time/],
    ['rules mode guard/gti off', /did you mean "guard\/git"/],
    ['rules mode guard/git of', /no mode "of"; did you mean "off"/],
    ['rules disable guard/gti', /did you mean "guard\/git"/],
    ['exception add guard/git', /give --for/],
    ['exception add guard/gti --for 1h', /did you mean "guard\/git"/],
    ['state clear', /say what to clear/],
    ['state clear --scope galaxy', /no scope is called "galaxy"/],
    ['trust nowhere', /no directory nowhere/],
    ['untrust nowhere', /no directory nowhere/],
    ['message edit guard/gti', /did you mean "guard\/git"/],
    ['message reset guard/git nope', /has no message "nope"/],
    ['uninstall --scope galaxy', /galaxy/],
    ['careful off --for 1h', /--for/],
    ['daemon stop now', /unexpected argument: now/],
    ['accept all', /unexpected argument: all/],
    ['packs off gaurd', /did you mean "guard"/],
    ['rules mode guard/git off --for soon', /--for takes a time/],
    ['rules mode guard/git ask --for 1h', /--for goes with off/],
    ['off --session nope', /no session "nope"/],
  ])('%s', async (line, mistake) => {
    await expect(typed(line)).rejects.toThrow(mistake);
  });

  it('every gated verb that is given words looks at them first', async () => {
    const unlooked: string[] = [];
    for (const { verb } of GATED_VERBS) {
      const { args, options = {}, check } = (await VERBS[verb]?.load()) ?? {};
      const takesWords = (args?.[1] ?? 0) > 0 || Object.values(options).some(({ type }) => type === 'string');
      if (takesWords && !check) unlooked.push(verb);
    }
    expect(unlooked).toEqual([]);
  });

  it('a gated verb with nothing wrong about it is refused', async () => {
    await expect(typed('off --for 1h')).rejects.toThrow('refused: off');
    await expect(typed('rules mode guard/git off')).rejects.toThrow('refused: rules mode');
  });
});
