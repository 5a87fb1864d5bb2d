import { useTranslation } from 'react-i18next';
import { passwordStrength, REGISTER_CLASSES } from '../../shared/forms/passwordStrength.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './StrengthMeter.module.css';
import { type Known, useKnownPassword } from './useKnownPassword.ts';

const BARS = [1, 2, 3, 4];

/** The most that a refused password is called. */
const FAIR = { score: 2, label: 'auth.fair' } as const;

interface Props {
  password: string;
  wanted?: typeof REGISTER_CLASSES;
  /** The address that the password is for, where it is known. */
  email?: string;
  /** The field says that this password is not taken: then it is called good by nobody, and why is said once. */
  refused?: boolean;
}

/** What is said of a password that has all it needs. */
const VERDICTS: Record<Known, Words> = {
  asking: 'auth.checking',
  common: 'auth.passwordCommon',
  context: 'auth.passwordContext',
  own: 'auth.strongPassword',
  untold: 'auth.hasAll',
};

/** Four bars, the word for them, and what is still missing. */
export function StrengthMeter({ password, wanted = REGISTER_CLASSES, email = '', refused = false }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const strength = passwordStrength(password, wanted);
  const known = useKnownPassword(password, email, strength.missing.length === 0);
  if (!password) return null;
  const { missing } = strength;
  const guessed = missing.length === 0 && (known === 'common' || known === 'context');
  // Guesses begin with these, whatever they are made of.
  const told = refused && strength.score > FAIR.score ? FAIR : strength;
  const { score, label } = guessed ? ({ score: 1, label: 'auth.weak' } as const) : told;
  const list = joined(
    missing.map((key) => t(key) as string),
    language,
  );
  return (
    <div className={styles.meter} aria-live="polite">
      <div className={styles.bars}>
        {BARS.map((bar) => (
          // A password that is not accepted yet may be strong, but it is not done.
          <span
            key={bar}
            className={classes(styles.bar, bar <= score && (missing.length > 0 || guessed ? styles.wanting : styles.full))}
          />
        ))}
        <Text as="span" variant="caption" color="secondary" className={styles.word}>
          {t(label)}
        </Text>
      </div>
      {/* Of a password that is refused the field's error says why. */}
      {!refused && (
        <Text variant="caption" color={missing.length === 0 && !guessed ? 'tertiary' : 'warning'}>
          {missing.length === 0 ? t(VERDICTS[known]) : t('auth.stillNeeds', { list })}
        </Text>
      )}
    </div>
  );
}
