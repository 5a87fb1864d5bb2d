import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Tick } from '../../shared/ui/Checkbox.tsx';
import styles from './ModeSection.module.css';
import { Section } from './Section.tsx';
import { modeOf, type SearchForm } from './searchForm.ts';

interface Props {
  form: SearchForm;
  onChange: (form: SearchForm) => void;
  /** Content below the modes while *Ask me first* is chosen. */
  askNote?: ReactNode;
}

/**
 * Renders the section for the task's reaction to a matching date: rebook, ask first, or notify
 * only.
 */
export function ModeSection({ form, onChange, askNote }: Props) {
  const { t } = useTranslation();
  const name = useId();
  const modes = [
    { mode: 'auto', value: 'book', title: t('editor.rebook'), text: t('editor.rebookText') },
    { mode: 'ask', value: 'ask', title: t('editor.ask'), text: t('editor.askText') },
    { mode: 'notify', value: 'notify', title: t('editor.notify'), text: t('editor.notifyText') },
  ] as const;
  const chosen = modeOf(form);
  return (
    <Section title={t('editor.whenFound')}>
      <div role="radiogroup" aria-label={t('editor.whenFound')} className={styles.tiles}>
        {modes.map(({ mode, value, title, text }) => (
          <label key={value} htmlFor={`${name}-${value}`} className={styles.tile}>
            <Tick
              id={`${name}-${value}`}
              kind="radio"
              name={name}
              value={value}
              checked={mode === chosen}
              onChange={() => onChange({ ...form, notifyOnly: mode === 'notify', askFirst: mode === 'ask' })}
              aria-label={title}
              aria-describedby={`${name}-${value}-text`}
            />
            <span className={styles.title}>{title}</span>
            <span id={`${name}-${value}-text`} className={styles.text}>
              {text}
            </span>
          </label>
        ))}
      </div>
      {chosen === 'ask' && askNote}
    </Section>
  );
}
