import { Bell, Database, Laptop, Lock, type LucideIcon, User as Person, ShieldCheck, Users } from 'lucide-react';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { paths, type SettingsTopic } from '../../shared/routing/paths.ts';

interface Topic {
  icon: LucideIcon;
  title: TextKey;
}

/** Topics of the settings in the order of the index. Each has a page. */
export const topics: Record<SettingsTopic, Topic> = {
  notifications: { icon: Bell, title: 'settings.notifications' },
  'visa-accounts': { icon: Lock, title: 'portalAccounts.title' },
  account: { icon: Person, title: 'account.title' },
  security: { icon: ShieldCheck, title: 'settings.security' },
  devices: { icon: Laptop, title: 'settings.devices' },
  data: { icon: Database, title: 'settings.data' },
  referral: { icon: Users, title: 'referral.title' },
};

/**
 * Fragments of the former single page of settings. Mails, bookmarks and returns from Google still
 * contain them.
 */
const formerSections = new Map([
  ['notifications', paths.settingsTopic('notifications')],
  ['referral', paths.settingsTopic('referral')],
  ['account', paths.settingsTopic('account')],
  ['sign-ins', `${paths.settingsTopic('devices')}#sign-ins`],
  ['activity', `${paths.settingsTopic('devices')}#activity`],
  ['two-step', `${paths.settingsTopic('security')}#two-step`],
  ['portal-accounts', paths.settingsTopic('visa-accounts')],
  ['export', `${paths.settingsTopic('data')}#export`],
  ['delete-account', `${paths.settingsTopic('data')}#delete-account`],
]);

/** Returns the present address of a section of the former page, if the fragment names one. */
export const formerSection = (hash: string): string | undefined => formerSections.get(hash.slice(1));
