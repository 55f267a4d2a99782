import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { RecordedCall } from '../../src/player/play.ts';
import type { PageHome } from './page-home.ts';

const CHROMIUM = process.env['FAIRLEAD_E2E_CHROMIUM'] ?? '/usr/bin/chromium';
/** Where the pictures go that are looked at; nowhere without it. */
const PICTURES = process.env['FAIRLEAD_E2E_PICTURES'];
/** How people look at it. */
export const LOOKS = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
] as const;

export interface TestBrowser {
  get(): Browser;
  openTab(home: PageHome, colorScheme?: 'light' | 'dark', width?: number): Promise<Page>;
}

/** One for all tests of a file. */
export function useBrowser(): TestBrowser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());
  return {
    get: () => browser,
    async openTab(home, colorScheme = 'light', width = 1280) {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme,
        locale: 'en-GB',
        timezoneId: 'Asia/Tokyo',
      });
      const page = await context.newPage();
      await page.goto(home.open().address);
      await page.locator('main h2').first().waitFor();
      return page;
    },
  };
}

/** A call of the recorded session with another command. */
export function commandCall(home: PageHome, command: string): RecordedCall {
  const call = home
    .calls('heavy-parcel')
    .find(({ payload }) => payload['hook_event_name'] === 'PreToolUse' && payload['tool_name'] === 'Bash');
  if (!call) throw new Error('the recorded session has no command');
  const own = { tool_input: { command }, tool_use_id: `toolu_${command}` };
  return { ...call, at: 0, payload: { ...call.payload, ...own } };
}

export async function goTo(page: Page, view: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`);
  await page.locator('main').getByRole('heading', { level: 1 }).waitFor();
  // The line for news is open all the time, so the network is never idle.
  await sleep(500);
}

/** Everything that can be seen now has no flaw for those who use a screen reader, and fits on the screen. */
export async function expectSound(page: Page, view: string): Promise<void> {
  expect({ view, flaws: await flawsOf(page) }).toEqual({ view, flaws: [] });
  const { wide, room } = await page.evaluate<{ readonly wide: number; readonly room: number }>(
    '({ wide: document.documentElement.scrollWidth, room: innerWidth })',
  );
  expect(wide, `${view} is no wider than the screen`).toBeLessThanOrEqual(room);
  const look = `${await page.evaluate<string>(`matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'`)}-${room}`;
  if (PICTURES !== undefined)
    await page.screenshot({ path: join(PICTURES, `${view.replace(/[^\w-].*/, '')}-${look}.png`) });
}

async function flawsOf(page: Page): Promise<readonly string[]> {
  // Past the policy of the page, as a person with developer tools would.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
    ).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

/** What the browser complains about. */
export function complaintsOf(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (said) => said.type() === 'error' && errors.push(said.text()));
  return errors;
}
