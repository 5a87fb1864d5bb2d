import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { refusalText } from '../../parts/balance/codeTexts.ts';
import * as bounds from '../../shared/api/bounds.ts';
import type { CodeAnswer } from '../../shared/api/money.ts';
import { amount } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import styles from './CodeEntry.module.css';
import { type PriceCodes, setPriceCode } from './priceCodes.ts';

interface Props {
  kind: keyof PriceCodes;
  /** Code in the present price request, or an empty string. */
  given: string;
  /** Server's answer about the code, or null while a request runs. */
  answer: CodeAnswer | null;
  currency: string;
  asking: boolean;
}

const texts = {
  promo: { ask: 'codes.havePromo', label: 'codes.promo' },
  referral: { ask: 'codes.haveReferral', label: 'codes.referral' },
} as const satisfies Record<keyof PriceCodes, Record<string, TextKey>>;

const LONGEST = { promo: bounds.Submit.promo_code.maxLength, referral: bounds.Submit.referral_code.maxLength };

/**
 * Renders the entry of a promo or referral code. A button opens the field, another applies the
 * code. Then it shows the discount, or why the code was refused.
 */
export function CodeEntry({ kind, given, answer, currency, asking }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(given !== '');
  const form = useForm({ defaultValues: { code: given } });
  const typed = useWatch({ control: form.control, name: 'code' }).trim();
  const applied = answer?.status === 'applied' ? answer : null;
  const refusal = given !== '' && typed === given && !asking && answer && !applied ? refusalText(answer.status) : null;
  const remove = () => {
    form.reset({ code: '' });
    setOpen(false);
    setPriceCode(kind, '');
  };
  if (applied)
    return (
      <div className={styles.applied}>
        <Icon of={CircleCheck} size={18} />
        <div role="status" className={styles.said}>
          {t('codes.applied', { code: applied.code, amount: amount(applied.amount), currency })}
        </div>
        {given !== '' && (
          <Button variant="text" size="small" onClick={remove} aria-label={t('codes.removeWhat', { code: applied.code })}>
            {t('codes.remove')}
          </Button>
        )}
      </div>
    );
  if (!open)
    return (
      <div>
        <Button variant="text" size="small" onClick={() => setOpen(true)} className={styles.ask}>
          {t(texts[kind].ask)}
        </Button>
      </div>
    );
  return (
    <form noValidate onSubmit={form.handleSubmit(({ code }) => setPriceCode(kind, code.trim()))} className={styles.form}>
      <TextField
        label={t(texts[kind].label)}
        error={refusal ? t(refusal) : undefined}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={LONGEST[kind]}
        {...form.register('code')}
      />
      <Button
        type="submit"
        variant="secondary"
        loading={asking && given !== ''}
        disabled={typed === '' || typed === given}
        className={styles.apply}
      >
        {t('codes.apply')}
      </Button>
    </form>
  );
}
