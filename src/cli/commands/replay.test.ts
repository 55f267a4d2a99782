import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { escaped } from './replay.ts';
import { send, toolEvent } from '../../engine/engine.fixture.ts';
import { fakeWorld } from '../world.fixture.ts';
import { replay } from './replay.ts';

const FIXTURE = new URL('../../../test/fixtures/replay/', import.meta.url).pathname;

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-replay-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const world = () => fakeWorld({ home, cwd: home });

function settings(name: string, text: string): string {
  mkdirSync(join(home, name));
  writeFileSync(join(home, name, 'config.yaml'), text);
  return name;
}

/** A line of a transcript with one call, or with the same call many times. */
function call(command: string, { name = 'Bash', times = 1 } = {}): string {
  const block = { type: 'tool_use', id: 'toolu_1', name, input: { command } };
  const content = Array.from({ length: times }, () => block);
  const place = { sessionId: 's', cwd: home, timestamp: '2026-11-17T09:00:00.000Z' };
  return JSON.stringify({ ...place, type: 'assistant', message: { id: 'm', model: 'x', content } });
}

function told(dir: string, line: string): void {
  mkdirSync(join(home, dir));
  writeFileSync(join(home, dir, 's.jsonl'), `${line}\n`);
}

describe('replay', () => {
  it('says in one line what would have been, then why', async () => {
    const { run, printed } = world();
    expect(await run(replay, FIXTURE)).toBe(0);
    expect(printed.out).toContain(
      '11 calls of your agent in 1 day: 1 would have been stopped, 1 asked about, up to 1 kept for undo.',
    );
    expect(printed.out).toContain('[guard/catastrophe] `rm -rf .git` hits all of .git.');
    expect(printed.out).toMatch(/^guard\/secrets +1 +0 +1 +0 +0 +\d+ +0$/m);
    expect(printed.out).toContain('deny by guard/catastrophe; not known: what a file held');
    expect(readdirSync(home), 'nothing is begun').toEqual([]);
  });

  it('tells two settings apart, with examples', async () => {
    const lax = settings('lax', 'rules:\n  guard/secrets: off\n  guard/catastrophe: advise\n');
    const data = await world().json(replay, FIXTURE, '--against', lax);
    expect(JSON.stringify(data['difference'], null, 1)).toMatchSnapshot();
    const only = await world().json(replay, FIXTURE, '--against', lax, '--rule', 'guard/secrets');
    expect(only['difference']).toMatchObject({ events: 1, kinds: [{ kind: 'ask → pass  guard/secrets', count: 1 }] });
    expect(Object.keys(only['rules'] as object)).toEqual(['guard/secrets']);
  });

  it('writes a page that stands alone', async () => {
    const { run } = world();
    await run(replay, FIXTURE, '--html', 'report.html');
    const page = readFileSync(join(home, 'report.html'), 'utf8');
    expect(page).toContain('`rm -rf .git` hits all of .git.');
    const [, script = ''] = /<script type="module">(.*)<\/script>/s.exec(page) ?? [];
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(page) ?? [];
    const hashes = [script, style].map((text) => createHash('sha256').update(text).digest('base64'));
    expect(page).toContain(`default-src 'none'; script-src 'sha256-${hashes[0]}'; style-src 'sha256-${hashes[1]}'`);
    expect(page.replace(script, '')).not.toMatch(/<link|<img|<iframe|https?:|url\(|@import|\s(?:on\w+|src|href)=/i);
    expect(page.match(/<script/g)?.length).toBe(2);
    expect(readdirSync(home)).toEqual(['report.html']);
    expect(await run(replay, FIXTURE, '--html', 'report.html'), 'an earlier one is replaced').toBe(0);
  });

  it('writes its page over nothing else', async () => {
    const { run } = world();
    mkdirSync(join(home, 'dir'));
    writeFileSync(join(home, 'settings.json'), '{}');
    symlinkSync('nowhere', join(home, 'link'));
    for (const place of ['', 'dir', 'settings.json', 'link'])
      await expect(run(replay, FIXTURE, '--html', place)).rejects.toThrow('writes over nothing but an earlier report');
    await expect(run(replay, FIXTURE, '--html', 'no/where.html')).rejects.toThrow('there is no directory');
    expect(readFileSync(join(home, 'settings.json'), 'utf8')).toBe('{}');
    expect(readdirSync(home)).toEqual(['dir', 'link', 'settings.json']);
  });

  it('lets no text of a transcript end what holds it', async () => {
    told('one', call('rm -rf / # </script><script>alert(1)</script><!--'));
    await world().run(replay, 'one', '--html', 'page.html');
    const page = readFileSync(join(home, 'page.html'), 'utf8');
    expect(page.match(/<script/g)?.length).toBe(2);
    expect(page).toContain('\\u003c/script>');
  });

  it('shows what a transcript holds without letting it act on the terminal or the page', async () => {
    told('one', call('rm -rf / # \u001b[2J\u202e', { name: 'mcp__\u001b]0;x\u0007__run' }));
    const { run, printed } = world();
    await run(replay, 'one');
    expect(printed.out).toContain('deny mcp__\\u001b]0;x\\u0007__run');
    await run(replay, 'one', '--html', 'page.html');
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    const acts = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;
    expect(printed.out).not.toMatch(acts);
    expect(readFileSync(join(home, 'page.html'), 'utf8')).not.toMatch(acts);
  });

  it('says what it left out', async () => {
    told('cut', `${call('git push --force')}\nnoise\n${call('ls').slice(0, -9)}`);
    const { run, printed, json } = world();
    expect(await run(replay, 'cut')).toBe(0);
    expect(printed.out).toContain('Left out: 2 broken lines.');
    expect((await json(replay, 'cut'))['leftOut']).toEqual({ longLines: 0, brokenLines: 2, unread: [] });
  });

  it('reads a line that holds more calls than a function takes arguments', async () => {
    told('one', call('ls', { times: 150_000 }));
    expect(await world().json(replay, 'one', '--rule', 'guard/files')).toMatchObject({ calls: 1 });
  });

  it('follows a link that is named, and says when a transcript tells of nothing', async () => {
    told('one', call('ls'));
    symlinkSync('one', join(home, 'link'));
    expect(await world().json(replay, 'link')).toMatchObject({ calls: 1 });
    told('empty', '');
    const { run, printed } = world();
    expect(await run(replay, 'empty')).toBe(0);
    expect(printed.out).toMatch(/^There is no event of this time to replay/);
    expect(await run(replay, 'one')).toBe(0);
    expect(printed.out).toContain('1 call of your agent in 1 day');
  });

  it('leaves no sign in a text that a page could take for its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escaped(text)).not.toMatch(/[<>"'`=]|&(?!#\d+;)/);
      }),
      cases(500),
    );
  });

  it('takes the ledger where it is asked to, and where there is no transcript', async () => {
    const begun = world();
    await expect(begun.run(replay, '--ledger')).rejects.toThrow('Fairlead has heard of no event yet');
    await expect(begun.run(replay, FIXTURE, '--ledger')).rejects.toThrow('choose one');
    const engine = begun.engine();
    await send(engine, toolEvent({ command: 'rm -rf ~' }, { agent: 'claude-code' }));
    engine.memory.ledger.flush();
    for (const argv of [['--ledger'], []])
      expect(await begun.json(replay, ...argv, '--since', '1d')).toMatchObject({
        events: 1,
        calls: 1,
        stopped: 1,
        unknown: 0,
      });
    begun.close();
  });

  it('finds the transcripts of the person, and says when there are none', async () => {
    const { run } = world();
    await expect(run(replay)).rejects.toThrow('no transcript of an agent was found');
    await expect(run(replay, 'elsewhere')).rejects.toThrow('no transcript of an agent at elsewhere');
    await expect(run(replay, FIXTURE, '--against', 'nowhere')).rejects.toThrow('--against wants a directory');
    await expect(run(replay, FIXTURE, '--rule', 'gard/files')).rejects.toThrow('did you mean "guard/files"?');
    await expect(run(replay, FIXTURE, '--since', 'soon')).rejects.toThrow('--since wants a time span');
  });
});
