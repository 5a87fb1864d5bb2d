/** Masks `Zhao Mingyuan` as `Z***`. */
export function maskName(name: string): string {
  return name ? `${name[0]}***` : '';
}

/** Masks `zhao@example.com` as `z***@example.com`. A login name without @ is masked like a name. */
export function maskEmail(email: string): string {
  const split = email.indexOf('@');
  return split > 0 ? `${email[0]}***${email.slice(split)}` : maskName(email);
}

/** Masks `70220418` as `70****18`. A number of up to four digits is hidden completely. */
export function maskIvr(ivr: string): string {
  return ivr.length > 4 ? `${ivr.slice(0, 2)}****${ivr.slice(-2)}` : '****';
}
