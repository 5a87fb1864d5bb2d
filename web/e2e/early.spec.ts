import type { Page, Request } from '@playwright/test';
import { Accounts } from './pages/accounts.ts';
import { verificationPath } from './support/inbox.ts';
import { PageTexts } from './support/pageTexts.ts';
import { readReady } from './support/ready.ts';
import { expect, test } from './support/story.ts';

const PASSWORD = 'Sunrise#2026';

test.use({ locale: 'zh-CN', viewport: { width: 360, height: 740 } });

const texts = new PageTexts('zh');
const field = (page: Page, key: 'auth.email' | 'auth.password' | 'auth.confirmPassword') =>
  page.getByRole('main').getByLabel(texts.text(key), { exact: true });

interface Early {
  /** Addresses that the browser has requested. */
  asked: string[];
  /** Permits the page's code to load. */
  wake: () => void;
}

/** Opens a page whose scripts do not load before `wake` is called, as on a slow phone. */
async function openEarly(page: Page, path: string): Promise<Early> {
  const asked: string[] = [];
  page.on('request', (request: Request) => void asked.push(request.url()));
  let wake = (): void => undefined;
  const awake = new Promise<void>((come) => {
    wake = come;
  });
  await page.route('**/assets/*.js', async (route) => {
    await awake;
    await route.continue().catch(() => undefined);
  });
  await page.goto(`${readReady().url}${path}`, { waitUntil: 'commit' });
  await expect(field(page, 'auth.password')).toBeVisible();
  return { asked, wake };
}

const isAlive = (page: Page) => page.evaluate(() => 'alive' in document.documentElement.dataset);

/** Fills in values like a browser's autofill, which dispatches no events. */
const autofill = (page: Page, values: Record<string, string>) =>
  page.evaluate((given) => {
    for (const [name, value] of Object.entries(given)) {
      const input = document.querySelector<HTMLInputElement>(`input[name="${name}"]`);
      if (!input) throw new Error(`no field ${name}`);
      input.value = value;
    }
  }, values);

test('a sign-in that is typed and submitted before the code loads is sent once it has', async ({ page }) => {
  const { email, password } = readReady();
  const { asked, wake } = await openEarly(page, '/auth/login?next=/settings');
  const button = page.getByRole('main').getByRole('button', { name: texts.text('auth.signInButton'), exact: true });
  await field(page, 'auth.email').fill(email);
  await field(page, 'auth.password').pressSequentially(password);
  await page.keyboard.press('Enter');
  expect(await isAlive(page), 'the story is about the time before').toBe(false);
  await expect(button, 'says that it was heard').toHaveAttribute('data-pressed', '');
  wake();
  await page.waitForURL(({ pathname }) => pathname === '/settings');
  expect(
    asked.filter((url) => decodeURIComponent(url).includes(password)),
    'no address has the password',
  ).toEqual([]);
  expect(asked.filter((url) => url.endsWith('/api/v1/auth/login'))).toHaveLength(1);
});

test('values that the browser fills in before the code loads are kept, and can be sent', async ({ page }) => {
  const { email, password } = readReady();
  const { asked, wake } = await openEarly(page, '/auth/login');
  await autofill(page, { username: email, password });
  await page.getByLabel(texts.text('auth.rememberMe')).check();
  expect(await isAlive(page)).toBe(false);
  wake();
  await expect.poll(() => isAlive(page), { timeout: 30_000 }).toBe(true);
  expect([await field(page, 'auth.email').inputValue(), await field(page, 'auth.password').inputValue()]).toEqual([
    email,
    password,
  ]);
  await page
    .getByRole('main')
    .getByRole('button', { name: texts.text('auth.signInButton'), exact: true })
    .click();
  await page.waitForURL(({ pathname }) => pathname === '/dashboard');
  expect(await page.evaluate(() => sessionStorage.getItem('sooner.refresh')), 'remembered').toBeNull();
  expect(asked.filter((url) => decodeURIComponent(url).includes(password))).toEqual([]);
});

test('typing on after Enter cancels the submit and loses nothing', async ({ page }) => {
  const { asked, wake } = await openEarly(page, '/auth/login');
  await field(page, 'auth.email').fill('early@example.com');
  await page.keyboard.press('Enter');
  await field(page, 'auth.password').pressSequentially('not yet');
  wake();
  await expect.poll(() => isAlive(page), { timeout: 30_000 }).toBe(true);
  await expect(field(page, 'auth.email')).toHaveValue('early@example.com');
  await expect(field(page, 'auth.password')).toHaveValue('not yet');
  await page.waitForLoadState('networkidle');
  expect(asked.filter((url) => url.includes('/auth/login') && url.includes('/api/'))).toEqual([]);
});

test('a registration before the code loads is sent once it has', async ({ page }) => {
  const ready = readReady();
  const email = `early-${Date.now()}@example.com`;
  const { asked, wake } = await openEarly(page, '/auth/register');
  await field(page, 'auth.email').fill(email);
  await autofill(page, { password: PASSWORD, confirmPassword: PASSWORD });
  await page
    .getByRole('main')
    .getByRole('button', { name: texts.text('auth.registerButton'), exact: true })
    .click();
  expect(await isAlive(page)).toBe(false);
  wake();
  await expect(page.getByText(texts.text('auth.registered'))).toBeVisible({ timeout: 30_000 });
  expect(asked.filter((url) => decodeURIComponent(url).includes(PASSWORD))).toEqual([]);
  expect(await verificationPath(ready.inbox_url, email)).toContain('token=');
});

test('an incomplete registration shows its problems once the code has loaded', async ({ page }) => {
  const { wake } = await openEarly(page, '/auth/register');
  await field(page, 'auth.email').fill('early@example.com');
  await page.keyboard.press('Enter');
  wake();
  await expect(page.getByText(texts.text('auth.passwordRequired'))).toBeVisible({ timeout: 30_000 });
  await expect(field(page, 'auth.email')).toHaveValue('early@example.com');
});

test('the app uses the language of its document, whatever the browser prefers', async ({ page, context }) => {
  const { url } = readReady();
  await context.addCookies([{ name: 'lang', value: 'en', url }]);
  await page.goto(`${url}/nothing-here`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(new PageTexts('en').text('notFound.title'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

test('a page of the app requests each resource once, although the event stream starts later', async ({ browser }) => {
  const ready = readReady();
  const page = await browser.newPage({ baseURL: ready.url, locale: 'zh-CN' });
  const email = `once-${Date.now()}@example.com`;
  const accounts = new Accounts(page, texts);
  await accounts.register(email, PASSWORD);
  const path = await verificationPath(ready.inbox_url, email);
  const stream = () => page.waitForResponse((response) => response.url().endsWith('/api/v1/events'));
  const before = stream();
  await accounts.confirm(path);
  // Waits for the previous page's stream, so that it is not mistaken for the stream of the next
  // page.
  await before;
  const after = stream();
  await page.reload();
  const begun = await after;
  expect(begun.request().headers()['last-event-id'], 'it begins where the page began').toMatch(/^\d{16}$/);
  // Counts only requests of this document. The previous document may still send some.
  const asked = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => name.includes('/api/')),
    );
  await expect.poll(async () => (await asked()).length).toBeGreaterThan(5);
  // Waits, because the app collects events for a moment before it sends requests.
  await page.waitForTimeout(2_000);
  const all = await asked();
  expect(all.filter((url, at) => all.indexOf(url) !== at)).toEqual([]);
  await page.close();
});
