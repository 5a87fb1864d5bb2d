import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../shared/routing/paths.ts';
import { SideNote } from '../../shared/ui/SideNote.tsx';
import styles from './SafeNote.module.css';

/** Renders a note in small print about the use of the portal password. */
export function SafeNote() {
  const { t } = useTranslation();
  return (
    <SideNote icon={ShieldCheck}>
      {t('portal.safe')}{' '}
      <Link to={paths.privacy} className={styles.link}>
        {t('portal.howKept')}
      </Link>
    </SideNote>
  );
}
