import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Segmented } from '../../shared/ui/Segmented.tsx';
import { CardSkeleton } from './CardSkeleton.tsx';
import { balanceQueries } from './queries.ts';
import styles from './TopupForm.module.css';
import { TopupForm } from './TopupForm.tsx';
import { amountPresets, type Driven, type TopUp } from './topUp.ts';
import type { CodeState } from './useCodeCheck.ts';

const CardForm = lazy(async () => ({ default: (await import('./CardForm.tsx')).CardForm }));

type Way = 'code' | 'card';

interface Props {
  suggested?: number;
  onCredited?: (balanceAfter: number) => void;
  /** Told what is known about a code in the field. */
  onState?: (state: CodeState) => void;
  /** The page's own button tops up: what is missing, what one applicant costs, and how it is told and told of. */
  driven?: Driven & { missing: number; unitPrice: number };
}

/** The ways to top up: by code always, by card where the server takes cards; the choice is only shown where there is one. */
export function TopupPanel({ suggested, onCredited, onState, driven }: Props) {
  const { t } = useTranslation();
  const [way, setWay] = useState<Way>('code');
  const config = useQuery(balanceQueries.cardConfig());
  const cards = config.data?.enabled ? config.data : null;
  const [state, setState] = useState<CodeState>('empty');
  const [code, card] = [useRef<TopUp>(null), useRef<TopUp>(null)];
  const byCode = cards === null || way === 'code';
  useImperativeHandle(driven?.ref, () => ({
    run: async () => (await (byCode ? code : card).current?.run()) ?? null,
  }));
  const tell = useEffectEvent(() => driven?.onDraft({ way: 'code', state }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the code's state is told again when one comes back to it
  useEffect(() => {
    if (byCode) tell();
  }, [byCode, state]);
  const heard = (known: CodeState) => {
    setState(known);
    onState?.(known);
  };
  return (
    <Stack>
      {cards && (
        <div className={styles.ways}>
          <Segmented
            label={t('topup.tabs')}
            value={way}
            options={[
              { value: 'code', label: t('topup.byCode') },
              { value: 'card', label: t('topup.byCard') },
            ]}
            onChange={setWay}
          />
        </div>
      )}
      {/* The code stays in its field while one looks at the other way. */}
      <div hidden={cards !== null && way === 'card'}>
        <TopupForm onCredited={onCredited} onState={heard} driven={driven && { ref: code, onEnter: driven.onEnter }} />
      </div>
      {cards && way === 'card' && (
        <Suspense fallback={<CardSkeleton />}>
          <CardForm
            config={cards}
            suggested={suggested}
            onCredited={onCredited}
            presets={driven && amountPresets(driven.missing, driven.unitPrice, cards)}
            driven={driven && { ...driven, ref: card }}
          />
        </Suspense>
      )}
      {config.isError && (
        <Alert
          tone="quiet"
          action={
            <Button variant="secondary" size="small" loading={config.isFetching} onClick={() => void config.refetch()}>
              {t('problem.retry')}
            </Button>
          }
        >
          {t('card.configFailed')}
        </Alert>
      )}
    </Stack>
  );
}
