import { request, requestFile } from './client.ts';
import type { DeletionProspect, NewSecondFactor, PortalAccount, SecondFactor, SignIn, User } from './types.ts';

/** Bytes received so far, and how many there will be where the server says so. */
export interface Progress {
  received: number;
  total: number | null;
}

interface Export {
  blob: Blob;
  name: string;
}

function fileName(disposition: string | null): string {
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1] ?? 'sooner-export.zip';
}

async function readExport(onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<Export> {
  const response = await requestFile('POST', '/user/export', { accept: 'application/zip', signal });
  const name = fileName(response.headers.get('Content-Disposition'));
  const total = Number(response.headers.get('Content-Length')) || null;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  const reader = response.body?.getReader();
  for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
    parts.push(step.value);
    received += step.value.length;
    onProgress({ received, total });
  }
  return { blob: new Blob(parts, { type: 'application/zip' }), name };
}

/** The calls of the settings page about the account itself. */
export const account = {
  stepUp: (body: { password?: string; totp_code?: string }) => request<{ until: string }>('POST', '/auth/step-up', { body }),
  changePassword: (body: { current_password?: string; new_password: string }) =>
    request<unknown>('POST', '/auth/change-password', { body }),
  changeEmail: (email: string) =>
    request<{ user: User; email_change_sent: boolean }>('PUT', '/auth/profile', { body: { email } }),

  signIns: () => request<{ sessions: SignIn[] }>('GET', '/user/sessions').then((data) => data.sessions),
  endSignIn: (id: string) => request<unknown>('DELETE', `/user/sessions/${id}`),
  endOthers: () => request<{ ended: number }>('POST', '/auth/logout-all', { body: { keep_current: true } }),

  secondFactor: () => request<SecondFactor>('GET', '/user/totp'),
  beginSecondFactor: () => request<NewSecondFactor>('POST', '/user/totp'),
  confirmSecondFactor: (code: string) =>
    request<{ recovery_codes: string[] }>('POST', '/user/totp/confirm', { body: { code } }).then((data) => data.recovery_codes),
  newRecoveryCodes: () =>
    request<{ recovery_codes: string[] }>('POST', '/user/totp/recovery-codes').then((data) => data.recovery_codes),
  removeSecondFactor: () => request<unknown>('DELETE', '/user/totp'),

  portalAccounts: () => request<{ credentials: PortalAccount[] }>('GET', '/user/credentials').then((data) => data.credentials),
  deletePortalAccount: (id: string) => request<unknown>('DELETE', `/user/credentials/${id}`),

  readExport,
  deletion: () => request<DeletionProspect>('GET', '/user/deletion'),
  deleteAccount: (forfeit_balance: number) => request<unknown>('POST', '/user/deletion', { body: { forfeit_balance } }),
};
