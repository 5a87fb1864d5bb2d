import { type ComponentType, Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { WhereBilled, WhereOpen } from '../../shared/api/facts.tsx';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Container } from '../../shared/ui/Layout.tsx';
import { Mark } from '../../shared/ui/Mark.tsx';
import styles from './PublicFooter.module.css';

interface FooterLink {
  href: string;
  label: string;
  /**
   * Component that decides whether its children are visible. Without it the link is always visible.
   */
  Where?: ComponentType<{ children: ReactNode }>;
}

/**
 * Renders the footer of the public pages: links, the statement that the service is not affiliated
 * with the government, and the advice to read the portal's terms.
 */
export function PublicFooter() {
  const { t } = useTranslation();
  const language = useLanguage();
  const columns: { title: string; links: FooterLink[] }[] = [
    {
      title: t('open.product'),
      links: [
        { href: `${paths.home}#showcase`, label: t('open.showcase') },
        { href: paths.pricing, label: t('footer.pricing'), Where: WhereBilled },
        { href: paths.faq, label: t('nav.faq') },
        { href: paths.status, label: t('nav.status') },
      ],
    },
    {
      title: t('open.account'),
      links: [
        { href: paths.login, label: t('nav.login') },
        { href: paths.register, label: t('nav.register'), Where: WhereOpen },
        { href: paths.forgot, label: t('open.forgot') },
      ],
    },
    {
      title: t('open.about'),
      links: [
        { href: paths.terms, label: t('footer.terms') },
        { href: paths.refunds, label: t('footer.refunds'), Where: WhereBilled },
        { href: paths.privacy, label: t('footer.privacy') },
        { href: `${paths.home}#contact`, label: t('open.contact') },
      ],
    },
  ];
  return (
    <footer className={styles.footer}>
      <Container>
        <div className={styles.top}>
          <div>
            <div className={styles.brand}>
              <Mark />
              {t('brand.name')}
              {language === 'zh' && <small lang="en">{t('brand.latin')}</small>}
            </div>
            <p className={styles.tagline}>{t('open.tagline')}</p>
          </div>
          <div className={styles.links}>
            {columns.map((column) => (
              <nav key={column.title} aria-label={column.title}>
                <h2>{column.title}</h2>
                <ul>
                  {column.links.map(({ href, label, Where = Fragment }) => (
                    <Where key={href}>
                      <li>
                        <a href={href}>{label}</a>
                      </li>
                    </Where>
                  ))}
                </ul>
              </nav>
            ))}
          </div>
        </div>
        <div className={styles.fine}>
          <p className={styles.independent}>{t('open.independent')}</p>
          <p>{t('open.terms')}</p>
          <p>{t('open.rights')}</p>
        </div>
      </Container>
    </footer>
  );
}
