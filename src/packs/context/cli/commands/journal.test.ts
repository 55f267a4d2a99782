import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandError, UsageError } from '../../../../cli/command.ts';
import { plantProject } from '../../../../cli/project.fixture.ts';
import type { PlantedProject } from '../../../../cli/project.fixture.ts';
import { plantFile, recordedTranscript, recordsDir } from '../transcripts.fixture.ts';
import type { FakeWorld } from '../../../../cli/world.fixture.ts';
import { enrich, export as exportVerb, status } from './journal.ts';

const FIRST = '0f68c7f7-fe9b-4800-b908-f82c011fb072';
const SECOND = 'eab9014a-3fa8-41cc-b748-026dc3d11d95';

let project: PlantedProject;
let world: FakeWorld;
let journal: string;
beforeEach(() => {
  project = plantProject();
  mkdirSync(join(project.root, '.context'));
  world = project.world();
  journal = join(project.root, '.context', 'journal');
});
afterEach(() => project.remove());

function plant(session: string, name = 'transcript.jsonl', cwd = project.root): string {
  return plantFile(join(recordsDir(project.home, cwd), `${session}.jsonl`), recordedTranscript(name, cwd, session));
}

const entries = () => (existsSync(journal) ? readdirSync(journal).filter((name) => name.endsWith('.md')) : []);
const entry = (session = FIRST) => entries().find((name) => name.endsWith(`-${session.slice(0, 8)}.md`)) ?? 'none';
const textOf = (name = entry()) => readFileSync(join(journal, name), 'utf8');
const index = () =>
  JSON.parse(readFileSync(join(journal, '.state.json'), 'utf8')) as {
    version: number;
    entries: Record<string, Record<string, unknown>>;
  };

async function said(command: typeof enrich, ...args: readonly string[]): Promise<string> {
  world.printed.out = '';
  await world.run(command, ...args);
  return world.printed.out;
}

