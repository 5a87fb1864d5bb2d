import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../shared/api/types.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import styles from './CountryNote.module.css';

const reasons: Record<Schemas['CountryState'], TextKey | null> = {
  open: null,
  known: 'portal.notOpenedText',
  not_bookable: 'portal.notBookableText',
  other_system: 'portal.otherSystemText',
  ended: 'portal.endedText',
};

interface Props {
  state: Schemas['CountryState'];
  officialSite: string | null;
  name: string;
  /** Name of the country that is chosen instead. */
  chosen: string;
}

/** Explains why a country cannot be chosen. It links to the official site of another system. */
export function CountryNote({ state, officialSite, name, chosen }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const reason = reasons[state];
  if (!reason) return null;
  return (
    <span className={styles.note}>
      {t(reason, { country: name }) as string}
      {language === 'zh' ? '' : ' '}
      {t('portal.countryKept', { country: chosen })}
      {officialSite && (
        <a href={officialSite} target="_blank" rel="noreferrer" className={styles.site}>
          {t('portal.officialSite', { country: name })}
        </a>
      )}
    </span>
  );
}
