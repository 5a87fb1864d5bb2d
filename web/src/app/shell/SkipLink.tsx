import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import styles from './SkipLink.module.css';

/** The first thing the keyboard meets: past the header to the content. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <div className={styles.place}>
      <ButtonLink href="#main">{t('shell.skip')}</ButtonLink>
    </div>
  );
}
