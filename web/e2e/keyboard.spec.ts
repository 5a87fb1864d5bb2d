import { tabTo } from './support/keyboard.ts';
import { PageTexts } from './support/pageTexts.ts';
import { readReady } from './support/ready.ts';
import { expect, pressAndUndo, test } from './support/story.ts';

test.use({ locale: 'en-CA', viewport: { width: 1280, height: 860 } });

test('by keyboard alone a user signs in, opens a task, and undoes an action', async ({ page }) => {
  const { url, email, password } = readReady();
  const texts = new PageTexts('en');
  const main = page.getByRole('main');
  const skip = page.getByRole('link', { name: texts.text('shell.skip') });

  await test.step('skip the header, fill in the form, sign in', async () => {
    await page.goto(`${url}/auth/login`);
    await tabTo(page, skip);
    await page.keyboard.press('Enter');
    await expect(main).toBeFocused();
    await tabTo(page, main.getByLabel(texts.text('auth.email'), { exact: true }));
    await page.keyboard.type(email);
    await tabTo(page, main.getByLabel(texts.text('auth.password'), { exact: true }));
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(({ pathname }) => pathname === '/dashboard');
  });

  await test.step('open a task from the dashboard', async () => {
    const card = page.getByRole('article').first();
    await expect(card).toBeVisible();
    await tabTo(page, skip);
    await page.keyboard.press('Enter');
    await expect(main).toBeFocused();
    await tabTo(page, card.getByRole('link', { name: texts.text('task.details') }));
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/schedule\/[^/]+$/);
    // Waits for the content, because the address changes slightly earlier.
    await expect(main.getByRole('link', { name: texts.text('detail.back') })).toBeVisible();
    await expect(main.getByRole('heading', { level: 1 })).toBeFocused();
  });

  await test.step('undo a pause with the key that started it', async () => {
    const names = (['task.pause', 'task.start', 'condition.keepLooking', 'condition.allowMore'] as const).map((key) =>
      texts.text(key),
    );
    const move = main.getByRole('button', { name: new RegExp(`^(${names.join('|')})$`) });
    await expect(move.first()).toBeEnabled();
    await tabTo(page, move.first());
    const undo = main.getByRole('button', { name: texts.text('task.undo'), exact: true });
    await pressAndUndo(
      page,
      () => page.keyboard.press('Enter'),
      async () => {
        await expect(undo).toBeFocused();
        await page.keyboard.press('Enter');
      },
    );
    await expect(move.first()).toBeFocused();
  });
});
