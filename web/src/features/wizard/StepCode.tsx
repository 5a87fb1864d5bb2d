import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Collapse from '@mui/material/Collapse';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TopupPanel } from '../../parts/balance/TopupPanel.tsx';
import type { CodeState } from '../../parts/balance/useCodeCheck.ts';
import { recommendedTopUp } from '../../shared/api/pricing.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';

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
    <Box>
      {!needed && (
        <Button
          variant="text"
          size="small"
          aria-expanded={wanted}
          sx={{ ml: -1 }}
          startIcon={<Icon name="ticket" size={16} />}
          onClick={() => {
            setWanted(!wanted);
            if (wanted) onState('empty');
          }}
        >
          {wanted ? t('confirm.codeHide') : t('confirm.codeAsk')}
        </Button>
      )}
      <Collapse in={wanted} unmountOnExit>
        <Box sx={{ maxWidth: 420, pt: 1 }}>
          <TopupPanel suggested={missing > 0 ? recommendedTopUp(missing) : undefined} onState={onState} />
        </Box>
      </Collapse>
    </Box>
  );
}
