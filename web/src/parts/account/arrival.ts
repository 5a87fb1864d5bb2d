const KEY = 'sooner.registered';

/** Remembers, over a page load, who has just registered: the sign-in page says what comes next. */
export function rememberRegistered(email: string): void {
  try {
    sessionStorage.setItem(KEY, email);
  } catch {
    // Blocked storage: the sign-in page then says nothing special.
  }
}

/** Who has just registered, once. */
export function takeRegistered(): string | null {
  try {
    const email = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return email;
  } catch {
    return null;
  }
}
