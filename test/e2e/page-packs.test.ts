import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { complaintsOf, expectSound, goTo, LOOKS, useBrowser } from './page-browser.ts';
import { createPageHome } from './page-home.ts';
import type { PageHome } from './page-home.ts';
import { until } from '../patience.ts';

const browser = useBrowser();
const MANY = 300;

let home: PageHome;
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
const inProject = (...parts: readonly string[]) => join(home.project, ...parts);

beforeAll(() => {
  home = createPageHome();
  cpSync('test/fixtures/specweave/project', home.project, { recursive: true });
  for (let count = 0; count < MANY; count += 1)
    write(inProject('.specweave', 'increments', `${1_000 + count}-done`, 'metadata.json'), '{"status":"completed"}');
  write(join(home.world().paths.config, 'config.yaml'), 'packs:\n  context: on\n');
  write(inProject('.context', 'CONSTITUTION.md'), '# Constitution\n');
  write(
    inProject('.context', 'TASKS.md'),
    `# Tasks\n\n${Array.from({ length: MANY }, (_, n) => `- [ ] Task number ${n}\n`).join('')}`,
  );
  write(
    inProject('.context', 'DECISIONS.md'),
    '# Decisions\n\n## [2026-03-10-101500] Use SQLite\n\n**Status**: Accepted\n\n## [2026-03-12-101500] No cookies for the page\n',
  );
  write(
    inProject('.context', 'reminders.json'),
    '[{"id":3,"message":"Ask about the licence","created":"2026-01-01","after":null}]',
  );
});
afterAll(() => home.remove());

it('shows the views of packs that are on without a flaw, with many things, in light, dark and on a phone', async () => {
  for (const [scheme, width] of LOOKS) {
    const page = await browser.openTab(home, scheme, width);
    const errors = complaintsOf(page);
    await page.getByRole('link', { name: 'Increments' }).click();
    await page.locator('.meter').first().waitFor();
    expect(await page.locator('.ticks').count()).toBeGreaterThan(0);
    await page.locator('.calm', { hasText: 'older ones' }).waitFor();
    await expectSound(page, 'increments');
    await page.getByRole('link', { name: 'Context' }).click();
    await page.locator('h2', { hasText: 'Decisions' }).waitFor();
    expect(await page.locator('main').textContent()).toContain(`${MANY} open tasks`);
    await expectSound(page, 'context');
    expect(errors).toEqual([]);
    await page.context().close();
  }
});

it('shows no view of a pack that is off, and says so to who follows an old link', async () => {
  const other = createPageHome();
  try {
    const page = await browser.openTab(other);
    await page.getByRole('link', { name: 'Graph' }).waitFor();
    expect(await page.locator('nav a').count()).toBe(6);
    await goTo(page, 'pack/context');
    expect(await page.locator('.empty').textContent()).toContain('not switched on');
    await page.context().close();
    write(join(other.world().paths.config, 'config.yaml'), 'packs:\n  context: on\n');
    const again = await browser.openTab(other);
    // Settings are looked at once in a while, and a tab shows the views that there were when it was opened.
    await until('the view is there', async () => {
      await again.reload();
      await again.getByRole('link', { name: 'Graph' }).waitFor();
      return (await again.getByRole('link', { name: 'Context' }).count()) > 0;
    });
    await again.getByRole('link', { name: 'Context' }).click();
    await again.locator('.empty', { hasText: 'fairlead context init' }).waitFor();
    await expectSound(again, 'context-none');
    await again.context().close();
  } finally {
    other.remove();
  }
});
