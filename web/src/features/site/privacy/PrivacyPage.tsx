import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../../shared/hooks/usePageTitle.ts';
import { Container } from '../../../shared/ui/Layout.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { BrowserTable } from './BrowserTable.tsx';
import styles from './PrivacyPage.module.css';
import { privacyParts } from './privacyParts.ts';

/** /privacy: what is stored, how it is encrypted, who sees it, how it goes away. Static: it is never made live in a browser. */
export function PrivacyPage() {
  const { t } = useTranslation();
  usePageTitle(t('privacy.title'));
  return (
    <Container className={styles.page}>
      <aside className={styles.aside}>
        <Text as="h1" variant="h2">
          {t('privacy.title')}
        </Text>
        <Text color="secondary" className={styles.lead}>
          {t('privacy.lead')}
        </Text>
        <Text variant="caption" color="tertiary" className={styles.lead}>
          {t('privacy.changed')}
        </Text>
        <nav className={styles.contents} aria-label={t('privacy.contents')}>
          <ul>
            {privacyParts.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{t(title)}</a>
              </li>
            ))}
          </ul>
        </nav>
      </aside>
      <article className={styles.text}>
        {privacyParts.map(({ id, title, text, points }) => (
          <section key={id} id={id} className={styles.part}>
            <h2>{t(title)}</h2>
            <p>{t(text)}</p>
            {points.length > 0 && (
              <ul>
                {points.map((point) => (
                  <li key={point}>{t(point)}</li>
                ))}
              </ul>
            )}
            {id === 'browser' && <BrowserTable />}
          </section>
        ))}
      </article>
    </Container>
  );
}
