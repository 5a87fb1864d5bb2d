import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { Segmented } from '../../shared/legacy/Segmented.tsx';
import { CardSkeleton } from './CardSkeleton.tsx';
import { TopupForm } from './TopupForm.tsx';
import type { CodeState } from './useCodeCheck.ts';

const CardForm = lazy(async () => ({ default: (await import('./CardForm.tsx')).CardForm }));

type Way = 'code' | 'card';

interface Props {
  suggested?: number;
  onCredited?: (balanceAfter: number) => void;
  /** Told what is known about a code in the field. */
  onState?: (state: CodeState) => void;
}

/** The ways to top up: by code always, by card where the server takes cards; the choice is only shown where there is one. */
export function TopupPanel({ suggested, onCredited, onState }: Props) {
  const { t } = useTranslation();
  const [way, setWay] = useState<Way>('code');
  const config = useQuery(queries.cardConfig());
  const cards = config.data?.enabled ? config.data : null;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0,1fr)' }}>
      {cards && (
        <Box sx={{ '& fieldset': { display: 'grid', gridTemplateColumns: '1fr 1fr' }, '& button': { height: 36 } }}>
          <Segmented
            label={t('topup.tabs')}
            value={way}
            options={[
              { value: 'code', label: t('topup.byCode') },
              { value: 'card', label: t('topup.byCard') },
            ]}
            onChange={setWay}
          />
        </Box>
      )}
      {/* The code stays in its field while one looks at the other way. */}
      <Box sx={{ display: cards && way === 'card' ? 'none' : 'block' }}>
        <TopupForm onCredited={onCredited} onState={onState} />
      </Box>
      {cards && way === 'card' && (
        <Suspense fallback={<CardSkeleton />}>
          <CardForm config={cards} suggested={suggested} onCredited={onCredited} />
        </Suspense>
      )}
      {config.isError && (
        <Notice
          tone="quiet"
          action={
            <Button variant="outlined" size="small" loading={config.isFetching} onClick={() => void config.refetch()}>
              {t('problem.retry')}
            </Button>
          }
        >
          {t('card.configFailed')}
        </Notice>
      )}
    </Box>
  );
}
