import { expect, type Page } from '@playwright/test';
import type { PageTexts } from '../support/pageTexts.ts';

/** Page object of the account pages: registration, verification, sign-in. */
export class Accounts {
  constructor(
    private readonly page: Page,
    private readonly texts: PageTexts,
  ) {}

  private field(key: 'auth.email' | 'auth.password' | 'auth.confirmPassword' | 'auth.newPassword' | 'auth.confirmNewPassword') {
    return this.page.getByRole('main').getByLabel(this.texts.text(key), { exact: true });
  }

  /**
   * Checks that a text appears that is soon replaced by another page. It checks every frame,
   * because `expect` polls too rarely.
   */
  private async glimpse(key: 'auth.loginDone' | 'auth.registered'): Promise<void> {
    // biome-ignore lint/performance/useDomNodeTextContent: textContent includes hidden texts
    const isShown = (text: string) => document.body?.innerText.includes(text);
    await this.page.waitForFunction(isShown, this.texts.text(key), { polling: 'raf', timeout: 30_000 });
  }

  /** Checks the rules of the registration, registers, and waits for the page that follows. */
  async register(email: string, password: string): Promise<void> {
    const { page, texts } = this;
    await page.goto('/auth/register');
    const submit = page.getByRole('main').getByRole('button', { name: texts.text('auth.registerButton'), exact: true });
    await submit.click();
    await expect(page.getByText(texts.text('auth.emailRequired'))).toBeVisible();
    await expect(page.getByText(texts.text('auth.passwordRequired'))).toBeVisible();
    await this.field('auth.email').fill(email);
    await this.field('auth.password').fill('abcdefgh');
    await expect(page.getByText(texts.text('auth.passwordClasses'))).toBeVisible();
    await expect(page.getByText(texts.text('auth.fair'), { exact: true })).toBeVisible();
    await this.field('auth.password').fill(password);
    await expect(page.getByText(texts.text('auth.strongPassword'))).toBeVisible();
    await this.field('auth.confirmPassword').fill(`${password}x`);
    await submit.click();
    await expect(page.getByText(texts.text('auth.confirmMismatch'))).toBeVisible();
    await this.field('auth.confirmPassword').fill(password);
    await Promise.all([this.glimpse('auth.registered'), submit.click()]);
    await page.waitForURL(/\/auth\/check-mail(\?|$)/);
    await expect(page.getByRole('heading', { level: 1, name: texts.text('auth.checkMailTitle') })).toBeVisible();
    await expect(page.getByText(email, { exact: true })).toBeVisible();
  }

  /**
   * Goes from the page after a registration to the sign-in, and checks that it is refused because
   * the address is not verified.
   */
  async expectUnverified(email: string, password: string): Promise<void> {
    await this.page.getByRole('link', { name: this.texts.text('auth.backToSignIn') }).click();
    await this.page.waitForURL(/\/auth\/login(\?|$)/);
    await this.fillSignIn(email, password);
    await expect(this.page.getByText(this.texts.text('problem.notVerified'))).toBeVisible();
  }

  /**
   * Opens the mailed link in the browser that registered, and presses the button. The user is then
   * signed in.
   */
  async confirm(path: string): Promise<void> {
    await this.pressLink(path);
    await this.page.waitForURL('**/dashboard');
  }

  /**
   * Opens the mailed link in another browser, and presses the button. The sign-in page then opens
   * with the address filled in.
   */
  async confirmElsewhere(path: string, email: string): Promise<void> {
    await this.pressLink(path);
    await this.page.waitForURL(/\/auth\/login(\?|$)/);
    await expect(this.page.getByText(this.texts.text('auth.verifyHere'))).toBeVisible();
    await expect(this.field('auth.email')).toHaveValue(email);
  }

  private async pressLink(path: string): Promise<void> {
    await this.page.goto(path);
    await this.page.getByRole('button', { name: this.texts.text('auth.verifyButton') }).click();
  }

  /** Signs in and waits for `path`. */
  async signIn(email: string, password: string, path: string): Promise<void> {
    await Promise.all([this.glimpse('auth.loginDone'), this.fillSignIn(email, password)]);
    await this.page.waitForURL(`**${path}`);
  }

  /** Enters the password as a proof of identity, which important actions require. */
  async prove(password: string): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: this.texts.text('stepUp.title') });
    await dialog.getByLabel(this.texts.text('auth.password'), { exact: true }).fill(password);
    await dialog.getByRole('button', { name: this.texts.text('stepUp.confirm'), exact: true }).click();
    await expect(dialog).toHaveCount(0);
  }

  /** Requests a reset link and checks the confirmation. */
  async forgot(email: string): Promise<void> {
    const { page, texts } = this;
    await this.field('auth.email').fill(email);
    await page.getByRole('button', { name: texts.text('auth.forgotButton') }).click();
    await expect(page.getByRole('heading', { name: texts.text('auth.forgotSentTitle') })).toBeVisible();
    await expect(page.getByText(email)).toBeVisible();
  }

  /** Types a new password twice, submits it, and checks that `answer` appears. */
  async reset(password: string, answer: string): Promise<void> {
    await this.field('auth.newPassword').fill(password);
    await this.field('auth.confirmNewPassword').fill(password);
    await this.page.getByRole('button', { name: this.texts.text('auth.resetButton') }).click();
    await expect(this.page.getByText(answer)).toBeVisible();
  }

  /**
   * Signs in with Google as the user `person` of the sandbox. The sandbox's sign-in accepts any
   * `email`.
   */
  async goByGoogle(person: string, email: string): Promise<void> {
    await this.page.getByRole('button', { name: this.texts.text('auth.google') }).click();
    await this.page.getByLabel('E-mail').fill(email);
    await this.page.getByRole('button', { name: person, exact: true }).click();
  }

  /** Signs out with the account menu. */
  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: this.texts.pattern('shell.account') }).click();
    await this.page.getByRole('menuitem', { name: this.texts.text('nav.logout') }).click();
    await this.page.waitForURL(/\/auth\/login(\?|$)/);
  }

  /** Fills in the sign-in form and submits it. */
  async fillSignIn(email: string, password: string): Promise<void> {
    await this.field('auth.email').fill(email);
    await this.field('auth.password').fill(password);
    await this.page
      .getByRole('main')
      .getByRole('button', { name: this.texts.text('auth.signInButton'), exact: true })
      .click();
  }
}
