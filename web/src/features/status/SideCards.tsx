import { Activity, Check, CirclePause, CircleX, Clock, Info, Laptop, type LucideIcon, Mail } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { StatusHistory, SystemStatus } from '../../shared/api/types.ts';
import { checks } from '../../shared/format/uptime.ts';
import { count, instantClock } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Card, CardHeader } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Age } from './Age.tsx';
import styles from './cards.module.css';
import { useSpan } from './useSpan.ts';

interface Props {
  id: string;
  icon: LucideIcon;
  title: string;
  tag: ReactNode;
  rows: [label: string, value: ReactNode][];
  children?: ReactNode;
}

function SideCard({ id, icon, title, tag, rows, children }: Props) {
  return (
    <Card as="section" aria-labelledby={id}>
      <CardHeader icon={<Icon of={icon} />} title={title} id={id}>
        {tag}
      </CardHeader>
      <div className={styles.body}>
        <dl>
          {rows.map(([label, value]) => (
            <div key={label} className={styles.fact}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {children}
      </div>
    </Card>
  );
}

const fine = (text: string) => (
  <Badge tone="ok" icon={Check}>
    {text}
  </Badge>
);

/** Our own pages and API, as this browser meets them. */
export function SiteCard({ reachable, answeredAt }: { reachable: boolean; answeredAt: number }) {
  const { t } = useTranslation();
  const tag = reachable ? (
    fine(t('status.siteOk'))
  ) : (
    <Badge tone="error" icon={CircleX}>
      {t('status.siteDown')}
    </Badge>
  );
  const last: [string, ReactNode][] = answeredAt > 0 ? [[t('status.siteLast'), <Age key="age" at={answeredAt} />]] : [];
  return <SideCard id="site-title" icon={Laptop} title={t('status.site')} tag={tag} rows={last} />;
}

/** A minute late is on time: the engine plans by the second, and its rows are written a little later. */
const LATE_S = 120;

/** What the engine is doing. */
export function EngineCard({ status, history }: { status: SystemStatus; history: StatusHistory | undefined }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const span = useSpan();
  const { engine, portal, at } = status;
  const away = (instant: string) => Math.abs(Date.parse(instant) - Date.parse(at)) / 1000;
  const late = history?.overdue_seconds ?? 0;
  const next = engine.paused_since
    ? t('status.notWhilePaused')
    : engine.next_look_at
      ? t('status.timeIn', { time: instantClock(engine.next_look_at, language), span: span(away(engine.next_look_at)) })
      : t(history?.watching === false ? 'status.nobodyWaits' : 'status.notPlanned');
  const rows: [string, ReactNode][] = [
    [t('status.looksDay'), count(checks(portal.hours))],
    [
      t('status.lastLook'),
      engine.last_look_at
        ? t('status.timeAgo', { time: instantClock(engine.last_look_at, language), span: span(away(engine.last_look_at)) })
        : t('status.never'),
    ],
    [t('status.nextLook'), next],
  ];
  if (history?.watching && !engine.paused_since)
    rows.push([t('status.punctual'), late > LATE_S ? t('status.late', { span: span(late) }) : t('status.onTime')]);
  const tag = () => {
    if (!engine.active)
      return (
        <Badge tone="error" icon={CircleX}>
          {t('status.engineOff')}
        </Badge>
      );
    if (!engine.paused_since) return fine(t('status.engineOn'));
    return (
      <Badge tone="warning" icon={CirclePause}>
        {t('status.enginePaused')}
      </Badge>
    );
  };
  return <SideCard id="engine-title" icon={Activity} title={t('status.engine')} tag={tag()} rows={rows} />;
}

const COMING: Words[] = ['settings.channelWechat', 'settings.channelSms', 'settings.channelPush'];
const mailTags = {
  ok: { tone: 'ok', icon: Check, words: 'status.mailOk' },
  failing: { tone: 'warning', icon: Clock, words: 'status.mailFailing' },
  off: { tone: 'quiet', icon: Info, words: 'status.mailOff' },
} as const;

/** Whether what we have to say arrives. */
export function DeliveryCard({ status: { delivery } }: { status: SystemStatus }) {
  const { t } = useTranslation();
  const span = useSpan();
  const tag = mailTags[delivery.mail];
  const rows: [string, ReactNode][] =
    delivery.mail === 'off'
      ? []
      : [
          [t('status.mailSent'), t('status.mails', { count: delivery.delivered_day })],
          [t('status.mailWaiting'), t('status.mails', { count: delivery.waiting })],
        ];
  if (delivery.failing > 0) rows.push([t('status.mailRetried'), t('status.mails', { count: delivery.failing })]);
  if (typeof delivery.waiting_seconds === 'number') rows.push([t('status.mailOldest'), span(delivery.waiting_seconds)]);
  return (
    <SideCard
      id="delivery-title"
      icon={Mail}
      title={t('status.delivery')}
      tag={
        <Badge tone={tag.tone} icon={tag.icon}>
          {t(tag.words)}
        </Badge>
      }
      rows={rows}
    >
      <ul className={styles.channels}>
        {COMING.map((channel) => (
          <li key={channel}>
            <Badge tone="quiet">{t('status.coming', { channel: t(channel) })}</Badge>
          </li>
        ))}
      </ul>
    </SideCard>
  );
}
