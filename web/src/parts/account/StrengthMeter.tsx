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

/** Highest rating that the meter shows for a refused password. */
const FAIR = { score: 2, label: 'auth.fair' } as const;

interface Props {
  password: string;
  wanted?: typeof REGISTER_CLASSES;
  /** Mail address of the account, if known. */
  email?: string;
  /**
   * True if the field rejects the password. The meter then does not rate it as good, and the field
   * shows the reason.
   */
  refused?: boolean;
}

/**
 * Texts for a password that meets all rules, by the result of its comparison with common passwords.
 */
const VERDICTS: Record<PasswordVerdict, TextKey> = {
  asking: 'auth.checking',
  common: 'auth.passwordCommon',
  context: 'auth.passwordContext',
  own: 'auth.strongPassword',
  untold: 'auth.hasAll',
};

/** Renders the strength of a password: four bars, a label, and the missing requirements. */
export function StrengthMeter({ password, wanted = REGISTER_CLASSES, email = '', refused = false }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const strength = passwordStrength(password, wanted);
  const known = usePasswordVerdict(password, email, strength.missing.length === 0);
  if (!password) return null;
  const { missing } = strength;
  const guessed = missing.length === 0 && (known === 'common' || known === 'context');
  // Attackers try such passwords first. They are weak whatever characters they contain.
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
          // The bars of an incomplete or weak password have another colour.
          <span
            key={bar}
            className={classes(styles.bar, bar <= score && (missing.length > 0 || guessed ? styles.wanting : styles.full))}
          />
        ))}
        <Text as="span" variant="caption" color="secondary" className={styles.word}>
          {t(label)}
        </Text>
      </div>
      {/* If the password is refused, the field itself shows the reason. */}
      {!refused && (
        <Text variant="caption" color={missing.length === 0 && !guessed ? 'tertiary' : 'warning'}>
          {missing.length === 0 ? t(VERDICTS[known]) : t('auth.stillNeeds', { list })}
        </Text>
      )}
    </div>
  );
}
