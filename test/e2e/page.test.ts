import { request } from 'node:http';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseOf } from '../../src/cli/database.ts';
import { stopsBefore } from '../../src/cli/page/rows.ts';
import { KEYS, signed } from '../../src/team/policy.fixture.ts';
import { commandCall, complaintsOf, expectSound, goTo, LOOKS, useBrowser } from './page-browser.ts';
import { createPageHome, multiply } from './page-home.ts';
import type { PageHome } from './page-home.ts';
import { until } from './until.ts';

const VIEWS = ['now', 'stops', 'sessions', 'rules', 'undo', 'graph'] as const;
const ROWS = 200_000;

const browser = useBrowser();

describe('the page with what an agent did', () => {
  let home: PageHome;
  beforeAll(async () => {
    home = createPageHome();
    home.fairlead('init', '--yes', '--agent', 'claude-code', home.project);
    const rules = join(home.world().paths.config, 'rules');
    mkdirSync(rules, { recursive: true });
    writeFileSync(
      join(rules, 'no-publish.md'),
      '---\nevent: bash\nwords: [publish]\naction: deny\nmode: shadow\n---\nReleases are made by the pipeline.\n',
    );
    await home.play(home.calls('heavy-parcel'), { startAt: Date.now() - 400_000 });
    for (const command of ['rm -rf /', 'git push --force origin main', 'git reset --hard', 'cat .env', 'npm publish'])
      await home.play([commandCall(home, command)], { startAt: Date.now() - 20_000 });
  });
  afterAll(() => home.remove());

  it('shows every view, without a flaw for those who use a screen reader, in light, dark and on a phone', async () => {
    for (const [scheme, width] of LOOKS) {
      const page = await browser.openTab(home, scheme, width);
      const errors = complaintsOf(page);
      const session = encodeURIComponent(String(home.calls('heavy-parcel')[0]?.payload['session_id']));
      const [stop] = stopsBefore(databaseOf(home.world()), {}, home.home).stops;
      for (const view of [...VIEWS, 'rule/guard%2Fcatastrophe', `session/${session}`, `decision/${stop?.id}`]) {
        await goTo(page, view);
        await expectSound(page, view);
      }
      expect(errors).toEqual([]);
      await page.context().close();
    }
  });

  it('tells which policy is in force', async () => {
    const source = join(home.home, 'acme.json');
    writeFileSync(source, signed({ version: 7 }));
    const file = join(home.world().paths.config, 'config.yaml');
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    writeFileSync(file, `${before}\nteam:\n  policy: ${source}\n  keys: ['${KEYS.public}']\n`);
    home.fairlead('policy', 'refresh');
    const page = await browser.openTab(home);
    await goTo(page, 'now');
    await page.locator('h2', { hasText: 'Policy' }).waitFor();
    expect(await page.locator('main').textContent()).toContain('acme@7 is in force here: enforce, ring 1.');
    await expectSound(page, 'now-policy');
    await page.context().close();
    writeFileSync(file, before);
  });

  it('tells what was stopped and why, and how to go on', async () => {
    const page = await browser.openTab(home);
    await goTo(page, 'stops');
    const card = page
      .locator('.card', { has: page.locator('pre', { hasText: /^git push --force origin main$/ }) })
      .first();
    expect(await card.textContent()).toContain('guard/catastrophe');
    const command = (await card.locator('code', { hasText: 'allow-once' }).textContent()) ?? '';
    expect(command).toMatch(/^fairlead allow-once \w+$/);
    await card.getByRole('link', { name: 'why' }).click();
    await page.locator('h2', { hasText: 'Read as' }).waitFor();
    expect(await page.locator('section.card').textContent()).toContain('guard/catastrophe');
    expect(await page.locator('.steps').textContent()).toContain('git push --force origin main');
    await page.locator('summary').click();
    expect(await page.locator('details').textContent()).toContain('filtered: ');
    await page.context().close();
  });

  it('tells what a rule in shadow would have stopped, and what it came to', async () => {
    const page = await browser.openTab(home);
    await goTo(page, 'stops');
    expect(await page.locator('main').textContent()).not.toContain('npm publish');
    await page.getByRole('button', { name: 'Would have stopped' }).click();
    const card = page.locator('.card', { hasText: 'npm publish' });
    await card.waitFor();
    expect(await card.textContent()).toContain('would deny');
    await expectSound(page, 'stops-shadow');
    await card.getByRole('link', { name: 'user/no-publish' }).click();
    await page.locator('h1', { hasText: 'user/no-publish' }).waitFor();
    await page.locator('.card', { hasText: 'would deny' }).waitFor();
    await goTo(page, 'rules');
    await page.getByRole('button', { name: /^In shadow/ }).click();
    expect(await page.locator('tbody tr').textContent()).toContain('user/no-publish');
    await page.context().close();
  });

  it('can be used by the keyboard alone', async () => {
    const page = await browser.openTab(home);
    await page.keyboard.press('2');
    await page.locator('h1', { hasText: 'Stops' }).waitFor();
    await page.locator('.card').first().waitFor();
    const reached = new Set<string>();
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate<string>(`document.activeElement?.textContent ?? ''`));
    }
    expect([...reached]).toEqual(expect.arrayContaining(['Denied', 'why', 'Copy']));
    await page.context().close();
  });

  it('shows a session from its prompts to its stops, in the zone of who looks', async () => {
    const page = await browser.openTab(home);
    await goTo(page, 'sessions');
    await page.locator('tbody a').first().click();
    await page.locator('.moment').first().waitFor();
    expect(await page.locator('.moment.prompt').count()).toBeGreaterThan(0);
    const at = await page.locator('.moment time').first().getAttribute('datetime');
    const told = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Asia/Tokyo' }).format(
      new Date(at ?? ''),
    );
    expect(await page.locator('.moment time').first().textContent()).toBe(told);
    await page.context().close();
  });

  it('works in ten tabs of one browser, and every tab hears of news', async () => {
    const context = await browser.newContext();
    const tabs: Page[] = [];
    for (let count = 0; count < 10; count += 1) {
      const page = await context.newPage();
      await page.goto(await home.address());
      await page.locator('main h2').first().waitFor();
      tabs.push(page);
    }
    for (const page of tabs) await page.evaluate(`location.hash = '#/stops'`);
    expect(await home.hook(commandCall(home, 'rm -rf /usr/share').payload)).toContain('deny');
    for (const page of tabs) await page.locator('pre', { hasText: 'rm -rf /usr/share' }).first().waitFor();
    await tabs[0]?.close();
    expect(await home.hook(commandCall(home, 'rm -rf /usr/games').payload)).toContain('deny');
    await tabs[9]?.locator('pre', { hasText: 'rm -rf /usr/games' }).first().waitFor();
    await context.close();
  });

  it('shows what would turn a text around as what it is', async () => {
    const command = 'rm -rf / # \u202etfos';
    expect(await home.hook(commandCall(home, command).payload)).toContain('deny');
    const page = await browser.openTab(home);
    await goTo(page, 'stops');
    expect(await page.locator('main').textContent()).toContain('\\u202e');
    expect(await page.locator('main').textContent()).not.toContain('\u202e');
    await page.context().close();
  });

  it('shows an event by itself, soon after it was answered', async () => {
    const page = await browser.openTab(home);
    await goTo(page, 'stops');
    const { payload } = commandCall(home, 'rm -rf /usr/lib');
    expect(await home.hook(payload)).toContain('deny');
    const answered = Date.now();
    await page.locator('.card', { hasText: 'rm -rf /usr/lib' }).waitFor();
    // Without being looked at again; a loaded machine may take its time.
    expect(Date.now() - answered).toBeLessThan(30_000);
    await page.context().close();
  });
});

