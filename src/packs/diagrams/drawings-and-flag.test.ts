import { describe, expect, it } from 'vitest';
import { cellId } from '../../state/cells.ts';
import type { World } from '../world.fixture.ts';
import { B, OTHER, page, source, TREE } from './drawings.fixture.ts';
import { ON, world, write, written, ran } from './pack-world.fixture.ts';

const flags = (of: World) => Object.keys(of.cells('diagrams.flag'));

describe('what a drawing is', () => {
  it('a drawing without a source is refused, with its lines and three ways on', async () => {
    const { action, reason } = await write(world(), page(B));
    expect(action).toBe('deny');
    expect(reason).toContain('docs/a.md, lines 3-7: 2 boxes');
    expect(reason).toMatch(
      /1\. .*paste.* 2\. .*<summary>graph-easy source<\/summary>.* 3\. .*fairlead: diagram-ok REASON/,
    );
    expect(reason.length).toBeLessThanOrEqual(600);
    expect(reason).not.toMatch(/\b(?:MUST|NEVER|DO NOT|STOP)\b/);
  });

  it('an edit that inserts one is refused', async () => {
    const here = world({ files: { 'docs/a.md': '# Page\n\nhere\n' } });
    const edit = { file_path: `${here.root}/docs/a.md`, old_string: 'here', new_string: B };
    expect((await here.before('Edit', edit)).action).toBe('deny');
  });

  it.each([
    ['x/plans/p.md', {}],
    ['.claude/plans/p.md', {}],
    ['docs/a.md', { permission_mode: 'plan' }],
  ])('%s with %j passes', async (path, more) => {
    expect((await write(world(), page(B), path, more)).stdout).toBe('');
  });

  it.each([
    ['a file tree', page(TREE), 'pass'],
    ['prose', '“Quotes” — dashes → arrows … and so on — again\n'.repeat(30), 'pass'],
    ['a source with a body', page(B, source()), 'pass'],
    ['a source without a body', page(B, source('graph-easy', '')), 'deny'],
  ])('%s: %#', async (_, text, action) => {
    expect((await write(world(), text)).action).toBe(action);
  });

  it.each(['C', 'en_US.UTF-8'])('the locale %s changes nothing', async (locale) => {
    const here = world({ env: { LC_ALL: locale, LANG: locale } });
    expect((await write(here, page(B))).action).toBe('deny');
    expect((await write(here, page(TREE))).action).toBe('pass');
    expect((await write(here, '— “prose” →'.repeat(30))).action).toBe('pass');
  });

  const ascii = '```\n+-------+     +------+\n| Alpha | --> | Beta |\n+-------+     +------+\n```\n';
  it.each([
    [ON, 'pass'],
    ['packs: { diagrams: { enabled: true, ascii: on } }', 'deny'],
  ])('ASCII boxes with %s: %s', async (config, action) => {
    expect((await write(world({ config }), ascii)).action).toBe(action);
  });
});

