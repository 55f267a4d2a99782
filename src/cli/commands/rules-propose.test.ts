import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../command.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { doctor } from './doctor.ts';
import { promote } from './rules-promote.ts';
import { propose } from './rules-propose.ts';
import { mode } from './rules-set.ts';
import { test } from './rules-test.ts';
import { list } from './rules-list.ts';

const TEXT = `# Project

- Use pnpm, not npm.
- Never edit \`generated/\`.
- Run the tests before a commit.
- Write clean code.
- Never use \`any\` without a reason.
`;

let project: PlantedProject;
beforeEach(() => void (project = plantProject()));
afterEach(() => project.remove());

const rulesDir = () => join(project.root, '.fairlead/rules');
const written = () => (existsSync(rulesDir()) ? readdirSync(rulesDir()).sort() : []);

interface Data {
  readonly written: boolean;
  readonly files: readonly { readonly file: string; readonly sentences: number }[];
  readonly rules: readonly {
    readonly id: string;
    readonly file: string;
    readonly replay?: { readonly fires: number };
  }[];
  readonly known: readonly unknown[];
  readonly unchecked: readonly { readonly sentence: string; readonly reason: string }[];
}
const data = async (...argv: readonly string[]) => (await project.world().json(propose, ...argv)) as unknown as Data;

describe('a sentence that was said', () => {
  const SENTENCE = 'Use pnpm, not npm.';

  it('gets the rule that a file would get, once, and is never lost', async () => {
    const { rules, written: isWritten } = await data('--said', SENTENCE, '--yes');
    expect([isWritten, rules.map(({ id }) => id)]).toEqual([true, ['project/no-npm']]);
    const again = await data('--said', SENTENCE, '--yes');
    expect([again.rules.length, again.known.length]).toEqual([0, 1]);
    expect(await project.world().run(test)).toBe(0);
    const at = project.world();
    await at.run(doctor);
    expect(at.printed.out).not.toContain('has lost its sentence');
  });

  it('is held against the same reasons', async () => {
    const { rules, unchecked } = await data('--said', 'Never use `any` without a reason.');
    expect([rules.length, unchecked.map(({ reason }) => reason)]).toEqual([0, ['conditional']]);
    await expect(data('--said', SENTENCE, 'AGENTS.md')).rejects.toThrow(UsageError);
  });
});

