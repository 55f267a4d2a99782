import { describe, expect, it } from 'vitest';
import type { Answer, World } from '../world.fixture.ts';
import { B, OTHER, page, PANEL, PRINTED } from './drawings.fixture.ts';
import { ON, withOptions, world, ran } from './pack-world.fixture.ts';

/** A write that goes through when nothing stops it. */
async function write(to: World, text: string, path = 'docs/a.md'): Promise<Answer> {
  const answer = await to.before('Write', { file_path: `${to.root}/${path}`, content: text });
  if (answer.action === 'pass') to.put(path, text);
  return answer;
}

async function edit(to: World, old: string, text: string, path = 'docs/a.md'): Promise<Answer> {
  const answer = await to.before('Edit', { file_path: `${to.root}/${path}`, old_string: old, new_string: text });
  if (answer.action === 'pass') to.put(path, to.read(path).replace(old, text));
  return answer;
}

let calls = 0;

/** A command that changes files: what is said before it, and after it. */
async function run(to: World, command: string, files: Readonly<Record<string, string>>, stdout = ''): Promise<Answer> {
  const id = { tool_use_id: `run-${(calls += 1)}` };
  const before = await to.before('Bash', { command }, id);
  if (before.action !== 'pass') return before;
  for (const [path, text] of Object.entries(files)) to.put(path, text);
  return ran(to, command, stdout, id);
}

const FENCE = `\`\`\`\n${OTHER}\n\`\`\`\n`;
const OLD = `# Page\n\nTop.\n\n${FENCE}\nEnd.\n`;

describe('an old drawing that is taken out and put back', () => {
  it('is old after it was cut with its fence', async () => {
    const here = world({ files: { 'docs/a.md': OLD } });
    expect((await edit(here, FENCE, '')).action).toBe('pass');
    expect((await edit(here, 'End.\n', `End.\n\n${FENCE}`)).action).toBe('pass');
    expect((await edit(here, 'Top.\n', `Top.\n\n\`\`\`\n${B}\n\`\`\`\n`)).action).toBe('deny');
  });

  it('is old after a word stood in its place', async () => {
    const here = world({ files: { 'docs/a.md': OLD } });
    expect((await edit(here, OTHER, '(see below)')).action).toBe('pass');
    expect((await edit(here, '(see below)', OTHER)).action).toBe('pass');
  });

  it('is old after a write, or a command, without it', async () => {
    const here = world({ files: { 'docs/a.md': OLD, 'docs/b.md': OLD } });
    expect((await write(here, '# Page\n')).action).toBe('pass');
    expect((await write(here, OLD)).action).toBe('pass');
    const plain = "cat > docs/b.md <<'EOF'\n# Page\nEOF";
    expect((await run(here, plain, { 'docs/b.md': '# Page\n' })).action).toBe('pass');
    expect((await write(here, OLD, 'docs/b.md')).action).toBe('pass');
    expect((await write(here, page(B), 'docs/b.md')).action).toBe('deny');
  });

  it('is remembered only where there was one: other writes leave nothing behind, and a new file is not read', async () => {
    const here = world({ files: { 'docs/plain.md': '# Plain\n', 'docs/big.md': 'x'.repeat(2 * 1024 * 1024 + 1) } });
    await write(here, '# Other\n', 'docs/plain.md');
    expect(here.work.open.filter((path) => path.endsWith('docs/plain.md'))).toHaveLength(1);
    await write(here, '# New\n', 'docs/new.md');
    await write(here, '# Small\n', 'docs/big.md');
    expect(here.work.open.filter((path) => /docs\/(?:new|big)\.md$/.test(path))).toEqual([]);
    await edit(here, 'Other', 'Another', 'docs/plain.md');
    expect(here.work.open.filter((path) => path.endsWith('docs/plain.md'))).toHaveLength(1);
    expect(here.cells('diagrams.baseline')).toEqual({});
    expect(here.cells('diagrams.files')).toEqual({});
  });
});

