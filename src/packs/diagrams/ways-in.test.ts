import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer, World } from '../world.fixture.ts';
import { B, OTHER, page, source } from './drawings.fixture.ts';
import { world, write } from './pack-world.fixture.ts';

function edit(to: World, old: string, text: string, more: object = {}, path = 'docs/a.md'): Promise<Answer> {
  return to.before('Edit', { file_path: `${to.root}/${path}`, old_string: old, new_string: text, ...more });
}

const shell = (to: World, command: string) => to.before('Bash', { command });

describe('every way into a file', () => {
  it('edits that form a drawing together', async () => {
    const here = world({ files: { 'docs/a.md': '# Page\n\ntop\nmiddle\nbottom\n' } });
    const [top, middle, bottom] = B.split('\n') as [string, string, string];
    const edits = [
      { old_string: 'top', new_string: `${top}\n${middle}` },
      { old_string: 'middle\nbottom', new_string: bottom },
    ];
    const file_path = `${here.root}/docs/a.md`;
    expect((await here.before('MultiEdit', { file_path, edits: edits.slice(0, 1) })).action).toBe('pass');
    expect((await here.before('MultiEdit', { file_path, edits })).action).toBe('deny');
  });

  it.each([
    ['Markdown by the payload', { cell_type: 'markdown', edit_mode: 'insert' }, 'deny'],
    ['code by the payload', { cell_type: 'code', edit_mode: 'insert' }, 'pass'],
    ['Markdown by the notebook', { cell_id: 'text' }, 'deny'],
    ['code by the notebook', { cell_id: 'code' }, 'pass'],
    ['Markdown by its place', { cell_id: 'cell-0' }, 'deny'],
    ['a cell that is not there', { cell_id: 'none' }, 'pass'],
  ])('a cell of a notebook, %s', async (_, fields, action) => {
    const cells = [
      { id: 'text', cell_type: 'markdown', source: ['# Title\n'] },
      { id: 'code', cell_type: 'code', source: 'x = 1' },
    ];
    const here = world({ files: { 'n.ipynb': JSON.stringify({ cells }) } });
    const input = { notebook_path: `${here.root}/n.ipynb`, new_source: B, ...fields };
    expect((await here.before('NotebookEdit', input)).action).toBe(action);
  });

  it('a drawing that the cell has already', async () => {
    const cells = [{ id: 'text', cell_type: 'markdown', source: B.split(/(?<=\n)/) }];
    const here = world({ files: { 'n.ipynb': JSON.stringify({ cells }) } });
    const input = { notebook_path: `${here.root}/n.ipynb`, cell_id: 'text', new_source: `# More\n\n${B}` };
    expect((await here.before('NotebookEdit', input)).action).toBe('pass');
  });

  it.each([
    `cat > docs/a.md <<'EOF'\n${B}\nEOF`,
    `tee -a docs/a.md <<EOF\n${B}\nEOF`,
    `cat >> docs/a.md <<EOF\n${B}\nEOF`,
    `cat <<EOF | tee docs/a.md\n${B}\nEOF`,
    `cat > docs/a.md <<< '${B}'`,
    `echo '${B}' > docs/a.md`,
    `cd docs && printf '%s\\n' '${B}' >> A.MD`,
    `cat > ~/project/docs/a.md <<'EOF'\n${B}\nEOF`,
    `bash -c "cat > docs/a.md" <<'EOF'\n${B}\nEOF`,
    `{ echo '# Title'; echo '${B}'; } > docs/a.md`,
  ])('text that a command carries: %s', async (command) => {
    const here = world({ files: { 'docs/a.md': '# Page\n' } });
    expect((await shell(here, command)).action).toBe('deny');
  });

  it('what is appended is judged with what is there', async () => {
    const here = world({ files: { 'docs/a.md': `# Page\n\n${source()}\n` } });
    expect((await shell(here, `cat >> docs/a.md <<'EOF'\n${B}\nEOF`)).action).toBe('pass');
    expect((await shell(here, `cat > docs/a.md <<'EOF'\n${B}\nEOF`)).action).toBe('deny');
  });

  it.each([
    `cat > a.txt <<'EOF'\n${B}\nEOF`,
    `git commit -m '${B}'`,
    `git commit -m '${B}' && echo done > docs/a.md`,
    'graph-easy in.txt > docs/a.md',
    'cat in.txt | graph-easy --as=boxart | tee docs/a.md',
    'ssh host graph-easy in.txt > docs/a.md',
    'docker run --rm -i img graph-easy < in.txt | tee docs/a.md',
    'perl ~/bin/graph-easy in.txt >> docs/a.md',
  ])('%s passes', async (command) => {
    expect((await shell(world(), command)).stdout).toBe('');
  });

  const scripts = {
    'make.py': `open('docs/a.md', 'w').write(TEXT)`,
    'make.sh': 'cat drawing.txt > docs/a.md',
    'drawing.txt': B,
  };
  const runs: readonly (readonly [string])[] = [['python make.py'], ['bash make.sh'], ['cp drawing.txt docs/a.md']];

  it.each(runs)('after %s a new drawing is told of, once', async (command) => {
    const here = world({ files: scripts });
    const run = async (id: string, text: string): Promise<Answer> => {
      expect((await here.before('Bash', { command }, { tool_use_id: id })).stdout).toBe('');
      here.put('docs/a.md', text, here.now);
      return here.after('Bash', { command }, { stdout: '', stderr: '' }, { tool_use_id: id });
    };
    const { action, note } = await run('b1', page(B));
    expect(action).toBe('pass');
    expect(note).toContain('docs/a.md, lines 3-7');
    await here.pass(1_000);
    expect((await run('b2', page(B))).stdout).toBe('');
    await here.pass(1_000);
    expect((await run('b3', page(B, OTHER))).note).toContain('lines 9-17');
  });

  it.each(runs)('after %s nothing is said of what was there, has a source, or did not change', async (command) => {
    const here = world({ files: { ...scripts, 'docs/a.md': page(B) } });
    const run = async (id: string, text: string | undefined): Promise<Answer> => {
      await here.before('Bash', { command }, { tool_use_id: id });
      if (text !== undefined) here.put('docs/a.md', text, here.now);
      return here.after('Bash', { command }, { stdout: '', stderr: '' }, { tool_use_id: id });
    };
    expect((await run('b1', undefined)).stdout).toBe('');
    expect((await run('b2', `${page(B)}More.\n`)).stdout).toBe('');
    await here.pass(1_000);
    expect((await run('b3', page(B, '## Next', OTHER, source()))).stdout).toBe('');
  });
});

