import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandCall, expectSound, LOOKS, useBrowser } from './page-browser.ts';
import { createPageHome } from './page-home.ts';
import type { PageHome } from './page-home.ts';

const browser = useBrowser();

let home: PageHome;
beforeAll(async () => {
  home = createPageHome();
  await home.play(home.calls('heavy-parcel'), { startAt: Date.now() - 400_000 });
  await home.play([commandCall(home, 'rm -rf / # <img src=x onerror=alert(1)>')], { startAt: Date.now() - 20_000 });
  home.fairlead('replay', '--ledger', '--html', 'report.html');
});
afterAll(() => home.remove());

it('shows a replay in one file, with nothing from elsewhere, in light, dark and on a phone', async () => {
  for (const [colorScheme, width] of LOOKS) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const asked: string[] = [];
    const errors: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (said) => said.type() === 'error' && errors.push(said.text()));
    const address = pathToFileURL(join(home.project, 'report.html')).href;
    await page.goto(address);
    await page.locator('.card', { hasText: 'rm -rf /' }).first().waitFor();
    expect(await page.locator('h1').textContent()).toContain('would have been stopped');
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(2);
    expect(await page.locator('img').count()).toBe(0);
    await expectSound(page, 'report');
    expect([asked, errors]).toEqual([[address], []]);
    await context.close();
  }
});
