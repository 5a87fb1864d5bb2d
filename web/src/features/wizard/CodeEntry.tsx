import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refusalWords } from '../../parts/balance/codeWords.ts';
import type { CodeAnswer } from '../../shared/api/money.ts';
import { amount } from '../../shared/i18n/format.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Field } from '../../shared/legacy/Field.tsx';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { type PriceCodes, setPriceCode } from './priceCodes.ts';

interface Props {
  kind: keyof PriceCodes;
  /** The code the price was asked with; empty for none. */
  given: string;
  /** What the server said of it; null while asking. */
  answer: CodeAnswer | null;
  currency: string;
  asking: boolean;
}

const LONGEST = 64;
const words = {
  promo: { ask: 'codes.havePromo', label: 'codes.promo' },
  referral: { ask: 'codes.haveReferral', label: 'codes.referral' },
} as const satisfies Record<keyof PriceCodes, Record<string, Words>>;

/** One code: asked for by a quiet button, applied by another, and then either worth something or refused with the reason. */
export function CodeEntry({ kind, given, answer, currency, asking }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(given !== '');
  const [text, setText] = useState(given);
  const [edited, setEdited] = useState(false);
  const applied = answer?.status === 'applied' ? answer : null;
  const refusal = given !== '' && !edited && !asking && answer && !applied ? refusalWords(answer.status) : null;
  const apply = (event: FormEvent) => {
    event.preventDefault();
    setEdited(false);
    setPriceCode(kind, text.trim());
  };
  const remove = () => {
    setText('');
    setOpen(false);
    setPriceCode(kind, '');
  };
  if (applied)
    return (
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, fontSize: 14 }}>
        <Box sx={{ color: 'primary.main', display: 'flex' }}>
          <Icon name="checkCircle" size={18} />
        </Box>
        <Box role="status" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          {t('codes.applied', { code: applied.code, amount: amount(applied.amount), currency })}
        </Box>
        {given !== '' && (
          <Button variant="text" size="small" onClick={remove} aria-label={t('codes.removeWhat', { code: applied.code })}>
            {t('codes.remove')}
          </Button>
        )}
      </Box>
    );
  if (!open)
    return (
      <Button variant="text" size="small" onClick={() => setOpen(true)} sx={{ justifySelf: 'start', ml: -1.5 }}>
        {t(words[kind].ask)}
      </Button>
    );
  return (
    <Box
      component="form"
      noValidate
      onSubmit={apply}
      sx={{ display: 'grid', gridTemplateColumns: 'minmax(0,1fr) auto', gap: 1, alignItems: 'start' }}
    >
      <Field
        label={t(words[kind].label)}
        value={text}
        autoComplete="off"
        onChange={(event) => {
          setText(event.target.value.slice(0, LONGEST));
          setEdited(true);
        }}
        error={refusal ? t(refusal) : undefined}
        inputProps={{ spellCheck: false, autoCapitalize: 'characters' }}
      />
      <Button
        type="submit"
        variant="outlined"
        loading={asking && given !== ''}
        disabled={text.trim() === '' || (text.trim() === given && !edited)}
        sx={{ mt: '27px', minHeight: 48 }}
      >
        {t('codes.apply')}
      </Button>
    </Box>
  );
}
