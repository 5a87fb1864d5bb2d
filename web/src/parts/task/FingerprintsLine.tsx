import { useTranslation } from 'react-i18next';
import type { Fingerprints } from '../../shared/api/types.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './FingerprintsLine.module.css';
import { fingerprintsLine } from './headline.ts';

/** Renders the fingerprint appointment before an interview, or nothing without one. */
export function FingerprintsLine({ fingerprints }: { fingerprints: Fingerprints | null | undefined }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (!fingerprints) return null;
  return (
    <Text variant="caption" color="secondary">
      <span className={styles.line}>{t('unit.fingerprints', { at: fingerprintsLine(fingerprints, language) })}</span>
    </Text>
  );
}