describe('rules propose', () => {
  it('shows all, asks, and writes rules in shadow that pass their examples', async () => {
    project.putProject('AGENTS.md', TEXT);
    const no = project.world({ answer: false });
    expect(await no.run(propose)).toBe(1);
    expect(no.asked).toEqual(['\nWrite 3 rules in shadow?']);
    expect(no.printed.out).toContain('AGENTS.md: 5 sentences that look like instructions, 3 new rules');
    expect(no.printed.out).toContain('project/no-npm  deny, command');
    expect(no.printed.out).toContain('line 3: Use pnpm, not npm.');
    expect(no.printed.out).toMatch(/Never use `any` without a reason\.\s+\(it depends on what no event tells\)/);
    expect(no.printed.out).toContain('1 sentence more: it says what to do');
    expect(written()).toEqual([]);

    const yes = project.world({ answer: true });
    expect(await yes.run(propose)).toBe(0);
    expect(written()).toEqual(['no-edit-generated.md', 'no-npm.md', 'tests-before-commit.md']);
    expect(readFileSync(join(rulesDir(), 'no-npm.md'), 'utf8')).toMatch(
      /source:\n {2}file: 'AGENTS.md'\n {2}sentence: 'Use pnpm, not npm.'\n {2}digest: '[0-9a-f]{16}'\n[\s\S]*mode: shadow\n/,
    );
    const tested = project.world();
    expect(await tested.run(test, 'project')).toBe(0);
    const listed = (await project.world().json(list)) as { rules: { id: string; mode: string }[] };
    expect(listed.rules.find(({ id }) => id === 'project/no-npm')?.mode).toBe('shadow');
  });

  it('a second time nothing is doubled, also where sentences moved and others came', async () => {
    project.putProject('AGENTS.md', TEXT);
    expect(await project.world().run(propose, '--yes')).toBe(0);
    expect(await data()).toMatchObject({ rules: [], known: [{}, {}, {}] });
    project.putProject('AGENTS.md', `${TEXT.split('\n').toReversed().join('\n')}\n- Never run \`make deploy\`.\n`);
    expect((await data('--yes')).rules.map(({ id }) => id)).toEqual(['project/no-make-deploy']);
    expect((await data()).rules).toEqual([]);
    expect(written()).toHaveLength(4);
  });

  it('writes nothing with --dry-run, with --json alone, and where nobody can be asked', async () => {
    project.putProject('AGENTS.md', TEXT);
    expect(await project.world({ answer: true }).run(propose, '--dry-run')).toBe(0);
    expect((await data()).written).toBe(false);
    expect(await project.world().run(propose)).toBe(2);
    expect(written()).toEqual([]);
  });

  it('a rule that an agent has written waits for a person', async () => {
    project.putProject('AGENTS.md', TEXT);
    const agent = project.world({ byAgent: true });
    expect(await agent.run(propose, '--yes')).toBe(0);
    expect(agent.printed.out).toContain('`fairlead trust`');
    const listed = (await project.world().json(list)) as { rules: { id: string }[]; skipped: string[] };
    expect(listed.rules.some(({ id }) => id === 'project/no-npm')).toBe(false);
    expect(listed.skipped).toContain('rules/no-npm.md');
  });

  it('reads what files take in, those of directories, and nothing outside of the project', async () => {
    project.putProject('CLAUDE.md', 'See @docs/rules.md and @../outside.md and `@docs/code.md`.\n');
    project.putProject('docs/rules.md', '- Never run `make deploy`.\n');
    project.putProject('docs/code.md', '- Never run `make code`.\n');
    writeFileSync(join(project.home, 'outside.md'), '- Never run `make outside`.\n');
    symlinkSync(join(project.home, 'outside.md'), join(project.root, 'docs/linked.md'));
    project.putProject('web/AGENTS.md', '- Never edit `src/vendored/`.\n');
    project.putProject('.cursor/rules/style.mdc', '---\nglobs: web/**\n---\n- No `console.log`.\n');
    project.putProject('.github/copilot-instructions.md', '- Never push to `main`.\n');
    project.putProject('node_modules/x/AGENTS.md', '- Never run `make x`.\n');
    const { files, rules } = await data();
    expect(files.map(({ file }) => file).sort()).toEqual([
      '.cursor/rules/style.mdc',
      '.github/copilot-instructions.md',
      'CLAUDE.md',
      'docs/rules.md',
      'web/AGENTS.md',
    ]);
    expect(rules.map(({ id }) => id).sort()).toEqual([
      'project/no-console-log',
      'project/no-edit-web-src-vendored',
      'project/no-make-deploy',
      'project/no-push-main',
    ]);
  });

  it('takes files that are named, for all projects with --user', async () => {
    const path = join(project.home, 'mine.md');
    writeFileSync(path, TEXT);
    const world = project.world();
    expect(await world.run(propose, path, '--user', '--yes')).toBe(0);
    expect(project.readUser('rules/no-npm.md')).toContain(`file: '${path}'`);
    await expect(world.run(propose, '--user')).rejects.toThrow(UsageError);
    await expect(world.run(propose, 'gone.md')).rejects.toThrow('no file gone.md');
  });

  it('says how often a rule would have spoken in your own sessions', async () => {
    const dir = join(project.home, '.claude/projects/-home-dev-project');
    mkdirSync(dir, { recursive: true });
    cpSync(new URL('../../../test/fixtures/replay/-home-dev-project/', import.meta.url), dir, { recursive: true });
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith('.jsonl'),
    )) {
      const text = readFileSync(join(dir, name), 'utf8');
      const now = new Date(Date.now() - 3_600_000).toISOString();
      writeFileSync(
        join(dir, name),
        text.replaceAll(/"timestamp":"[^"]+"/g, `"timestamp":"${now}"`).replaceAll('/home/dev/project', project.root),
      );
    }
    project.putProject('AGENTS.md', '- Never run `rm`.\n- Never run `terraform apply`.\n');
    const { rules } = await data();
    const fires = Object.fromEntries(rules.map(({ id, replay }) => [id, replay?.fires]));
    expect(fires['project/no-terraform-apply']).toBe(0);
    expect(fires['project/no-rm']).toBe(2);
    expect(written()).toEqual([]);
  });
});