describe('what is only moved', () => {
  it.each([
    'mv docs/a.md docs/b.md',
    'git mv docs/a.md docs/b.md',
    'cp docs/a.md docs/a.md.bak && mv docs/a.md docs/b.md',
  ])('%s brings nothing new', async (command) => {
    const here = world({ files: { 'docs/a.md': page(B) } });
    await here.before('Bash', { command }, { tool_use_id: 'b1' });
    here.put('docs/b.md', page(B), here.now);
    rmSync(`${here.root}/docs/a.md`);
    expect((await here.after('Bash', { command }, { stdout: '', stderr: '' }, { tool_use_id: 'b1' })).stdout).toBe('');
    expect((await edit(here, 'Page', 'Page │', {}, 'docs/b.md')).action).toBe('pass');
  });
});

describe('what is new', () => {
  it('the source is already there', async () => {
    const here = world({ files: { 'docs/a.md': `# Page\n\nhere\n\n${source()}\n` } });
    expect((await edit(here, 'here', B)).stdout).toBe('');
  });

  it('an old drawing stays, is corrected, and is moved', async () => {
    const here = world({ files: { 'docs/a.md': `${page(OTHER)}\nA paragraph.\n\nThe end.\n` } });
    expect((await edit(here, 'A paragraph.', 'Another │ paragraph.')).stdout).toBe('');
    expect((await edit(here, '│ Gateway │', '│ Ingress │')).stdout).toBe('');
    expect((await write(here, `# Page\n\nThe end.\n\n${page(OTHER).slice(8)}`)).stdout).toBe('');
    expect((await edit(here, 'The end.', B)).action).toBe('deny');
  });

  it('correcting it bit by bit does not make another drawing of it', async () => {
    const here = world({ files: { 'docs/a.md': page(OTHER) } });
    let text = page(OTHER);
    const actions: string[] = [];
    for (const line of OTHER.split('\n')) {
      const changed = text.replace(line, line.replace(/[─ ]/, '═'));
      actions.push((await write(here, changed)).action);
      if (actions.at(-1) === 'pass') here.put('docs/a.md', (text = changed));
    }
    expect(actions[0]).toBe('pass');
    expect(actions.at(-1)).toBe('deny');
  });

  it('a drawing that somebody else has put there is not held against the next edit', async () => {
    const here = world({ files: { 'docs/a.md': page(OTHER, 'A paragraph.') } });
    await edit(here, 'A paragraph.', 'Some │ text.');
    here.put('docs/a.md', page(OTHER, B, 'A paragraph.'));
    expect((await edit(here, 'A paragraph.', 'Some │ other text.')).action).toBe('pass');
  });

  it('a drawing built up by small edits is stopped when it closes', async () => {
    const here = world({ files: { 'docs/a.md': '# Page\n\n' } });
    const steps = ['┌───', '────', '───┐\n', '││  one   ││\n', '││  two   ││\n', '└───', '────', '───┘\n'];
    const actions: string[] = [];
    let text = '# Page\n\n';
    for (const step of steps) {
      const changed = text + step;
      actions.push((await edit(here, text, changed)).action);
      if (actions.at(-1) === 'pass') here.put('docs/a.md', (text = changed));
    }
    expect(actions).toEqual([...Array<string>(7).fill('pass'), 'deny']);
  });
});

