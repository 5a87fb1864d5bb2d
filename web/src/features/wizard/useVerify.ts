import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { answer, client } from '../../shared/api/client.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { randomKey } from '../../shared/browser/randomKey.ts';
import { writeVerification } from './verifyCache.ts';

/** Error code for an account that has no appointments to monitor, although the sign-in worked. */
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
  if (verified.schedules.length === 0 && verified.left_out.length === 0)
    throw new ApiError(NO_APPOINTMENTS, 'No available appointments found in this account', 200);
  // The account's form may have shown the server the numbers of further cities. Step 2 must not
  // choose from an old list.
  await queryClient.invalidateQueries(queries.facilities());
  return verified;
}

/**
 * Provides the sign-in at the portal through the server, and caches its response for 30 minutes. If
 * the user leaves earlier, the response is cached but opens no page.
 */
export function useVerify(userId: string, onVerified?: () => void) {
  const left = useRef(new Set<string>());
  // A second press may come before the next render. This ref prevents a second sign-in.
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
    /** Stops waiting for the response, or dismisses a failure. */
    leave: () => {
      left.current.add(progressId);
      running.current = false;
      verify.reset();
    },
  };
}
