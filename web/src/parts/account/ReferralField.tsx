import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { If, useKnownFacts } from '../../shared/api/facts.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import styles from './ReferralField.module.css';

const LONGEST = 64;

interface Props {
  value: string;
  disabled: boolean;
  onChange: (code: string) => void;
}

/**
 * Renders the field for a referral code, which a button opens. It is open at once if the page's
 * address contains a code. The button is hidden if referral codes give no discount.
 */
export function ReferralField({ value, disabled, onChange }: Props) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const off = useKnownFacts()?.referral_off;
  if (!asked && value === '')
    return (
      <If fact="referral_off">
        <Button variant="text" size="small" disabled={disabled} onClick={() => setAsked(true)} className={styles.ask}>
          {t('codes.haveReferral')}
        </Button>
      </If>
    );
  return (
    <TextField
      label={t('codes.referralOptional')}
      value={value}
      disabled={disabled}
      autoComplete="off"
      hint={off ? t('codes.referralHint', { off }) : undefined}
      onChange={(event) => {
        setAsked(true);
        onChange(event.target.value.slice(0, LONGEST));
      }}
      spellCheck={false}
      autoCapitalize="characters"
    />
  );
}
