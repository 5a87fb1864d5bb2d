import { expect } from '@playwright/test';

interface Mail {
  id: number | string;
  to: string | string[];
  subject: string;
  text: string | null;
  html: string | null;
}

const LINK = /https?:\/\/[^\s"'<>]+\/auth\/verify-email\?token=[^\s"'<>&]+/;

async function mails(inboxUrl: string, to: string): Promise<Mail[]> {
  const base = inboxUrl.replace(/\/(inbox)?\/?$/, '');
  const response = await fetch(`${base}/inbox.json`);
  const all = (await response.json()) as Mail[];
  return all.filter((mail) => JSON.stringify(mail.to).toLowerCase().includes(to.toLowerCase()));
}

/** Waits for the confirmation mail of an address and returns the path of the link in it. */
export async function verificationPath(inboxUrl: string, to: string): Promise<string> {
  let link = '';
  await expect
    .poll(
      async () => {
        for (const mail of await mails(inboxUrl, to))
          link = (LINK.exec(`${mail.text ?? ''}\n${mail.html ?? ''}`)?.[0] ?? link).replaceAll('&amp;', '&');
        return link;
      },
      { timeout: 30_000, message: `a confirmation mail for ${to}` },
    )
    .not.toBe('');
  const url = new URL(link);
  return `${url.pathname}${url.search}`;
}

/** Waits until an address has at least `count` mails. */
export async function expectMails(inboxUrl: string, to: string, count: number): Promise<void> {
  await expect
    .poll(async () => (await mails(inboxUrl, to)).length, { timeout: 60_000, message: `${count} mails for ${to}` })
    .toBeGreaterThanOrEqual(count);
}
