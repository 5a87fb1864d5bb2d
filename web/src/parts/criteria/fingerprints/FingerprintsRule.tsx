import { useTranslation } from 'react-i18next';
import type { FingerprintParams } from '../../../shared/api/types.ts';
import { useCityName } from '../../../shared/format/useCityName.ts';
import { either } from '../../../shared/i18n/either.ts';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';

interface Props {
  rule: FingerprintParams;
  /** True for a whole sentence, false for the value of a term. */
  sentence?: boolean;
}

/**
 * Renders the conditions for the fingerprint appointment: the days before the interview, and the
 * cities.
 */
export function FingerprintsRule({ rule, sentence = false }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const { min_days_before: min, max_days_before: max } = rule;
  const days =
    min !== null && max !== null
      ? min === max
        ? t('fingerprints.exactly', { count: min })
        : t('fingerprints.between', { min, max })
      : min !== null
        ? t('fingerprints.atLeast', { count: min })
        : max !== null && t('fingerprints.atMost', { count: max });
  const names = rule.cities.map((city) => cityName(city));
  const cities = either(names, language);
  const where =
    names.length > 1 ? t('fingerprints.inSeveral', { cities, first: names[0] }) : cities && t('fingerprints.in', { cities });
  const text = [days, where].filter(Boolean).join(t('fingerprints.comma'));
  return sentence ? t('fingerprints.sentence', { rule: text }) : text;
}
