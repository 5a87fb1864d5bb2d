/** Hosts of the large mail providers, with the domains of their addresses. */
const mailboxes = {
  'mail.qq.com': ['qq.com', 'vip.qq.com', 'foxmail.com'],
  'mail.163.com': ['163.com'],
  'mail.126.com': ['126.com'],
  'mail.yeah.net': ['yeah.net'],
  'mail.sina.com.cn': ['sina.com', 'sina.cn', 'vip.sina.com'],
  'mail.sohu.com': ['sohu.com'],
  'mail.10086.cn': ['139.com'],
  'mail.aliyun.com': ['aliyun.com'],
  'mail.google.com': ['gmail.com', 'googlemail.com'],
  'outlook.live.com': ['outlook.com', 'hotmail.com', 'hotmail.ca', 'live.com', 'live.ca', 'live.cn', 'msn.com'],
  'www.icloud.com/mail': ['icloud.com', 'me.com', 'mac.com'],
  'mail.yahoo.com': ['yahoo.com', 'yahoo.ca', 'ymail.com'],
  'mail.proton.me': ['proton.me', 'protonmail.com', 'pm.me'],
};

/**
 * Returns the site where the owner of a mail address reads mail, for example `mail.qq.com`. Returns
 * null for other providers.
 */
export function mailboxOf(email: string): string | null {
  const domain = email.split('@').at(-1)?.toLowerCase() ?? '';
  return Object.entries(mailboxes).find(([, domains]) => domains.includes(domain))?.[0] ?? null;
}