it('says what to do where there is nothing', async () => {
  const home = createPageHome();
  try {
    const page = await browser.openTab(home);
    for (const view of VIEWS) {
      await goTo(page, view);
      await expectSound(page, `${view}-empty`);
    }
    await goTo(page, 'sessions');
    expect(await page.locator('.empty').textContent()).toContain('fairlead init');
    await page.context().close();
  } finally {
    home.remove();
  }
});

it(`is as quick with ${ROWS} rows`, async () => {
  const home = createPageHome();
  try {
    await home.play(home.calls('heavy-parcel'), { startAt: Date.now() - 400_000 });
    multiply(home.world().paths.state, ROWS);
    const page = await (await browser.newContext()).newPage();
    await page.goto(await home.address());
    await page.locator('.edge-live, .edge-deny, .edge-ask').first().waitFor();
    await goTo(page, 'stops');
    await page.locator('.card').first().waitFor();
    const count = await page.locator('.card').count();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.waitForFunction(`document.querySelectorAll('.card').length > ${count}`);
    const ids = await page
      .locator('.card a', { hasText: 'why' })
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(new Set(ids).size).toBe(ids.length);
    await goTo(page, 'rules');
    await page.locator('tbody tr').first().waitFor();
    await page.context().close();
  } finally {
    home.remove();
  }
});