describe('what a command printed of its own text', () => {
  const lines = OTHER.split('\n');
  it.each([
    ['printf with a line for each word', `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}`],
    ['echo with escapes', `echo -e '${lines.join('\\n')}'`],
    ['an echo for each line', lines.map((line) => `echo "${line}"`).join('; ')],
    ['a program with escapes', `python3 -c "print('${lines.join('\\n')}')"`],
    [
      'characters by number',
      `printf '${OTHER.replaceAll(/[^ -~]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`).replaceAll('\n', '\\n')}\\n'`,
    ],
  ])('is no quotation: %s', async (_how, command) => {
    for (const config of [ON, withOptions('provenance: require')]) {
      const here = world({ config });
      await ran(here, command, `${OTHER}\n`);
      expect((await write(here, page(OTHER))).action).toBe('deny');
      expect(here.cells('diagrams.output')).toEqual({});
    }
  });

  it('is one where the command holds only a part of the line', async () => {
    const here = world();
    await ran(here, `npm test | grep -A2 '╭──'`, PANEL);
    expect((await write(here, page(PANEL))).action).toBe('pass');
  });

  it('is one when the run failed, and not when that was a diagram tool', async () => {
    const here = world();
    await here.failed('Bash', { command: 'npm test' }, `Exit code 1\n${PANEL}`);
    expect((await write(here, page(PANEL))).action).toBe('pass');
    await here.failed('Bash', { command: 'graph-easy --as=boxart in.txt' }, `Exit code 2\n${PRINTED}`);
    expect((await write(here, page(PRINTED), 'docs/b.md')).action).toBe('deny');
    expect(here.cells('diagrams.flag')).toEqual({});
  });
});

describe('a command that runs the tool and places what it drew', () => {
  const draw = `echo '[A] -> [T]' | graph-easy --as=boxart`;
  it.each([
    ['copies a file', `${draw} > d4.txt; cat d4.txt; cp d4.txt docs/p.md`, PRINTED],
    [
      'runs a program',
      `${draw} > d2.txt && python3 - <<EOF\nopen('docs/p.md','w').write(open('d2.txt').read())\nEOF`,
      '',
    ],
    ['fills a text', `cat > docs/p.md <<EOF\n# P\n\n$(${draw})\nEOF`, ''],
    ['keeps it in a variable', `D=$(${draw}); printf '%s\\n' "$D" >> docs/p.md`, ''],
  ])('is not called hand-made: it %s', async (_how, command, stdout) => {
    expect((await run(world(), command, { 'docs/p.md': page(OTHER) }, stdout)).stdout).toBe('');
  });

  it.each([
    ['names it only', `echo graph-easy; cp d.txt docs/p.md`],
    ['asks about it', `graph-easy --version; cp d.txt docs/p.md`],
    ['loads a local file', 'curl -s file:///srv/d.txt -o docs/p.md'],
    ['loads it below a directory', 'curl -s --output-dir docs -o p.md file:///srv/d.txt'],
  ])('is, where it %s', async (_how, command) => {
    expect((await run(world(), command, { 'docs/p.md': page(OTHER) })).note).toContain('into docs/p.md');
  });
});