describe('out of shadow', () => {
  beforeEach(async () => {
    project.putProject('AGENTS.md', TEXT);
    await project.world().run(propose, '--yes');
  });
  const modeOf = async () => {
    const { rules } = (await project.world().json(list)) as { rules: { id: string; mode: string }[] };
    return rules.find(({ id }) => id === 'project/no-npm')?.mode;
  };

  it('a rule comes by a yes to its sentence and examples', async () => {
    const no = project.world({ answer: false });
    expect(await no.run(promote, 'no-npm')).toBe(1);
    expect(no.asked).toEqual(['Is this what the sentence means?']);
    expect(no.printed.out).toMatch(/made of this sentence in AGENTS\.md:\n {2}Use pnpm, not npm\.\n {2}deny {2}npm\n/);
    expect(await modeOf()).toBe('shadow');
    const yes = project.world({ answer: true });
    expect(await yes.run(promote, 'no-npm')).toBe(0);
    expect(yes.asked).toEqual(['Is this what the sentence means?', '\nRaise project/no-npm from shadow to advise?']);
    expect(await modeOf()).toBe('advise');
    const further = project.world({ answer: true });
    await further.run(promote, 'no-npm');
    expect(further.asked, 'once is enough').toEqual(['\nRaise project/no-npm from advise to ask?']);
  });

  it.each([
    ['with --yes', promote, ['no-npm', '--yes'], { answer: true }],
    ['for a script', promote, ['no-npm', '--yes', '--json'], {}],
    ['for an agent', promote, ['no-npm'], { answer: true, byAgent: true }],
    ['where nobody is', promote, ['no-npm'], {}],
    ['by its mode, for an agent', mode, ['no-npm', 'enforce'], { answer: true, byAgent: true }],
    ['by its mode, where nobody is', mode, ['no-npm', 'enforce'], {}],
  ] as const)('it does not come %s', async (_, verb, argv, options) => {
    await expect(project.world(options).run(verb, ...argv)).rejects.toThrow('yes to it alone');
    expect(await modeOf()).toBe('shadow');
  });

  it('`rules mode` asks the same', async () => {
    expect(await project.world({ answer: false }).run(mode, 'no-npm', 'enforce')).toBe(1);
    expect(await modeOf()).toBe('shadow');
    expect(await project.world({ answer: true }).run(mode, 'no-npm', 'enforce')).toBe(0);
    expect(await modeOf()).toBe('enforce');
    expect(await project.world().run(mode, 'no-npm', 'off')).toBe(0);
  });
});

describe('doctor', () => {
  const lost = async () => {
    const { sections } = (await project.world().json(doctor)) as {
      sections: { title: string; findings: { what: string; next: string }[] }[];
    };
    const all = sections.find(({ title }) => title === 'Rules')?.findings ?? [];
    return all.filter(({ what }) => what.includes('lost its sentence'));
  };

  it('names rules whose sentence is gone, and not those whose sentence has moved', async () => {
    project.putProject('AGENTS.md', TEXT);
    await project.world().run(propose, '--yes');
    expect(await lost()).toEqual([]);
    project.putProject('AGENTS.md', `# Other\n\nWords.\n\n${TEXT.split('\n').toReversed().join('\n')}`);
    expect(await lost()).toEqual([]);
    project.putProject('AGENTS.md', TEXT.replace('Use pnpm, not npm.', 'Use yarn, not npm.'));
    const [one, ...others] = await lost();
    expect(others).toEqual([]);
    expect(one?.what).toBe('project/no-npm has lost its sentence: AGENTS.md no longer says “Use pnpm, not npm.”');
    expect(one?.next).toContain('fairlead rules propose AGENTS.md');
    expect(one?.next).toContain('fairlead rules mode project/no-npm off');
    rmSync(join(project.root, 'AGENTS.md'));
    expect((await lost()).map(({ what }) => what)).toHaveLength(3);
  });
});
