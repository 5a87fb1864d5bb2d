import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBilling } from '../../shared/api/billing.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import styles from './SectionNav.module.css';

const sections = [
  ['language', 'settings.preferences'],
  ['notifications', 'settings.notifications'],
  ['referral', 'referral.title'],
  ['account', 'account.title'],
  ['sign-ins', 'signIns.title'],
  ['activity', 'activity.title'],
  ['two-step', 'second.title'],
  ['portal-accounts', 'portalAccounts.title'],
  ['export', 'exportData.title'],
  ['delete-account', 'deletion.title'],
] as const satisfies [string, TextKey][];

/**
 * Returns the id of the section that the user reads: the last one whose top is in the upper third
 * of the window or above.
 */
function useCurrent(): string {
  const [current, setCurrent] = useState<string>(sections[0][0]);
  useEffect(() => {
    const find = () => {
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      const passed = sections.filter(([id]) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top < window.innerHeight / 3;
      });
      setCurrent((atEnd ? sections.at(-1) : passed.at(-1))?.[0] ?? sections[0][0]);
    };
    find();
    window.addEventListener('scroll', find, { passive: true });
    return () => window.removeEventListener('scroll', find);
  }, []);
  return current;
}

/** Renders the list of sections beside the settings on wide windows, and marks the present one. */
export function SectionNav() {
  const { t } = useTranslation();
  const billing = useBilling();
  const current = useCurrent();
  return (
    <nav aria-label={t('settings.sections')} className={styles.nav}>
      <ul>
        {sections
          .filter(([id]) => billing || id !== 'referral')
          .map(([id, textKey]) => (
            <li key={id}>
              <a href={`#${id}`} aria-current={id === current ? 'location' : undefined} className={styles.link}>
                {t(textKey)}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}
