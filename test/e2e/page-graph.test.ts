import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { complaintsOf, expectSound, goTo, LOOKS, useBrowser } from './page-browser.ts';
import { createPageHome } from './page-home.ts';
import type { PageHome } from './page-home.ts';

const browser = useBrowser();
const MANY = 400;

let home: PageHome;
const place = (key = '') => `graph/${encodeURIComponent(home.project)}${key && `/${encodeURIComponent(key)}`}`;

function write(path: string, text: string): void {
  const file = join(home.project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

beforeAll(() => {
  home = createPageHome();
  write(
    'src/store/store.ts',
    'export class Store {\n  /** Keeps it. */\n  save(item: string): void {\n    write(item);\n  }\n}\nexport function write(item: string): void {}\n',
  );
  write(
    'src/cart/cart.ts',
    "import { Store } from '../store/store.ts';\nexport function checkout(): void {\n  new Store().save('a');\n}\n",
  );
  write(
    'src/main.ts',
    "import { checkout } from './cart/cart.ts';\nexport function main(): void {\n  checkout();\n}\n",
  );
  write(
    'test/cart.test.ts',
    "import { checkout } from '../src/cart/cart.ts';\nexport function testCheckout(): void {\n  checkout();\n}\n",
  );
  for (let count = 0; count < MANY; count += 1)
    write(
      `src/many${count % 20}/m${count}.ts`,
      `import { write } from '../store/store.ts';\nexport function caller${count}(): void {\n  write('a');\n}\n`,
    );
  home.fairlead('graph', 'index');
});
afterAll(() => home.remove());

it('shows the map, a search and a symbol without a flaw, in light, dark and on a phone', async () => {
  for (const [scheme, width] of LOOKS) {
    const page = await browser.openTab(home, scheme, width);
    const errors = complaintsOf(page);
    await goTo(page, 'graph');
    await page.locator('.map .node rect').first().click();
    await expectSound(page, 'graph-map');
    await page.getByRole('searchbox').fill('checkout');
    await page.locator('.found a').first().waitFor();
    await expectSound(page, 'graph-search');
    await goTo(page, place('src/cart/cart.ts#checkout'));
    await page.locator('.node.centre').waitFor();
    await expectSound(page, 'graph-walk');
    await goTo(page, place('src/store/store.ts#write'));
    await page.locator('.head', { hasText: `9 of ${MANY + 1}` }).waitFor();
    await expectSound(page, 'graph-many');
    expect(errors).toEqual([]);
    await page.context().close();
  }
});

it('can be walked by clicks', async () => {
  const page = await browser.openTab(home);
  await goTo(page, 'graph');
  await page.getByRole('searchbox').fill('save');
  await page.locator('.found a', { hasText: 'Store.save' }).click();
  await page.locator('h1', { hasText: 'Store.save' }).waitFor();
  await page.getByRole('link', { name: /^checkout, function/ }).click();
  await page.locator('h1', { hasText: /^checkout$/ }).waitFor();
  await page.locator('.node.centre', { hasText: 'checkout' }).waitFor();
  expect(await page.locator('.node.test').textContent()).toContain('testCheckout');
  await page.goBack();
  await page.locator('.node.centre', { hasText: 'Store.save' }).waitFor();
  await page.context().close();
});

it('can be walked by the keyboard', async () => {
  const page = await browser.openTab(home);
  await page.keyboard.press('6');
  await page.getByRole('searchbox').focus();
  await page.keyboard.type('Store.save');
  await page.locator('.found a', { hasText: 'Store.save' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /^Store.save, method/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.locator('.node.centre', { hasText: 'checkout' }).waitFor();
  const focused = () => page.evaluate<string>(`document.activeElement?.getAttribute('aria-label') ?? ''`);
  await expect.poll(focused, { timeout: 60_000 }).toMatch(/^checkout, function/);
  await page.keyboard.press('ArrowRight');
  expect(await focused()).toMatch(/^Store.*, called$/);
  await page.context().close();
});

it('says what makes a graph where there is none', async () => {
  const other = createPageHome();
  try {
    const page = await browser.openTab(other);
    await goTo(page, 'graph');
    await expectSound(page, 'graph-none');
    expect(await page.locator('.empty').textContent()).toContain('fairlead graph index');
    await page.context().close();
  } finally {
    other.remove();
  }
});
