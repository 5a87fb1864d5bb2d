import { useTranslation } from 'react-i18next';
import { useIdentity } from '../shared/api/useIdentity.ts';
import { usePageTitle } from '../shared/hooks/usePageTitle.ts';
import { paths } from '../shared/routing/paths.ts';
import { ButtonLink } from '../shared/ui/Button.tsx';
import { Illustration } from '../shared/ui/Illustration.tsx';
import { Container } from '../shared/ui/Layout.tsx';
import { Link } from '../shared/ui/Link.tsx';
import { Text } from '../shared/ui/Text.tsx';
import styles from './NotFoundPage.module.css';

/** Renders the page for unknown addresses: a message, a link back, and links to likely pages. */
export function NotFoundPage() {
  const { t } = useTranslation();
  const identity = useIdentity();
  usePageTitle(t('notFound.title'));
  const elsewhere = [
    ...(identity
      ? [
          { to: paths.wizard(), label: t('nav.wizard') },
          { to: paths.settings, label: t('nav.settings') },
        ]
      : [{ to: paths.login, label: t('nav.login') }]),
    { to: paths.faq, label: t('nav.faq') },
    { to: paths.status, label: t('nav.status') },
  ];
  return (
    <Container className={styles.page}>
      <Illustration name="lost" width={220} />
      <Text as="h1" variant="h2" className={styles.title}>
        {t('notFound.title')}
      </Text>
      <Text color="secondary" className={styles.text}>
        {t('notFound.text')}
      </Text>
      <ButtonLink render={<Link to={identity ? paths.dashboard : paths.home} />}>
        {identity ? t('wizard.toDashboard') : t('error.home')}
      </ButtonLink>
      <Text variant="small" color="tertiary" className={styles.tries}>
        {t('notFound.tries')}
      </Text>
      <ul className={styles.links}>
        {elsewhere.map(({ to, label }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
      </ul>
    </Container>
  );
}