describe('an entry', () => {
  it('has what the session was, and its prompts, answers and calls without their output', async () => {
    plant(FIRST, 'transcript.commands.jsonl');
    expect(await said(exportVerb)).toMatch(/^new {6}\d{4}-11-15-\d{4}-0f68c7f7\.md {2}2 prompts\n$/);
    const text = textOf();
    expect(text).toMatch(
      new RegExp(
        `^---\nsession: "${FIRST}"\nstarted: 2026-11-15T12:42:33.807Z\nended: 2026-11-15T12:42:3[56].*Z\nbranch: main\nmodel: claude-opus-5-5\nprompts: 2\ntokens: 100\nenriched: false\n---\n\n## Prompt 1, \\d\\d:42\n\n/zones twice\n\n- Read \`src/zones.js\`\n- Grep \`ZONES in src\`\n- Read \`src/rates.js\`\n- Edit \`src/rates.js\`\n- Bash \`cd src && node --check rates.js\`\n\n\\*\\*Answer\\*\\*\n\nWe ship`,
      ),
    );
    expect(text).toMatch(/\n\n<!-- notes -->\n$/);
    expect(text).not.toContain('File does not exist');
    expect(text).not.toContain('const ZONES');
  });

  it('masks secrets in prompts, answers and commands', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    plantFile(
      join(recordsDir(project.home, project.root), `${FIRST}.jsonl`),
      recordedTranscript('transcript.jsonl', project.root, FIRST)
        .replaceAll('Please tidy up', `With ${secret} please tidy up`)
        .replaceAll('All done.', `All done with ${secret}.`)
        .replace('echo 1 failed; exit 3', `curl -H 'Authorization: Bearer ${secret}' x`),
    );
    await world.run(exportVerb);
    expect(textOf()).toContain('please tidy up');
    expect(textOf()).not.toContain(secret);
  });

  it('keeps what its readers wrote, also in the front matter', async () => {
    const transcript = plant(FIRST);
    await world.run(exportVerb);
    const path = join(journal, entry());
    writeFileSync(
      path,
      `${textOf().replace('enriched: false', 'enriched: true\ntags:\n  - math\n  - tidy').replace('All done.', 'changed')}\nMy note.\n`,
    );
    appendFileSync(transcript, recordedTranscript('transcript.commands.jsonl', project.root, FIRST));
    expect(await said(exportVerb)).toContain('updated');
    const text = textOf();
    expect(text).toContain('enriched: true\ntags:\n  - math\n  - tidy\n---\n');
    expect(text).toContain('All done.');
    expect(text).toContain('prompts: 3\n');
    expect(text).toMatch(/<!-- notes -->\n\nMy note\.\n$/);
    expect(entries()).toHaveLength(1);
  });

  it('does not end where a prompt looks like its notes, or leaves a code block open', async () => {
    plantFile(
      join(recordsDir(project.home, project.root), `${FIRST}.jsonl`),
      recordedTranscript('transcript.jsonl', project.root, FIRST).replaceAll(
        'Please tidy up the math functions',
        String.raw`a\n<!-- notes -->\nb\n\`\`\`js\nlet x`.replaceAll('\\`', '`'),
      ),
    );
    await world.run(exportVerb);
    appendFileSync(join(journal, entry()), 'mine\n');
    await world.run(exportVerb, '--session', FIRST);
    expect(textOf()).toMatch(/<!-- notes -->\nmine\n$/);
    expect(textOf().match(/^<!-- notes -->$/gm)).toHaveLength(1);
    expect(textOf()).toContain('```js\nlet x\n```\n');
  });

  it.each<[string, (path: string) => void]>([
    ['without its mark', (path) => writeFileSync(path, 'all mine\n')],
    ['write-protected', (path) => chmodSync(path, 0o444)],
  ])('%s is left alone', async (_, change) => {
    plant(FIRST);
    await world.run(exportVerb);
    const path = join(journal, entry());
    change(path);
    const before = readFileSync(path, 'utf8');
    expect(await said(exportVerb, '--session', FIRST)).toMatch(/^kept /);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});

describe('an export', () => {
  it('writes nothing the second time', async () => {
    plant(FIRST);
    plant(SECOND, 'transcript.compacted.jsonl');
    await world.run(exportVerb);
    const before = readdirSync(journal).map((name) => [
      name,
      statSync(join(journal, name)).mtimeMs,
      statSync(join(journal, name)).ino,
    ]);
    expect(before).toHaveLength(3);
    expect(await said(exportVerb, '--all')).toBe('Nothing new: the journal has 2 sessions.\n');
    expect(
      readdirSync(journal).map((name) => [
        name,
        statSync(join(journal, name)).mtimeMs,
        statSync(join(journal, name)).ino,
      ]),
    ).toEqual(before);
  });

  it('takes one session by the beginning of its id', async () => {
    plant(FIRST);
    plant(SECOND);
    await world.run(exportVerb, '--session', 'eab9');
    expect(entries()).toEqual([entry(SECOND)]);
  });

  it('leaves out sub-agents, and writes no file for a session in which nothing was said', async () => {
    const dir = recordsDir(project.home, project.root);
    plantFile(
      join(dir, 'agent-a5b2c207ed3dcebe4.jsonl'),
      recordedTranscript('transcript.subagent.jsonl', project.root, FIRST),
    );
    plantFile(
      join(dir, FIRST, 'subagents', 'agent-a5b2c207ed3dcebe4.jsonl'),
      recordedTranscript('transcript.subagent.jsonl', project.root, FIRST),
    );
    plantFile(
      join(dir, `${SECOND}.jsonl`),
      recordedTranscript('transcript.jsonl', project.root, SECOND).split('\n').slice(0, 2).join('\n'),
    );
    expect(await said(exportVerb, '--json')).toContain('"empty"');
    expect(entries()).toEqual([]);
    expect(await said(exportVerb)).toBe('Nothing new: the journal has 1 session.\n');
  });

  it('keeps projects apart, also those whose places look alike', async () => {
    const sibling = `${project.root}-two`;
    const nested = join(project.root, 'packages/inner');
    const below = join(project.root, 'src');
    mkdirSync(join(nested, '.context'), { recursive: true });
    plant(FIRST, 'transcript.jsonl', below);
    plant('aaaaaaaa-1', 'transcript.jsonl', sibling);
    plant('bbbbbbbb-1', 'transcript.jsonl', nested);
    // The same place as the project's own, though it is another directory.
    plantFile(
      join(recordsDir(project.home, project.root), 'cccccccc-1.jsonl'),
      recordedTranscript('transcript.jsonl', project.root.replace(/-(?=[^-]*$)/, '_'), 'cccccccc-1'),
    );
    await world.run(exportVerb);
    expect(entries()).toEqual([entry(FIRST)]);
    expect(entries()).toHaveLength(1);
    await expect(world.run(exportVerb, '--session', 'cccccccc')).resolves.toBe(1);
  });

  it('respects that an entry was removed, until the session is named', async () => {
    plant(FIRST);
    await world.run(exportVerb);
    rmSync(join(journal, entry()));
    await world.run(exportVerb);
    expect(entries()).toEqual([]);
    await world.run(exportVerb, '--session', FIRST);
    expect(entries()).toHaveLength(1);
  });

  it("understands another program's index, and leaves its fields and entries alone", async () => {
    const theirs = {
      version: 1,
      entries: {
        '2026-11-15-quiet-allen-0f68c7f7.md': {
          exported: '2999-01-01',
          enriched: '2026-11-16',
          normalized: '2026-11-15',
        },
      },
    };
    plantFile(join(journal, '.state.json'), JSON.stringify(theirs));
    plantFile(join(journal, '2026-11-15-quiet-allen-0f68c7f7.md'), 'theirs\n');
    plant(FIRST);
    plant(SECOND);
    await world.run(exportVerb);
    expect(readFileSync(join(journal, '2026-11-15-quiet-allen-0f68c7f7.md'), 'utf8')).toBe('theirs\n');
    expect(entries()).toHaveLength(2);
    expect(index().entries).toMatchObject(theirs.entries);
    expect(index().entries[entry(SECOND)]).toMatchObject({ session: SECOND, bytes: statSync(plant(SECOND)).size });
  });

  it('says so when the index is damaged, and does not write over it', async () => {
    plantFile(join(journal, '.state.json'), '{"version":1,');
    plant(FIRST);
    await expect(world.run(exportVerb)).rejects.toThrow(/no index/);
    expect(entries()).toEqual([]);
  });

  it('does not follow a link out of the project', async () => {
    mkdirSync(join(project.home, 'outside'));
    symlinkSync(join(project.home, 'outside'), journal);
    plant(FIRST);
    await expect(world.run(exportVerb)).rejects.toThrow(CommandError);
    expect(readdirSync(join(project.home, 'outside'))).toEqual([]);
  });

  it('neither reads nor changes an index or an entry that lies elsewhere', async () => {
    const settings = join(project.home, 'settings.json');
    writeFileSync(settings, '{"theirs":1}');
    plantFile(join(journal, 'a.md'), 'text');
    symlinkSync(settings, join(journal, '.state.json'));
    plant(FIRST);
    const elsewhere = /is a link to .*settings\.json, outside the project/;
    await expect(world.run(exportVerb)).rejects.toThrow(elsewhere);
    await expect(world.run(enrich, 'a.md', '--done')).rejects.toThrow(elsewhere);
    await expect(world.run(status)).rejects.toThrow(elsewhere);
    expect(readFileSync(settings, 'utf8')).toBe('{"theirs":1}');
  });

  it.each<[string, readonly string[], new (...args: never[]) => Error]>([
    ['an unknown session', ['--session', 'ffff'], UsageError],
    ['both options', ['--all', '--session', '0f68'], UsageError],
  ])('refuses %s', async (_, args, kind) => {
    plant(FIRST);
    await expect(world.run(exportVerb, ...args)).rejects.toThrow(kind);
  });

  it('wants a .context directory', async () => {
    rmSync(join(project.root, '.context'), { recursive: true });
    await expect(world.run(exportVerb)).rejects.toThrow(/no \.context/);
  });

  it('holds little of a transcript of 50 MB, and writes 200 KB at most', async () => {
    const path = plant(FIRST);
    const lines = recordedTranscript('transcript.jsonl', project.root, FIRST).trimEnd().split('\n');
    const result = (lines.find((line) => line.includes('"tool_result"')) ?? '').replace(
      /"content":"1\\t[^"]*"/,
      `"content":"${'x'.repeat(400_000)}"`,
    );
    const more = lines
      .filter((line) => !line.includes('"tool_result"'))
      .join('\n')
      .replaceAll('All done.', `All done. ${'Well. '.repeat(500)}`);
    const file = openSync(path, 'a');
    for (let written = 0; written < 50 << 20; written += 430_000) writeSync(file, `${result}\n${more}\n`);
    closeSync(file);
    expect(statSync(path).size).toBeGreaterThan(50 << 20);
    globalThis.gc?.();
    const before = process.memoryUsage();
    await world.run(exportVerb);
    const after = process.memoryUsage();
    // What is read whole is there twice, as bytes and as text; what was not collected yet counts too.
    expect(after.rss - before.rss).toBeLessThan(95 << 20);
    const text = textOf();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200 << 10);
    expect(text).toContain('are left out here');
    expect(text).toContain('## Prompt 1,');
    expect(text).toContain(`## Prompt ${/^prompts: (\d+)$/m.exec(text)?.[1]},`);
  });
});

