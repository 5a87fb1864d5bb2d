import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { amount } from '../../shared/i18n/format.ts';
import { Text } from '../../shared/ui/Text.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { AmountChoice } from './AmountChoice.tsx';
import styles from './card.module.css';
import { readAmount } from './cardAmount.ts';
import type { AmountPreset } from './topUp.ts';

interface Limits {
  min_amount: number;
  max_amount: number;
}

/**
 * Provides an amount to pay: its text, its value, and its problem. Until the user types, it is the
 * suggested amount.
 */
export function useAmount(limits: Limits, suggested: number | undefined) {
  const offered = suggested === undefined ? '' : Math.max(suggested, limits.min_amount).toFixed(2);
  const [entered, setEntered] = useState<string | null>(null);
  const [left, setLeft] = useState(false);
  const typed = entered ?? offered;
  const { value, problem } = readAmount(typed, limits);
  const tooLittle = Number(typed.replace(',', '.')) < limits.min_amount;
  return { typed, value, problem, left, setLeft, enter: setEntered, missing: typed.trim() === '' || tooLittle };
}

interface Props {
  limits: Limits;
  currency: string;
  presets: AmountPreset[];
  entry: ReturnType<typeof useAmount>;
  disabled: boolean;
  /** Called when the user chooses or types another amount. */
  onChange: () => void;
}

/** Renders the field for the amount to pay, with suggested amounts. */
export function AmountField({ limits, currency, presets, entry, disabled, onChange }: Props) {
  const { t } = useTranslation();
  const range = { min: amount(limits.min_amount), max: amount(limits.max_amount), currency };
  const wrong =
    entry.problem === 'cents'
      ? t('card.amountCents')
      : entry.problem === 'range' && entry.left
        ? t('card.amountRange', range)
        : undefined;
  const enter = (text: string | null) => {
    entry.enter(text);
    onChange();
  };
  return (
    <>
      {presets.length > 1 && (
        <AmountChoice
          presets={presets}
          chosen={entry.value}
          disabled={disabled}
          onChoose={(preset) => enter(preset.applicants === 0 ? null : preset.amount.toFixed(2))}
        />
      )}
      <TextField
        label={t('card.amount')}
        type="number"
        value={entry.typed}
        disabled={disabled}
        onChange={(event) => enter(event.target.value)}
        onBlur={() => entry.setLeft(entry.typed !== '')}
        error={wrong}
        hint={t('card.amountHint', range)}
        step={0.01}
        min={limits.min_amount}
        max={limits.max_amount}
        inputMode="decimal"
        end={
          <Text as="span" variant="small" color="secondary" unbroken className={styles.unit}>
            {currency}
          </Text>
        }
      />
    </>
  );
}
