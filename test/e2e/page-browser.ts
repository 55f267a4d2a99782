import { join } from 'node:path';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
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
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
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
    newContext: (options) => newContext(browser, options),
    async openTab(home, colorScheme = 'light', width = 1280) {
      const context = await newContext(browser, {
        viewport: { width, height: 900 },
        colorScheme,
        locale: 'en-GB',
        timezoneId: 'Asia/Tokyo',
      });
      const page = await context.newPage();
      // The page may end between two tabs, as it does a while after the last.
      await page.goto(await home.address()).catch(() => page.goto(home.open().address));
      await page.locator('main h2').first().waitFor();
      return page;
    },
  };
}

/** Only against a hang: a loaded machine may take its time. */
const LIMIT_MS = 300_000;

/** A window of its own, which counts the questions of its pages that have no answer yet; the line for news never has one. */
async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(LIMIT_MS);
  await context.addInitScript(`{
    const ask = fetch;
    globalThis.unanswered = 0;
    globalThis.fetch = async (...asked) => {
      if (String(asked[0]).endsWith('/live')) return ask(...asked);
      unanswered += 1;
      try {
        const answer = await ask(...asked);
        await answer.clone().arrayBuffer();
        return answer;
      } finally {
        unanswered -= 1;
      }
    };
  }`);
  return context;
}

/** Three frames without an open question: what a view asks for, it asks right after it was drawn. */
const SETTLED = `new Promise((done) => {
  const look = (calm) => {
    if (calm === 3) done();
    else requestAnimationFrame(() => setTimeout(() => look(unanswered === 0 ? calm + 1 : 0)));
  };
  look(0);
})`;

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
  await page.evaluate(SETTLED);
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
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe.source);
  return page.evaluate<readonly string[]>(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes[0]?.html))`,
  );
}

/** What the browser complains about. */
export function complaintsOf(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (said) => said.type() === 'error' && errors.push(said.text()));
  return errors;
}
