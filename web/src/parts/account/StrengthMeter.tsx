import { useTranslation } from 'react-i18next';
import { passwordStrength, REGISTER_CLASSES } from '../../shared/forms/passwordStrength.ts';
import { joined } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './StrengthMeter.module.css';
import { type PasswordVerdict, usePasswordVerdict } from './usePasswordVerdict.ts';

const BARS = [1, 2, 3, 4];

/** The highest rating of a refused password. */
const FAIR = { score: 2, label: 'auth.fair' } as const;

interface Props {
  password: string;
  wanted?: typeof REGISTER_CLASSES;
  /** Address of the account, if known. */
  email?: string;
  /**
   * The field rejects this password. Then the meter must not rate it as good, and the reason
   * appears once.
   */
  refused?: boolean;
}

/** Texts for a password that meets all rules. */
const VERDICTS: Record<PasswordVerdict, TextKey> = {
  asking: 'auth.checking',
  common: 'auth.passwordCommon',
  context: 'auth.passwordContext',
  own: 'auth.strongPassword',
  untold: 'auth.hasAll',
};

/** Renders four bars, their label, and the missing requirements. */
export function StrengthMeter({ password, wanted = REGISTER_CLASSES, email = '', refused = false }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const strength = passwordStrength(password, wanted);
  const known = usePasswordVerdict(password, email, strength.missing.length === 0);
  if (!password) return null;
  const { missing } = strength;
  const guessed = missing.length === 0 && (known === 'common' || known === 'context');
  // Attackers guess these first, whatever they consist of.
  const shown = refused && strength.score > FAIR.score ? FAIR : strength;
  const { score, label } = guessed ? ({ score: 1, label: 'auth.weak' } as const) : shown;
  const list = joined(
    missing.map((key) => t(key) as string),
    language,
  );
  return (
    <div className={styles.meter} aria-live="polite">
      <div className={styles.bars}>
        {BARS.map((bar) => (
          // A rejected password may be strong, but it is not complete.
          <span
            key={bar}
            className={classes(styles.bar, bar <= score && (missing.length > 0 || guessed ? styles.wanting : styles.full))}
          />
        ))}
        <Text as="span" variant="caption" color="secondary" className={styles.word}>
          {t(label)}
        </Text>
      </div>
      {/* The field's error gives the reason for a refused password. */}
      {!refused && (
        <Text variant="caption" color={missing.length === 0 && !guessed ? 'tertiary' : 'warning'}>
          {missing.length === 0 ? t(VERDICTS[known]) : t('auth.stillNeeds', { list })}
        </Text>
      )}
    </div>
  );
}
