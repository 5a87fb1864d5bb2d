import { useTranslation } from 'react-i18next';
import styles from './DemoRibbon.module.css';

/** Renders the notice that this server is a demo with a simulated portal. */
export function DemoRibbon({ demo }: { demo: boolean | undefined }) {
  const { t } = useTranslation();
  if (!demo) return null;
  return (
    <aside aria-label={t('shell.demoLabel')} className={styles.ribbon}>
      {t('shell.demo')}
    </aside>
  );
}