describe('the flag', () => {
  it('a tool that just ran saves one write, and a note reminds of the source once', async () => {
    const here = world();
    await ran(here);
    await here.pass(5_000);
    expect((await write(here, page(B), 'docs/a.md', { tool_use_id: 'w1' })).stdout).toBe('');
    const { note } = await written(here, page(B), 'w1');
    expect(note).toContain('docs/a.md');
    expect(note).toContain('graph-easy source');
    expect(note.length).toBeLessThanOrEqual(200);
    expect(flags(here)).toEqual([]);
    expect((await write(here, page(B, OTHER))).action).toBe('deny');

    await ran(here);
    expect((await write(here, page(B, OTHER), 'docs/a.md', { tool_use_id: 'w2' })).stdout).toBe('');
    expect((await written(here, page(B, OTHER), 'w2')).stdout).toBe('');
  });

  it.each([
    [29_900, 'pass', 1],
    [30_000, 'deny', 0],
    [45_000, 'deny', 0],
  ])('after %i ms: %s', async (age, action, left) => {
    const here = world();
    await ran(here);
    await here.pass(age);
    expect((await write(here, page(B))).action).toBe(action);
    expect(flags(here)).toHaveLength(left);
  });

  it.each([
    ['garbage', '{{'],
    ['empty', '""'],
    ['of another shape', '{"at":"now"}'],
    ['in the future', JSON.stringify({ tool: 'graph-easy', at: Date.parse('2027-03-02T10:00:05Z'), command: '' })],
  ])('a flag that is %s is removed', async (_, value) => {
    const here = world();
    const id = cellId('session', 'session-1', 'diagrams.flag');
    here.engine.store.commit({ reads: new Map(), changes: [{ op: 'set', id, value, expires: 0 }], now: here.now });
    expect((await write(here, page(B))).action).toBe('deny');
    expect(flags(here)).toEqual([]);
    expect(here.engine.failures.read()).toEqual([]);
  });

  it.each([
    ['Markdown without a drawing', '# Text', 'docs/a.md'],
    ['another kind of file', B, 'src/a.ts'],
    ['a drawing with a source', page(B, source()), 'docs/b.md'],
    ['a plan', page(B), 'plans/b.md'],
  ])('%s does not use it up', async (_, text, path) => {
    const here = world();
    await ran(here);
    expect((await write(here, text, path, { tool_use_id: 'w1' })).stdout).toBe('');
    await written(here, text, 'w1', path);
    expect((await write(here, page(OTHER))).stdout).toBe('');
  });

  it.each([
    ['nothing is heard of it', () => undefined],
    ['the denial is told', (here: World) => here.event('PermissionDenied', { tool_name: 'Write', tool_use_id: 'w1' })],
    ['it fails', (here: World) => here.failed('Write', {}, 'no', { tool_use_id: 'w1' })],
    [
      'the batch ends without it',
      (here: World) =>
        here.event('PostToolBatch', {
          tool_calls: [{ tool_name: 'Write', tool_use_id: 'w1', tool_response: 'The user refused.' }],
        }),
    ],
  ])('a write that the person refuses gives it back when %s', async (_, end) => {
    const here = world();
    await ran(here);
    expect((await write(here, page(B), 'docs/a.md', { tool_use_id: 'w1' })).action).toBe('pass');
    await end(here);
    await here.pass(20_000);
    expect((await write(here, page(B), 'docs/a.md', { tool_use_id: 'w2' })).stdout).toBe('');
    await written(here, page(B), 'w2');
    expect(flags(here)).toEqual([]);
  });

  it('given back, it serves another drawing, and is as old as before', async () => {
    const here = world();
    await ran(here);
    await write(here, page(B), 'docs/a.md', { tool_use_id: 'w1' });
    await here.failed('Write', {}, 'no', { tool_use_id: 'w1' });
    await here.pass(29_000);
    expect((await write(here, page(OTHER), 'docs/b.md', { tool_use_id: 'w2' })).action).toBe('pass');
    await here.failed('Write', {}, 'no', { tool_use_id: 'w2' });
    await here.pass(1_000);
    expect((await write(here, page(OTHER), 'docs/b.md')).action).toBe('deny');
  });

  it('a reservation ends after two minutes', async () => {
    const here = world({ config: 'packs: { diagrams: { enabled: true, freshFor: 10m } }' });
    await ran(here);
    await write(here, page(B));
    await here.pass(119_000);
    expect((await write(here, page(OTHER), 'docs/b.md')).action).toBe('deny');
    await here.pass(1_000);
    expect((await write(here, page(OTHER), 'docs/c.md')).action).toBe('pass');
  });

  it('of two writes at once it serves one', async () => {
    const here = world();
    await ran(here);
    const answers = await Promise.all([write(here, page(B)), write(here, page(OTHER), 'docs/b.md')]);
    expect(answers.map(({ action }) => action).sort()).toEqual(['deny', 'pass']);
  });

  it.each([
    'grep graph-easy README.md',
    'echo graph-easy',
    'which graph-easy',
    'man graph-easy',
    'graph-easy --help',
    'graph-easy --version',
    'd2 version',
    'brew install graph-easy',
    'npm install -g mermaid-ascii',
    'git commit -m "use graph-easy"',
    'graph-easy in.txt &',
    'perl -c ~/bin/graph-easy',
    'perl ~/bin/graph-easy --help',
    'perl tidy.pl graph-easy',
    `perl -e 'print "graph-easy"'`,
    'python3 -m pip install graph-easy',
    'docker pull tools/graph-easy',
    'docker build -t graph-easy .',
    'docker run --rm --name graph-easy img ls',
    'docker run --rm img which graph-easy',
    'docker run --rm img graph-easy --version',
    'docker run --rm tools/graph-easy cat /in.txt',
    'docker run -d img graph-easy in',
    'docker run -d -v "$PWD:/w" img graph-easy /w/in',
    'docker exec -d box graph-easy in',
    'docker logs graph-easy',
    'ssh graph-easy uptime',
    'ssh host grep graph-easy README.md',
    `ssh host 'sudo apt install graph-easy'`,
    `ssh host 'graph-easy in > out.txt &'`,
    'ssh -f host graph-easy in',
    'kubectl logs graph-easy',
    'kubectl exec graph-easy -- ls',
    'nix shell nixpkgs#graph-easy -c ls',
  ])('%s sets none', async (command) => {
    const here = world();
    await ran(here, command);
    expect(flags(here)).toEqual([]);
  });

  it.each([
    'cat x.txt | graph-easy --as=boxart',
    'FOO=1 sudo graph-easy in',
    'cd d && npx mermaid-ascii -f x',
    'pnpm dlx mermaid-ascii -f x',
    'bunx mermaid-ascii -f x',
    'uvx graph-easy in',
    `sh -c 'graph-easy in'`,
    'time env A=1 /usr/bin/graph-easy in',
    'java -jar /opt/plantuml-1.2.jar -utxt x.puml',
    'echo "[a]->[b]" | graph-easy | sed "s/ *$//"',
    'perl ~/bin/graph-easy in',
    'perl -I lib -S graph-easy --as=boxart in',
    'perl "$(which graph-easy)" in',
    'cat in | perl -w ./tools/graph-easy.pl',
    'python3 tools/graph_easy.py in',
    'python3 -m mermaid_ascii -f x',
    'node node_modules/.bin/mermaid-ascii -f x',
    'node ./node_modules/mermaid-ascii/dist/cli.js -f x',
    'bash ~/bin/graph-easy in',
    'java -Djava.awt.headless=true -cp lib/plantuml.jar net.sourceforge.plantuml.Run -utxt x.puml',
    'docker run --rm -i img graph-easy --as=boxart < in',
    'docker run --rm -v "$PWD:/w" -w /w img graph-easy in',
    'docker container run --rm img perl /opt/graph-easy in',
    'docker run --rm --entrypoint graph-easy img in.txt',
    'docker run -i --rm plantuml/plantuml:latest -pipe -utxt < x.puml',
    'docker run --rm ghcr.io/terrastruct/d2@sha256:0a /w/x.d2 -',
    'docker exec -i -u ann box graph-easy in',
    'docker compose -f c.yml run --rm tools sh -c "cat in | graph-easy"',
    'docker-compose exec -T tools timeout 5 graph-easy in',
    'podman --remote run --rm -e A=1 img env B=2 graph-easy in',
    `docker exec -i box bash <<'EOF'
cd /w
graph-easy in
EOF`,
    'kubectl -n dev exec -it pod-0 -c web -- graph-easy in',
    'kubectl run x --rm -i --image=img -- graph-easy in',
    'ssh host graph-easy in',
    'ssh host -p 22 -- graph-easy in',
    'oc rsh pod-0 graph-easy in',
    'docker run --rm -v "$PWD:/data" ghcr.io/x/graph-easy /data/in.txt',
    'ssh -p 22 -i ~/.ssh/id ann@host "cd d && cat in | graph-easy --as=boxart"',
    'cat in | ssh host sudo -u ann perl /opt/bin/graph-easy',
    `ssh host <<'EOF'
graph-easy in
EOF`,
    `ssh host bash -s <<'EOF'
graph-easy in
EOF`,
    'ssh jump ssh host docker run --rm img graph-easy in',
    'sudo -n timeout 9 ssh host graph-easy in | tee out.txt',
    'vagrant ssh -c "graph-easy in"',
    'gcloud compute ssh vm --zone z --command="graph-easy in"',
    'lxc exec box -- graph-easy in',
    'apptainer exec tools.sif graph-easy in',
    'nix run nixpkgs#graph-easy -- in.txt',
    'nix shell nixpkgs#graph-easy -c graph-easy in',
  ])('%s sets it', async (command) => {
    const here = world();
    await ran(here, command);
    expect(flags(here)).toEqual(['session-1']);
  });

  it('a run that fails, goes on in the background or makes nothing sets none', async () => {
    const here = world();
    await here.failed('Bash', { command: 'graph-easy in' }, 'Exit code 1');
    await here.after(
      'Bash',
      { command: 'graph-easy in', run_in_background: true },
      { stdout: '', stderr: '', backgroundTaskId: 'b1' },
    );
    await ran(here, 'graph-easy in', '');
    await ran(here, 'graph-easy in > none.txt', '');
    expect(flags(here)).toEqual([]);
    here.put('out.txt', 'a');
    await ran(here, 'graph-easy in > out.txt', '');
    expect(flags(here)).toEqual(['session-1']);
  });

  it('it belongs to its session, and a worktree beside does not see it', async () => {
    const here = world({ files: { 'wt/package.json': '{}' } });
    await ran(here);
    expect((await write(here, page(B), 'docs/a.md', { session_id: 'session-2' })).action).toBe('deny');
    const beside = { session_id: 'session-3', cwd: `${here.root}/wt` };
    expect((await write(here, page(B), 'wt/a.md', beside)).action).toBe('deny');
    expect((await write(here, page(B))).action).toBe('pass');
  });

  it('two sessions in two worktrees at once use each its own', async () => {
    const here = world({ files: { 'wt/package.json': '{}' } });
    const beside = { session_id: 'session-2', cwd: `${here.root}/wt` };
    await Promise.all([ran(here), ran(here, 'graph-easy in.txt', 'done', beside)]);
    expect((await write(here, page(B), 'docs/a.md', { tool_use_id: 'w1' })).action).toBe('pass');
    await written(here, page(B), 'w1');
    expect(flags(here)).toEqual(['session-2']);
    expect((await write(here, page(OTHER), 'docs/b.md')).action).toBe('deny');
    expect((await write(here, page(OTHER), 'wt/b.md', beside)).action).toBe('pass');
  });

  it('without a session there is none, and the guard works on', async () => {
    const here = world();
    const nobody = { session_id: undefined, transcript_path: undefined };
    await ran(here, 'graph-easy in', 'done', nobody);
    expect(flags(here)).toEqual([]);
    expect((await write(here, page(B), 'docs/a.md', nobody)).action).toBe('deny');
    expect((await write(here, page(B), 'docs/a.md', nobody)).reason).toContain('Three ways on');
    expect(here.engine.failures.read()).toEqual([]);
  });

  it('a sub-agent draws, the main agent writes', async () => {
    const here = world();
    await ran(here, 'graph-easy in', 'done', { agent_id: 'a1', agent_type: 'Explore' });
    expect((await write(here, page(B))).stdout).toBe('');
  });

  it('at the start of a session, flags of an hour ago are gone', async () => {
    const here = world();
    await ran(here, 'graph-easy in', 'done', { session_id: 'old' });
    await here.pass(120_000);
    await ran(here, 'graph-easy in', 'done', { session_id: 'young' });
    await here.pass(59 * 60_000);
    await here.event('SessionStart', { source: 'startup', session_id: 'new' });
    expect(flags(here)).toEqual(['young']);
  });

  it('at the end of a session nothing of it is left', async () => {
    const here = world();
    await ran(here, 'graph-easy in', page(B));
    await ran(here, 'graph-easy in', 'done', { session_id: 'session-2' });
    await write(here, page(OTHER), 'docs/a.md', { tool_use_id: 'w1' });
    await written(here, page(OTHER), 'w1');
    await ran(here);
    const names = ['flag', 'baseline', 'files', 'output', 'outputs', 'pending', 'reminded'];
    const left = () =>
      names.flatMap((name) => Object.keys(here.cells(`diagrams.${name}`)).map((of) => `${name} ${of}`));
    expect(left().length).toBeGreaterThan(5);
    await here.event('SessionEnd', { reason: 'other' });
    expect(left()).toEqual(['flag session-2']);
  });
});
