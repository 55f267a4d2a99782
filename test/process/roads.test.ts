import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../src/adapters/claude-code/index.ts';
import { EVENTS } from '../../src/adapters/claude-code/names.ts';
import catastrophe from '../../src/packs/guard/catastrophe.ts';
import { readPayload } from '../../src/transport/payload.ts';
import { processCases } from '../cases.ts';
import { until } from '../patience.ts';
import { mutated, encode } from '../damaged-payloads.ts';
import {
  bash,
  clients,
  copyProduct,
  decisionOf,
  describeClients,
  describeUsual,
  isLinux,
  newHome,
  NO_TOUCH,
  product,
  send,
} from './daemon-home.ts';
import type { Home, Send } from './daemon-home.ts';
import { letPost } from './posted.ts';
import type { Posted } from './posted.ts';

/** What an agent without processes does: it posts the same bytes to the daemon. */
async function post({ port, token }: Posted, body: Uint8Array): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const reply = await fetch(`http://127.0.0.1:${port}/hook/claude-code`, { method: 'POST', body, headers });
  const text = await reply.text();
  return text === '{}' ? '' : text;
}

/** A decision without what is said beside it, which depends on what was said before. */
const actionIn = (stdout: string): string =>
  /"(?:permissionDecision|decision|behavior)":"(\w+)"/.exec(stdout)?.[1] ?? '';

const KNOWN: ReadonlySet<unknown> = new Set(EVENTS.map(({ name }) => name));
describe.runIf(isLinux)('the same event by every road', () => {
  it('gets the same decision, by either client, posted and without a daemon', async () => {
    const home = newHome();
    home.rule('no-touch', NO_TOUCH);
    const access = await letPost(home);
    await send(home, bash(home, 'ls'));
    await until('somebody listens', async () => (await home.status())?.http?.port === access.port);
    const denied = (catastrophe.examples?.deny ?? []).filter((example) => typeof example === 'string');
    const commands = fc.constantFrom(...denied, 'ls', 'touch a', 'git status', 'rm -rf build');
    let count = 0;
    await fc.assert(
      fc.asyncProperty(mutated, commands, async ([{ text }, changes, harm], command) => {
        const bytesFor = (road: string) => {
          const fields = JSON.parse(text.replaceAll('/home/dev/project', home.project)) as Record<string, unknown>;
          if (fields['tool_name'] === 'Bash') fields['tool_input'] = { command };
          for (const apply of changes) apply(fields);
          count += 1;
          // Equally long on every road, so that what is cut off is the same.
          const id = `${road.padEnd(8, '-')}-${String(count).padStart(6, '0')}`;
          return harm(encode({ ...fields, session_id: `s-${id}`, tool_use_id: `t-${id}` }));
        };
        const event = String((JSON.parse(text) as Record<string, unknown>)['hook_event_name']);
        const by = (road: string, options: Send) =>
          send(home, { hook_event_name: event }, { ...options, input: bytesFor(road) }).then(({ out }) =>
            actionIn(out),
          );
        const posted = await post(access, bytesFor('http'));
        const direct = await by('one-shot', { client: 'node', after: ['--direct'] });
        const roads = await Promise.all(clients.map((client) => by(client, { client })));
        expect(roads).toEqual(roads.map(() => direct));
        // What is posted names its event by itself alone: another one is believed, and one that nobody knows counts as a call of a tool.
        if (JSON.stringify(harm(encode({}))) !== JSON.stringify(encode({}))) return;
        const bytes = bytesFor('http');
        const { payload, unread } = readPayload(bytes, bytes.length, claudeCode);
        const named = (payload as Record<string, unknown>)['hook_event_name'];
        if (unread === undefined && named === event) expect(actionIn(posted)).toBe(direct);
        else if (named === event || !KNOWN.has(named)) expect([direct, 'deny', 'ask']).toContain(actionIn(posted));
      }),
      processCases(2_000),
    );
  });
});

describeClients('an agent that nobody knows, by the %s client', (client) => {
  it('is a failure and no silence, with and without a daemon', async () => {
    const home = newHome();
    const failed = { code: 1, out: '', err: expect.stringMatching(/^Fairlead .*`fairlead \w+`.*\n$/) as string };
    const asNobody = () => send(home, bash(home, 'ls'), { client, agent: 'nobody' });
    expect(await asNobody()).toMatchObject(failed);
    await send(home, bash(home, 'ls'), { client });
    await home.daemon();
    expect(await asNobody()).toMatchObject({ code: 1, out: '' });
  });
});

describeUsual('where SQLite cannot be loaded, the %s client', (client) => {
  it('decides without memory', async () => {
    const broken = copyProduct({ ownModules: true });
    const modules = join(broken.dist, '../node_modules/@photostructure/sqlite');
    rmSync(modules, { recursive: true });
    cpSync(join(product.dist, '../package.json'), join(modules, 'package.json'));
    writeFileSync(join(modules, 'index.js'), 'throw new Error("no such machine");');
    const home: Home = newHome();
    home.rule('no-touch', NO_TOUCH);
    for (const command of ['touch a', 'rm -rf /']) {
      const ran = await send(home, bash(home, command), { client, product: broken });
      expect([command, decisionOf(ran)]).toEqual([command, 'deny']);
    }
    expect(decisionOf(await send(home, bash(home, 'ls'), { client, product: broken }))).toBe('none');
  });
});