describe('the door of the page', () => {
  let home: PageHome;
  let port: number;
  let authorization: string;
  beforeAll(async () => {
    home = createPageHome();
    const opened = home.open();
    ({ port } = opened);
    const ticket = opened.address.split('#')[1] ?? '';
    const own = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' };
    const entered = await send('POST', '/enter', own, ticket);
    ({ key: authorization } = JSON.parse(entered.text) as { key: string });
    authorization = `Page ${authorization}`;
  });
  afterAll(() => home.remove());

  function send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body = '',
  ): Promise<{
    readonly status: number;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly text: string;
  }> {
    return new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  it('lets in who came with the ticket', async () => {
    const { status, headers } = await send('GET', '/api/stops', { authorization });
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it.each<[string, () => Readonly<Record<string, string>>]>([
    ['without a key', () => ({})],
    ['with a wrong one', () => ({ authorization: `${authorization.slice(0, -4)}AAAA` })],
    ['with an empty one', () => ({ authorization: 'Page ' })],
    ['with the key as a cookie', () => ({ cookie: authorization })],
    ['from another page', () => ({ authorization, origin: 'https://example.com' })],
    ['from a page without an origin', () => ({ authorization, origin: 'null' })],
    ['from another site', () => ({ authorization, 'sec-fetch-site': 'cross-site' })],
    ['from another port of this machine', () => ({ authorization, 'sec-fetch-site': 'same-site' })],
    ['by a name that was rebound to this machine', () => ({ authorization, host: `example.com:${port}` })],
    ['by the name without the port', () => ({ authorization, host: '127.0.0.1' })],
    ['with the secret of a hook', () => ({ authorization: 'Bearer 0' })],
  ])('lets nobody in %s', async (_who, headersOf) => {
    for (const path of ['/api/now', '/api/stops', '/api/live', '/api/decision?id=a']) {
      const { status, text } = await send('GET', path, headersOf());
      expect([status, text]).toEqual([403, '']);
    }
  });

  it('takes a ticket once', async () => {
    const own = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' };
    const ticket = home.open().address.split('#')[1] ?? '';
    const first = await send('POST', '/enter', own, ticket);
    expect([first.status, first.headers['set-cookie']]).toEqual([200, undefined]);
    expect((await send('POST', '/enter', own, ticket)).status).toBe(403);
  });

  it('takes no option for the name of something', async () => {
    for (const path of [
      'decision?id=--last',
      'decision?id=--json',
      'rule?id=--help',
      'copy?number=--yes',
      'constructor',
    ])
      expect([path, (await send('GET', `/api/${path}`, { authorization })).status]).toEqual([path, 404]);
  });

  it('gives a ticket to nobody who has not read the secret', async () => {
    expect((await send('POST', '/ticket', {})).status).toBe(403);
    expect((await send('POST', '/ticket', { authorization })).status).toBe(403);
    const { secret } = JSON.parse(readFileSync(join(home.world().paths.run, 'page.json'), 'utf8')) as {
      secret: string;
    };
    const bearer = { authorization: `Bearer ${secret}` };
    expect((await send('POST', '/ticket', { ...bearer, origin: `http://127.0.0.1:${port}` })).status).toBe(403);
    expect((await send('POST', '/ticket', bearer)).status).toBe(200);
  });

  it('changes nothing', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect((await send(method, '/api/stops', { authorization })).status).toBe(405);
    expect((await send('GET', '/../package.json', { authorization })).status).toBe(404);
  });

  it('is started anew where it was killed', async () => {
    const { pid } = home.open();
    process.kill(pid, 'SIGKILL');
    await until(() => !existsSync(`/proc/${pid}`));
    expect(home.open().pid).not.toBe(pid);
  });

  it('is the same process for another tab, and ends with the last', async () => {
    const first = home.open();
    expect(home.open().pid).toBe(first.pid);
    const page = await (await browser.newContext()).newPage();
    await page.goto(first.address);
    await page.locator('main h2').first().waitFor();
    await page.context().close();
    await until(() => !existsSync(`/proc/${first.pid}`));
    expect(existsSync(join(home.world().paths.run, 'page.json'))).toBe(false);
  });
});
