import { useQuery } from '@tanstack/react-query';
import { Activity, Check, ChevronRight, type LucideIcon, Plus, TriangleAlert, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { balanceErrorText } from '../../parts/balance/errorText.ts';
import { useJustCharged } from '../../parts/balance/lastCharge.ts';
import { useBilling } from '../../shared/api/billing.ts';
import * as bounds from '../../shared/api/bounds.ts';
import { tasksAffordable } from '../../shared/api/pricing.ts';
import { queries } from '../../shared/api/queries.ts';
import type { Credit, Task } from '../../shared/api/types.ts';
import { MASKED_AMOUNT } from '../../shared/format/maskedAmount.ts';
import { useAnyHidden } from '../../shared/hooks/useAnyHidden.ts';
import { amount, instantClock } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import styles from './SideLines.module.css';
import { sheets } from './useSheet.ts';
import { isFine, lastChecks, newest, nextLook, useSystemStatus } from './useSystemStatus.ts';

interface LineProps {
  /** Fragment of the sheet that the line opens. */
  hash: string;
  icon: LucideIcon;
  title: string;
  /** State at the end of the line. */
  mark?: ReactNode;
  /** Details below. */
  children?: ReactNode;
}

/** Renders one line, which opens its sheet. */
function Line({ hash, icon, title, mark, children }: LineProps) {
  const { search } = useLocation();
  return (
    <li>
      <Link to={{ search, hash }} preventScrollReset aria-haspopup="dialog" className={styles.line}>
        <Icon of={icon} className={styles.icon} />
        <span className={styles.texts}>
          <span className={styles.title}>{title}</span>
          {children && <span className={styles.detail}>{children}</span>}
        </span>
        {mark}
        <Icon of={ChevronRight} size={18} className={styles.icon} />
      </Link>
    </li>
  );
}

const LOW = bounds.Credit.credit.low.balance;

function Low({ credit }: { credit: Credit }) {
  const { t } = useTranslation();
  // Soon after a submission a low balance is expected, so it is no warning.
  const submitted = useJustCharged();
  // A new account has no money yet, so it gets no warning.
  if (credit.credit >= LOW || credit.credit + credit.on_hold <= 0) return null;
  return (
    <Badge tone={submitted ? 'quiet' : 'warning'} icon={submitted ? undefined : TriangleAlert}>
      {t('balance.low')}
    </Badge>
  );
}

function BalanceLine() {
  const { t } = useTranslation();
  const { data: credit, isError, error } = useQuery(queries.credit());
  const hidden = useAnyHidden();
  const shown = (value: number) => (hidden ? MASKED_AMOUNT : amount(value));
  return (
    <Line hash={sheets.balance} icon={Wallet} title={t('balance.title')} mark={credit && <Low credit={credit} />}>
      {credit ? (
        <Pieces
          of={[
            <b key="available" className={styles.amount}>
              {shown(credit.credit)} {credit.currency}
            </b>,
            credit.on_hold > 0 && t('balance.onHold', { amount: shown(credit.on_hold) }),
          ]}
        />
      ) : isError ? (
        t(balanceErrorText(error))
      ) : (
        <Skeleton className={styles.loading} />
      )}
    </Line>
  );
}

function TopUpLine() {
  const { t } = useTranslation();
  const { data: credit } = useQuery(queries.credit());
  const { data: price } = useQuery(queries.pricing());
  const hidden = useAnyHidden();
  const tasks = credit && price && tasksAffordable(credit.credit, price.unit_price);
  const says = () => {
    if (hidden || tasks === undefined) return null;
    if (tasks === null) return t('balance.freeTasks');
    return tasks === 0 ? t('balance.allowsNone') : t('balance.allows', { count: tasks });
  };
  return (
    <Line hash={sheets.topUp} icon={Plus} title={t('lines.topUp')}>
      {says()}
    </Line>
  );
}

function StatusLine({ tasks }: { tasks: Task[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data, isError } = useSystemStatus(tasks);
  const at = (instant: string) => instantClock(instant, language);
  const next = data && nextLook(data);
  const last = data && newest([data.engine.last_look_at, ...lastChecks(tasks)]);
  const fine = data && isFine(data);
  return (
    <Line
      hash={sheets.status}
      icon={Activity}
      title={t('nav.status')}
      mark={
        data && (
          <Badge tone={fine ? 'ok' : 'warning'} icon={fine ? Check : TriangleAlert}>
            {fine ? t('system.fine') : t('system.notFine')}
          </Badge>
        )
      }
    >
      {data ? (
        next ? (
          t('system.nextCheck', { time: at(next) })
        ) : (
          last && t('system.lastCheck', { time: at(last) })
        )
      ) : isError ? (
        t('system.failed')
      ) : (
        <Skeleton className={styles.loading} />
      )}
    </Line>
  );
}

/** Renders balance, top-up and system status, each in one line that opens a sheet. */
export function SideLines({ tasks = [] }: { tasks?: Task[] }) {
  const { t } = useTranslation();
  const billing = useBilling();
  return (
    <Card as="section" aria-label={t('lines.title')}>
      <ul className={styles.lines}>
        {billing && <BalanceLine />}
        {billing && <TopUpLine />}
        <StatusLine tasks={tasks} />
      </ul>
    </Card>
  );
}