describe('boxes and tables', () => {
  const table = '┌────┬────────┐\n│ id │ name   │\n├────┼────────┤\n│  1 │ ada    │\n└────┴────────┘';
  const column = '┌────────┐\n│ name   │\n├────────┤\n│ ada    │\n└────────┘';
  const crooked = '┌──────────┐\n│ 日本語 🚀  │\n│ text     │\n└────────────┘';
  it.each([
    ['a table', page(table), 'pass', ''],
    ['a table of one column', page(column), 'pass', ''],
    ['a table and a box', page(`${table}\n\n┌─────┐\n│ box │\n└─────┘`), 'deny', ': 1 box '],
    ['too small', page('┌─┐\n│a│\n└─┘'), 'pass', ''],
    ['crooked', page(crooked), 'deny', ''],
    ['rounded', page('╭─────╮\n│ box │\n╰─────╯'), 'deny', ''],
    ['double', page('╔═════╗\n║ box ║\n╚═════╝').replaceAll('```', '~~~'), 'deny', ''],
    ['heavy', '```\n┏━━━━━┓\n┃ box ┃\n┗━━━━━┛\n```\n', 'deny', ''],
    ['dashed', '```\n┌┄┄┄┄┄┐\n┆ box ┆\n└┄┄┄┄┄┘\n```\n', 'deny', ''],
    ['quoted output', `\`\`\`console\n${B}\n\`\`\`\n`, 'pass', ''],
  ])('%s', async (_, text, action, said) => {
    const answer = await write(world(), text);
    expect(answer.action).toBe(action);
    expect(answer.reason).toContain(said);
  });

  it('no fence is a quotation when none is set', async () => {
    const here = world({ config: 'packs: { diagrams: { enabled: true, quotedFences: [] } }' });
    expect((await write(here, `\`\`\`console\n${B}\n\`\`\`\n`)).action).toBe('deny');
  });
});
