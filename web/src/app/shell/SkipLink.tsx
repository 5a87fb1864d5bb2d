import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import styles from './SkipLink.module.css';

/** Renders the link that skips the header. It is the first tab stop of the page. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <div className={styles.place}>
      <ButtonLink href="#main">{t('shell.skip')}</ButtonLink>
    </div>
  );
}
