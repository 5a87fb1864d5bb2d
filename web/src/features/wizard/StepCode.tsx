import { Ticket } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TopupPanel } from '../../parts/balance/TopupPanel.tsx';
import type { CodeState } from '../../parts/balance/useCodeCheck.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import styles from './StepConfirm.module.css';

const open: Record<CodeState, TextKey | null> = {
  empty: null,
  short: 'confirm.codeShort',
  checking: 'confirm.codeChecking',
  valid: 'confirm.codeUnused',
  invalid: 'confirm.codeInvalid',
  unsure: 'confirm.codeUnused',
  throttled: 'confirm.codeUnused',
};

/** Returns why the code in the field prevents a submission, or null if it does not. */
export const codeTexts = (state: CodeState): TextKey | null => open[state];

/** Renders an optional top-up by code, for users whose balance suffices. It is closed at first. */
export function StepCode({ onState }: { onState: (state: CodeState) => void }) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(false);
  return (
    <div>
      <Button
        variant="text"
        size="small"
        aria-expanded={wanted}
        start={<Icon of={Ticket} size={16} />}
        className={styles.ask}
        onClick={() => {
          setWanted(!wanted);
          if (wanted) onState('empty');
        }}
      >
        {wanted ? t('confirm.codeHide') : t('confirm.codeAsk')}
      </Button>
      {wanted && (
        <div className={styles.topUp}>
          <TopupPanel onState={onState} />
        </div>
      )}
    </div>
  );
}
