import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import type { Language } from '../../src/i18n/language.ts';
import { readReady } from '../support/ready.ts';
import { WordBook } from '../support/words.ts';
import { frame, PICTURE } from './picture.ts';
import { settle, signInToDemo, speak } from './tour.ts';
import { apiOf } from './watcher.ts';

const SIZE = { width: 1280, height: 800 };
/** Nobody wants to watch waiting: a still picture lasts this long at most. */
const LONGEST_STILL_S = 0.7;
const LAST_STILL_S = 2.5;

/** Films the page by the browser's own screencast; `stop` answers each frame's file with the time it is shown. */
async function film(page: Page, folder: string) {
  const session = await page.context().newCDPSession(page);
  const frames: { file: string; at: number }[] = [];
  let rolling = true;
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    if (!rolling) return;
    const file = join(folder, `${String(frames.length).padStart(5, '0')}.jpg`);
    writeFileSync(file, Buffer.from(data, 'base64'));
    frames.push({ file, at: metadata.timestamp ?? 0 });
    void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 90, maxWidth: SIZE.width, maxHeight: SIZE.height });
  return async () => {
    rolling = false;
    await session.send('Page.stopScreencast');
    return frames.map((frame, index) => {
      const next = frames[index + 1];
      return { file: frame.file, seconds: next ? Math.min(LONGEST_STILL_S, Math.max(0.02, next.at - frame.at)) : LAST_STILL_S };
    });
  };
}

/** Both formats, small: the page is flat colours and text. Needs ffmpeg. */
function encode(frames: { file: string; seconds: number }[], folder: string, language: Language): void {
  const list = join(folder, 'list.txt');
  const lines = frames.flatMap(({ file, seconds }) => [`file '${file}'`, `duration ${seconds.toFixed(3)}`]);
  writeFileSync(list, `${lines.join('\n')}\nfile '${frames.at(-1)?.file}'\n`);
  mkdirSync('public/film', { recursive: true });
  const run = (...args: string[]) => execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...args], { stdio: 'inherit' });
  const input = ['-f', 'concat', '-safe', '0', '-i', list, '-vf', 'fps=12,scale=960:600:flags=lanczos,format=yuv420p', '-an'];
  run(...input, '-c:v', 'libvpx-vp9', '-crf', '42', '-b:v', '0', '-row-mt', '1', `public/film/${language}.webm`);
  run(...input, '-c:v', 'libx264', '-crf', '30', '-preset', 'slow', '-movflags', '+faststart', `public/film/${language}.mp4`);
  run('-sseof', '-0.5', '-i', `public/film/${language}.mp4`, '-frames:v', '1', '-quality', '70', `public/film/${language}.webp`);
}

/** One login has one budget of sign-ins: a film per demo. SOONER_FILM names its language. */
test('film', async ({ browser }) => {
  const ready = readReady();
  const language: Language = process.env.SOONER_FILM === 'en' ? 'en' : 'zh';
  const words = new WordBook(language);
  const context = await browser.newContext({
    baseURL: ready.url,
    viewport: SIZE,
    locale: 'zh-CN',
    timezoneId: 'America/Toronto',
  });
  const page = await context.newPage();
  await signInToDemo(page, ready);
  await speak(page, language);
  // Mails follow the account's language.
  await (await apiOf(page))('PUT', '/user/language', { language });
  const folder = mkdtempSync(join(tmpdir(), 'sooner-film-'));
  await page.goto('/schedule/wizard');
  await settle(page);
  const stop = await film(page, folder);
  const main = page.getByRole('main');
  const press = async (key: Parameters<WordBook['text']>[0]) => {
    await page.waitForTimeout(500);
    await main.getByRole('button', { name: words.text(key), exact: true }).click();
  };
  const slowly = { delay: 35 };
  await main.getByLabel(words.text('portal.username'), { exact: true }).pressSequentially(ready.portal_username, slowly);
  await main.getByLabel(words.text('portal.password'), { exact: true }).pressSequentially(ready.portal_password, slowly);
  await press('portal.verify');
  await page.waitForURL('**/schedule/wizard?step=2', { timeout: 60_000 });
  await page.waitForTimeout(700);
  await page
    .getByRole('region', { name: words.text('wizard.whichAppointments') })
    .getByRole('checkbox')
    .first()
    .check();
  const cities = page.getByRole('region', { name: words.text('editor.where') }).getByRole('button');
  for (let n = 0; n < 3; n += 1) {
    await cities.nth(n).click();
    await page.waitForTimeout(350);
  }
  const week = page
    .getByRole('group', { name: words.text('editor.improvement') })
    .getByRole('button', { name: '7', exact: true });
  await week.click();
  await press('wizard.next');
  await page.waitForURL('**/schedule/wizard?step=3');
  await page.waitForTimeout(700);
  await page.getByRole('checkbox', { name: words.text('confirm.agree') }).check();
  await press('submit.button');
  await page.waitForURL('**/dashboard', { timeout: 30_000 });
  await page.waitForTimeout(1_500);
  // The newest task stands first.
  const card = page.getByRole('article').first();
  await expect(card.getByText(words.text('task.history'))).toBeVisible({ timeout: 120_000 });
  await page.waitForTimeout(1_500);
  const frames = await stop();
  encode(frames, folder, language);
  rmSync(folder, { recursive: true, force: true });
  await pictures(browser, page, { card: page.locator(`#${await card.getAttribute('id')}`), inbox: ready.inbox_url, language });
  await context.close();
});

interface Scene {
  card: Locator;
  inbox: string;
  language: Language;
}

/** What has just been booked, paid and told, for the gallery. */
async function pictures(browser: Browser, page: Page, { card, inbox, language }: Scene): Promise<void> {
  await page.setViewportSize({ width: PICTURE.width + 32, height: 900 });
  await page.waitForTimeout(500);
  await frame(page, card, 'booked', language);
  await frame(page, page.locator('#balance'), 'balance', language);
  const list = `${inbox.replace(/\/(inbox)?\/?$/, '')}/inbox.json`;
  const letters = (await (await fetch(list)).json()) as { html: string | null; subject: string }[];
  const told = letters.filter((letter) => letter.html && /已预约|约到|booked/i.test(letter.subject)).at(-1);
  if (!told?.html) throw new Error(`no mail about a booking: ${letters.map((letter) => letter.subject).join('; ')}`);
  const plain = await browser.newPage({ viewport: PICTURE, deviceScaleFactor: 2 });
  await plain.setContent(told.html);
  await frame(plain, plain.locator('body'), 'mail', language);
  await plain.close();
}
