import { expect } from '@playwright/test';

interface Mail {
  id: number | string;
  to: string | string[];
  subject: string;
  text: string | null;
  html: string | null;
}

/** Page that a mailed link opens. */
type LinkPage = 'verify-email' | 'reset-password' | 'sign-in' | 'answer';

async function mails(inboxUrl: string, to: string): Promise<Mail[]> {
  const base = inboxUrl.replace(/\/(inbox)?\/?$/, '');
  const response = await fetch(`${base}/inbox.json`);
  const all = (await response.json()) as Mail[];
  return all.filter((mail) => JSON.stringify(mail.to).toLowerCase().includes(to.toLowerCase()));
}

/** Returns the paths of all links to a page in the mails to an address, oldest first. */
export async function linkPaths(inboxUrl: string, to: string, page: LinkPage): Promise<string[]> {
  const link = new RegExp(`https?://[^\\s"'<>]+/auth/${page}\\?token=[^\\s"'<>&]+`);
  const found = (await mails(inboxUrl, to)).flatMap((mail) => {
    const url = link.exec(`${mail.text ?? ''}\n${mail.html ?? ''}`)?.[0];
    return url ? [new URL(url.replaceAll('&amp;', '&'))] : [];
  });
  return found.map((url) => `${url.pathname}${url.search}`);
}

async function newestLink(inboxUrl: string, to: string, page: LinkPage): Promise<string> {
  let newest: string | undefined;
  const look = async () => {
    newest = (await linkPaths(inboxUrl, to, page)).at(-1) ?? newest;
    return newest ?? '';
  };
  await expect.poll(look, { timeout: 30_000, message: `a ${page} mail for ${to}` }).not.toBe('');
  return newest ?? '';
}

/** Waits for the verification mail to an address, and returns the path of its link. */
export function verificationPath(inboxUrl: string, to: string): Promise<string> {
  return newestLink(inboxUrl, to, 'verify-email');
}

/** Waits for the mail that resets a password, and returns the path of its link. */
export function resetPath(inboxUrl: string, to: string): Promise<string> {
  return newestLink(inboxUrl, to, 'reset-password');
}

/** Waits for the mail with a sign-in link, and returns the path of the newest one. */
export function signInPath(inboxUrl: string, to: string): Promise<string> {
  return newestLink(inboxUrl, to, 'sign-in');
}

/** Waits for the mail with a question, and returns the path of the link in the newest one. */
export function answerPath(inboxUrl: string, to: string): Promise<string> {
  return newestLink(inboxUrl, to, 'answer');
}

/** Waits until an address has at least `count` mails. */
export async function expectMails(inboxUrl: string, to: string, count: number): Promise<void> {
  await expect
    .poll(async () => (await mails(inboxUrl, to)).length, { timeout: 60_000, message: `${count} mails for ${to}` })
    .toBeGreaterThanOrEqual(count);
}