describe('enrichment', () => {
  it('lists what is left, and marks what is done in index and file', async () => {
    plant(FIRST);
    plant(SECOND);
    await world.run(exportVerb);
    expect(await said(enrich)).toBe(`${entries().join('\n')}\n`);
    expect(await said(enrich, entry())).toContain(`fairlead journal enrich ${entry()} --done`);
    await world.run(enrich, join(journal, entry()), '--done');
    expect(textOf()).toContain('\nenriched: true\n');
    expect(index().entries[entry()]?.['enriched']).toMatch(/^\d{4}-/);
    expect(await said(enrich)).toBe(`${entry(SECOND)}\n`);
    expect(await said(enrich, entry(), '--done', '--json')).toContain('"enriched"');
    appendFileSync(plant(FIRST), recordedTranscript('transcript.commands.jsonl', project.root, FIRST));
    await world.run(exportVerb);
    expect(await said(enrich)).toBe(`${entry(SECOND)}\n`);
  });

  it.each([[['nothing-like-it']], [['--done']]])('refuses %j', async (args) => {
    plant(FIRST);
    await world.run(exportVerb);
    await expect(world.run(enrich, ...args)).rejects.toThrow(UsageError);
  });
});

it('status counts what waits, without the session that runs', async () => {
  plant(FIRST);
  plant(SECOND);
  await world.run(exportVerb, '--session', FIRST);
  expect(await said(status)).toMatch(/^1 session in the journal, 1 of them not enriched; 1 not exported\n/);
  world = project.world({ env: { CLAUDE_CODE_SESSION_ID: SECOND } });
  expect(JSON.parse(await said(status, '--json'))).toMatchObject({ entries: 1, unexported: 0, unenriched: 1 });
});
