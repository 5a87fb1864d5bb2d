import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FoldButton } from '../../shared/ui/FoldButton.tsx';
import styles from './QuickSteps.module.css';
import { QuickSteps } from './QuickSteps.tsx';

/** Renders a button that opens the three steps, for users who already have tasks. */
export function QuickStart() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const steps = useId();
  return (
    <section aria-label={t('quick.again')}>
      <FoldButton open={open} controls={steps} onToggle={() => setOpen(!open)}>
        {t('quick.again')}
      </FoldButton>
      <div id={steps} className={styles.folded}>
        {open && <QuickSteps />}
      </div>
    </section>
  );
}
