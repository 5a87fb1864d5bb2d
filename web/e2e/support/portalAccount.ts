import type { Ready } from './ready.ts';
import { expect } from './story.ts';

export const PORTAL_PASSWORD = 'Maple-2026';

/** Creates a portal account with one applicant, whose appointment is 300 days ahead. */
export async function portalAccount(ready: Ready, name: string): Promise<string> {
  const username = `${name}@example.com`;
  const date = new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10);
  const group = { applicants: ['LIN YUE'], appointment: { facility: 94, date, time: '08:15' } };
  const response = await fetch(`${ready.sandbox_url}/control/accounts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password: PORTAL_PASSWORD, groups: [group] }),
  });
  expect(response.ok, 'the sandbox has a new account').toBe(true);
  return username;
}
