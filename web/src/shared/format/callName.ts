import type { User } from '../api/types.ts';

/** What to call somebody: the name they gave, or what stands before the @ of their address. */
export function callName({ display_name, email }: Pick<User, 'email'> & { display_name?: string | null }): string {
  return display_name || (email.split('@')[0] ?? '').toLowerCase();
}

/** The letter that stands for them. */
export const initialOf = (person: Parameters<typeof callName>[0]) => ([...callName(person)][0] ?? '?').toUpperCase();
