import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { zoneTitle } from '../../shared/i18n/displayZone.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Container } from '../../shared/ui/Layout.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import styles from './Footer.module.css';

interface Props {
  /**
   * Component that renders its children if the server charges for bookings. The app and the
   * documents pass different components.
   */
  Billed: ComponentType<{ children: ReactNode }>;
}

/**
 * Renders the footer of every app page: the statement of non-affiliation, links to rules, privacy
 * and status, and the time zone.
 */
export function Footer({ Billed }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Container as="footer" className={styles.footer}>
      <div className={styles.row}>
        <span>{t('footer.disclaimer')}</span>
        <Billed>
          <Link to={paths.pricing}>{t('footer.pricing')}</Link>
          <Link to={paths.refunds}>{t('footer.refunds')}</Link>
        </Billed>
        <Link to={paths.terms}>{t('footer.terms')}</Link>
        <Link to={paths.privacy}>{t('footer.privacy')}</Link>
        <Link to={paths.status}>{t('footer.status')}</Link>
        <Link to={paths.faq}>{t('footer.faq')}</Link>
        <span>{t('footer.times', { zone: zoneTitle(language) })}</span>
      </div>
    </Container>
  );
}
