import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { answer, client } from '../../shared/api/client.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { randomKey } from '../../shared/browser/randomKey.ts';
import { writeVerification } from './verifyCache.ts';

/** Code of a successful sign-in to an account without appointments to monitor. */
export const NO_APPOINTMENTS = 'NO_APPOINTMENTS';

interface Credentials {
  username: string;
  password: string;
  countryCode: string;
  visaType: string;
}

interface VerifyInput {
  credentials: Credentials;
  force: boolean;
  progressId: string;
}

async function signIn({ credentials, force, progressId }: VerifyInput) {
  const { username, password, countryCode, visaType } = credentials;
  const login = { username, password, country_code: countryCode, visa_type: visaType };
  const body = { ...login, force_refresh: force, progress_id: progressId };
  const verified = await answer(client.POST('/schedules/verify-credentials', { body }));
  if (verified.schedules.length === 0)
    throw new ApiError(NO_APPOINTMENTS, 'No available appointments found in this account', 200);
  return verified;
}

/**
 * Signs in at the portal through the server and caches the response for 30 minutes. The user may
 * leave earlier; the response is still cached, but opens no page. Failures are shown, and no result
 * is invented.
 */
export function useVerify(userId: string, onVerified?: () => void) {
  const left = useRef(new Set<string>());
  // Two presses can come before the next render. One sign-in is enough.
  const running = useRef(false);
  const [progressId, setProgressId] = useState('');
  const verify = useMutation({
    networkMode: 'always',
    mutationFn: signIn,
    onSettled: () => {
      running.current = false;
    },
    onSuccess: (verified, { credentials, progressId: id }) => {
      const { username, countryCode, visaType } = credentials;
      writeVerification({ userId, username, countryCode, visaType }, verified, Date.now());
      if (!left.current.has(id)) onVerified?.();
    },
  });
  return {
    busy: verify.isPending,
    error: verify.error,
    progressId,
    start: (credentials: Credentials, force: boolean) => {
      if (running.current) return;
      running.current = true;
      const id = randomKey();
      setProgressId(id);
      verify.mutate({ credentials, force, progressId: id });
    },
    /** Stops waiting, or dismisses the failure. */
    leave: () => {
      left.current.add(progressId);
      running.current = false;
      verify.reset();
    },
  };
}
