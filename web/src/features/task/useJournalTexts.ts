import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { appointmentLine, fingerprintsLine } from '../../parts/task/headline.ts';
import type { JournalEntry } from '../../shared/api/types.ts';
import { MASKED_AMOUNT } from '../../shared/format/maskedAmount.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { amount, clock, instantClock } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { type JournalFormat, type JournalLine, journalLine } from './journal.ts';

/** Journal row with texts in the page's language. */
interface JournalRow extends Pick<JournalLine, 'icon' | 'tone'> {
  title: string;
  text: string | null;
}

/**
 * Returns a function that converts a journal entry to a row of text. If names are hidden, amounts
 * are omitted.
 */
export function useJournalTexts(hidden = false): (entry: JournalEntry) => JournalRow {
  const { t, i18n } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  return useMemo(() => {
    const codeText = (group: string, code: string) => {
      const key = `journal.${group}_${code}`;
      return t((i18n.exists(key) ? key : `journal.${group}_unknown`) as TextKey) as string;
    };
    const pair: JournalFormat['pair'] = ({ date, time, facility, fingerprints }) => {
      const interview = appointmentLine({ appointment_date: date, appointment_time: time }, cityName(facility), language) ?? '';
      return fingerprints
        ? t('journal.withFingerprints', { text: interview, at: fingerprintsLine(fingerprints, language) })
        : t('journal.withoutFingerprints', { text: interview });
    };
    const texts = {
      pair,
      cityName,
      clock: (time: string) => clock(time, language),
      amount: hidden ? () => MASKED_AMOUNT : amount,
      when: (instant: string) => instantClock(instant, language),
      codeText,
    };
    return (entry) => {
      const line = journalLine(entry, texts);
      const text = line.text && (t(line.text, line.values) as string);
      const { fingerprints } = line;
      return {
        icon: line.icon,
        tone: line.tone,
        title: t(line.title, line.values) as string,
        text: text && fingerprints ? t('journal.withFingerprints', { text, at: fingerprintsLine(fingerprints, language) }) : text,
      };
    };
  }, [t, i18n, language, cityName, hidden]);
}
