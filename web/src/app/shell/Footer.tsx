import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { zoneTitle } from '../../shared/i18n/displayZone.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Container } from '../../shared/ui/Layout.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import styles from './Footer.module.css';

interface Props {
  /** Shows its children where something is charged: documents know it otherwise than the app does. */
  Billed: ComponentType<{ children: ReactNode }>;
}

/** The line at the foot of every page: whom we do not belong to, the rules, privacy, status, and whose clock the times are on. */
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
