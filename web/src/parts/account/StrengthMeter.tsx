import { useTranslation } from 'react-i18next';
import { passwordStrength, REGISTER_CLASSES } from '../../shared/forms/passwordStrength.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './StrengthMeter.module.css';

const BARS = [1, 2, 3, 4];

/** Four bars, the word for them, and what is still missing. */
export function StrengthMeter({ password, wanted = REGISTER_CLASSES }: { password: string; wanted?: typeof REGISTER_CLASSES }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (!password) return null;
  const { score, label, missing } = passwordStrength(password, wanted);
  const list = joined(
    missing.map((key) => t(key) as string),
    language,
  );
  return (
    <div className={styles.meter} aria-live="polite">
      <div className={styles.bars}>
        {BARS.map((bar) => (
          // A password that is not accepted yet may be strong, but it is not done.
          <span key={bar} className={classes(styles.bar, bar <= score && (missing.length > 0 ? styles.wanting : styles.full))} />
        ))}
        <Text as="span" variant="caption" color="secondary" className={styles.word}>
          {t(label)}
        </Text>
      </div>
      <Text variant="caption" color={missing.length === 0 ? 'tertiary' : 'warning'}>
        {missing.length === 0 ? t('auth.strongPassword') : t('auth.stillNeeds', { list })}
      </Text>
    </div>
  );
}