describe('what is said', () => {
  it('names the sources that are set', async () => {
    const config = withOptions('sources: [foo]');
    const denied = await write(world({ config }), page(B));
    const copied = await run(world({ config }), 'cp d.txt docs/p.md', { 'docs/p.md': page(B) });
    const written = async (here: World, text: string) => {
      const input = { file_path: here.put('docs/a.md', text), content: text };
      await here.before('Write', { ...input, file_path: `${here.root}/docs/b.md` }, { tool_use_id: 'w' });
      return here.after('Write', input, {}, { tool_use_id: 'w' });
    };
    const advised = await written(world({ config: withOptions('sources: [foo], mode: advise') }), page(B));
    const drawing = world({ config });
    await ran(drawing, 'graph-easy in.txt', PRINTED);
    const reminded = await written(drawing, page(PRINTED));
    for (const text of [denied.reason, copied.note, advised.note, reminded.note]) {
      expect(text).toContain('<summary>foo source</summary>');
      expect(text).toContain('```foo fence');
      expect(text).not.toMatch(/graph-easy source|mermaid/);
    }
  });

  it.each([
    ['[]', '`<!-- diagram-source: PATH -->`'],
    ['["my tool"]', '<summary>my tool source</summary>'],
    ['[dot, Mermaid]', '```mermaid fence'],
  ])('with sources %s offers %s', async (sources, offer) => {
    const { reason } = await write(world({ config: withOptions(`sources: ${sources}`) }), page(B));
    expect(reason).toContain(offer);
    expect(reason).not.toContain('graph-easy source');
  });

  it.each([`docs/${'deep/'.repeat(40)}file-name.md`, 'docs/a.md'])(
    'reminds in 200 characters and the whole path of %s',
    async (path) => {
      const here = world();
      await ran(here, 'graph-easy in.txt', PRINTED);
      const input = { file_path: `${here.root}/${path}`, content: page(PRINTED) };
      await here.before('Write', input, { tool_use_id: 'w' });
      const { note } = await here.after('Write', input, {}, { tool_use_id: 'w' });
      expect(note).toContain(path);
      expect(note.replace(path, '').length).toBeLessThanOrEqual(200);
    },
  );

  it('tells a marker without a reason from one whose reason is too short, in at most 600 characters beside the paths', async () => {
    const marked = (reason: string) => page(`<!-- fairlead: diagram-ok${reason} -->`, B);
    const long = `docs/${'deep/'.repeat(40)}a.md`;
    const none = await write(world(), marked(''), long);
    const short = await write(world(), marked(' old'), long);
    expect(none.reason).toContain('the marker there has none');
    expect(short.reason).toContain('the marker there is too short');
    const here = world();
    await ran(here, 'npm test', PANEL);
    const crowded = `<!-- fairlead: diagram-ok-file old -->\n${Array.from({ length: 9 }, () => `\n## Part\n\n${OTHER}\n`).join('')}`;
    const other = `docs/${'wide/'.repeat(40)}b.md`;
    const most = await run(here, [long, other].map((path) => `cat > ${path} <<'EOF'\n${crowded}EOF`).join('\n'), {});
    expect(most.reason).toContain('126 lines of it came from no tool');
    for (const { reason } of [none, short, most])
      expect(reason.replaceAll(long, '').replaceAll(other, '').length).toBeLessThanOrEqual(600);
  });

  it('names every file of a command, or counts them', async () => {
    const into = (...paths: string[]) => paths.map((path) => `cat > ${path} <<'EOF'\n${B}\nEOF`).join('\n');
    const two = await run(world(), into('docs/a.md', 'docs/b.md'), {});
    expect(two.reason).toMatch(/docs\/a\.md, lines 1-3, and docs\/b\.md: 4 boxes/);
    const three = await run(world(), into('docs/a.md', 'docs/b.md', 'docs/c.md'), {});
    expect(three.reason).toMatch(/docs\/a\.md, lines 1-3, and 2 more files: 6 boxes/);
  });
});

describe('forms of a text', () => {
  it.each([
    ['MDX comment', page('{/* fairlead: diagram-ok drawn in a meeting */}', B), 'docs/a.mdx', 'pass'],
    ['MDX comment for the file', page('{/* fairlead: diagram-ok-file from the old wiki */}', B), 'docs/a.mdx', 'pass'],
    ['MDX comment with a file', page(B, '{/* diagram-source: d/a.d2 */}'), 'docs/a.mdx', 'pass'],
    ['MDX comment with a missing file', page(B, '{/* diagram-source: d/b.d2 */}'), 'docs/a.mdx', 'deny'],
    [
      'MDX comment that goes on',
      `{/* open\n\nfairlead: diagram-ok drawn in a meeting -->\n\n${B}\n`,
      'docs/a.mdx',
      'deny',
    ],
    ['code in pre', `<pre><code>${B}</code></pre>\n`, 'docs/a.md', 'deny'],
    ['labelled code in pre', `<pre>\n<code class="box"><span>${B}\n</span></code>\n</pre>\n`, 'docs/a.md', 'deny'],
  ])('%s', async (_what, text, path, action) => {
    expect((await write(world({ files: { 'd/a.d2': 'a -> b' } }), text, path)).action).toBe(action);
  });

  it('an MDX file is offered comments of its own', async () => {
    const { reason } = await write(world(), page(B), 'docs/a.mdx');
    expect(reason).toContain('`{/* fairlead: diagram-ok REASON */}`');
    expect(reason).not.toContain('<!--');
  });

  it('the tags of code are no part of what a tool printed', async () => {
    const here = world();
    await ran(here, 'graph-easy in.txt', OTHER);
    await here.pass(60_000);
    expect((await write(here, `<pre><code>${OTHER}</code></pre>\n`)).action).toBe('pass');
  });

  it('bytes that a command tells by number are characters', async () => {
    const bytes = (text: string) =>
      [...new TextEncoder().encode(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
    expect((await run(world(), `printf '${bytes(OTHER)}\\n' > docs/a.md`, {})).action).toBe('deny');
    expect((await run(world(), `printf 'caf\\xc3\\xa9\\n' > docs/a.md`, {})).action).toBe('pass');
  });
});
