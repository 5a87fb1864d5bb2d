import { Ticket } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TopupPanel } from '../../parts/balance/TopupPanel.tsx';
import type { CodeState } from '../../parts/balance/useCodeCheck.ts';
import { recommendedTopUp } from '../../shared/api/pricing.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import styles from './StepConfirm.module.css';

const open: Record<CodeState, Words | null> = {
  empty: null,
  short: 'confirm.codeShort',
  checking: 'confirm.codeChecking',
  valid: 'confirm.codeUnused',
  invalid: 'confirm.codeInvalid',
  unsure: 'confirm.codeUnused',
  throttled: 'confirm.codeUnused',
};

/** Why nothing is submitted over a code in the field; null when the field is empty. */
export const codeWords = (state: CodeState): Words | null => open[state];

interface Props {
  /** Shown without being asked for, as where the balance does not do. */
  needed: boolean;
  /** What the balance is short of; 0 where it does. */
  missing: number;
  onState: (state: CodeState) => void;
}

/** The ways to top up before the submit: closed until wanted, open where the balance is short. */
export function StepCode({ needed, missing, onState }: Props) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(needed);
  // Once it was needed it stays: the top-up that ends the need is said in there.
  if (needed && !wanted) setWanted(true);
  return (
    <div>
      {!needed && (
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
      )}
      {wanted && (
        <div className={styles.topUp}>
          <TopupPanel suggested={missing > 0 ? recommendedTopUp(missing) : undefined} onState={onState} />
        </div>
      )}
    </div>
  );
}
