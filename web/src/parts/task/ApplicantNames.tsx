import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maskName } from '../../shared/format/mask.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import styles from './ApplicantNames.module.css';

const MOST = 4;

/**
 * Renders the names of a task's applicants. For a large group it shows four names, and a button for
 * the others.
 */
export function ApplicantNames({ names, hidden }: { names: string[]; hidden: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [open, setOpen] = useState(false);
  const shown = open ? names : names.slice(0, MOST);
  const more = names.length - MOST;
  return (
    <>
      {joined(hidden ? shown.map(maskName) : shown, language)}
      {more > 0 && (
        <>
          {' '}
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className={styles.more}>
            {open ? t('task.fewerNames') : t('task.moreNames', { count: more })}
          </button>
        </>
      )}
    </>
  );
}
