/** Masks `Zhao Mingyuan` as `Z***`. */
export function maskName(name: string): string {
  return name ? `${name[0]}***` : '';
}

/** Masks `zhao@example.com` as `z***@example.com`, and a login without @ as its first letter. */
export function maskEmail(email: string): string {
  const split = email.indexOf('@');
  return split > 0 ? `${email[0]}***${email.slice(split)}` : maskName(email);
}

/**
 * Masks `70220418` as `70****18`. A number too short for two visible digits at each end is hidden
 * whole.
 */
export function maskIvr(ivr: string): string {
  return ivr.length > 4 ? `${ivr.slice(0, 2)}****${ivr.slice(-2)}` : '****';
}
