import { expect, it } from 'vitest';
import { mailboxOf } from './mailboxes.ts';

// spec: 2.3.80
it.each([
  ['lin@qq.com', 'mail.qq.com'],
  ['lin@FoxMail.com', 'mail.qq.com'],
  ['lin@163.com', 'mail.163.com'],
  ['lin+sooner@gmail.com', 'mail.google.com'],
  ['lin@hotmail.com', 'outlook.live.com'],
  ['lin@icloud.com', 'www.icloud.com/mail'],
  ['lin@notgmail.com', null],
  ['lin@gmail.com.example.com', null],
  ['constructor', null],
])('knows the mailbox of %s: %s', (email, site) => expect(mailboxOf(email)).toBe(site));
