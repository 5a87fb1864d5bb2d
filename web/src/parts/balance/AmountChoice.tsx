import { useTranslation } from 'react-i18next';
import { amount } from '../../shared/i18n/format.ts';
import styles from './AmountChoice.module.css';
import type { AmountPreset } from './topUp.ts';

interface Props {
  presets: AmountPreset[];
  chosen: number | null;
  disabled: boolean;
  onChoose: (preset: AmountPreset) => void;
}

/** Renders buttons with suggested amounts. */
export function AmountChoice({ presets, chosen, disabled, onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <fieldset aria-label={t('card.presets')} className={styles.row}>
      {presets.map((preset) => (
        <button
          key={preset.applicants}
          type="button"
          disabled={disabled}
          aria-pressed={preset.amount === chosen}
          onClick={() => onChoose(preset)}
          className={styles.preset}
        >
          <b>{amount(preset.amount)}</b>
          <span>{preset.applicants === 0 ? t('card.presetMissing') : t('unit.applicants', { count: preset.applicants })}</span>
        </button>
      ))}
    </fieldset>
  );
}
