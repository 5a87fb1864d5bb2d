import { useMutation } from '@tanstack/react-query';
import { api, type PortalCredentials } from '../../api/calls.ts';
import { ApiError } from '../../api/errors.ts';
import type { Verification } from '../../api/types.ts';
import { writeVerification } from '../../lib/verifyCache.ts';

interface Request {
  credentials: PortalCredentials;
  force: boolean;
}

/** Signs in at the portal through the server and keeps the answer for 30 minutes. An account without groups is an error of its own. */
export function useVerify(userId: string, onVerified: (answer: Verification, credentials: PortalCredentials) => void) {
  return useMutation({
    mutationFn: async ({ credentials, force }: Request) => {
      const answer = await api.verifyCredentials(credentials, force);
      if (answer.schedules.length === 0)
        throw new ApiError('NO_APPOINTMENTS', 'No available appointments found in this account', 200);
      return answer;
    },
    onSuccess: (answer, { credentials }) => {
      const { username, countryCode, visaType } = credentials;
      writeVerification({ userId, username, countryCode, visaType }, answer, Date.now());
      onVerified(answer, credentials);
    },
  });
}
