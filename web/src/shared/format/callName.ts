import type { User } from '../api/types.ts';

/** Returns the display name, or the part of the mail address before the @. */
export function callName({ display_name, email }: Pick<User, 'email'> & { display_name?: string | null }): string {
  return display_name || (email.split('@')[0] ?? '').toLowerCase();
}

/** Returns the initial of a user's name, for the avatar. */
export const initialOf = (person: Parameters<typeof callName>[0]) => ([...callName(person)][0] ?? '?').toUpperCase();
