import { useEffect } from 'react';
import { answer, client } from '../../shared/api/client.ts';
import { storeMethods, useKnownMethods } from '../../shared/api/methods.ts';

/**
 * Returns whether the user of a single-user server signs in with a link. Documents do not contain
 * this, so it is requested from the server, but only if registration is closed.
 */
export function useOwnLink(): boolean {
  const { registration = 'open', link = false } = useKnownMethods() ?? {};
  const closed = registration !== 'open' && !link;
  useEffect(() => {
    if (closed) void answer(client.GET('/auth/methods')).then(storeMethods, () => undefined);
  }, [closed]);
  return link;
}
