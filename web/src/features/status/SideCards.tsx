import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { StatusHistory, SystemStatus } from '../../shared/api/types.ts';
import { checks } from '../../shared/format/uptime.ts';
import { count, instantClock } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { CardHeader } from '../../shared/legacy/CardHeader.tsx';
import type { IconName } from '../../shared/legacy/iconPaths.tsx';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { Age } from './Age.tsx';
import { useSpan } from './useSpan.ts';

interface Props {
  id: string;
  icon: IconName;
  title: string;
  tag: ReactNode;
  rows: [label: string, value: ReactNode][];
  children?: ReactNode;
}

function SideCard({ id, icon, title, tag, rows, children }: Props) {
  return (
    <Card component="section" aria-labelledby={id}>
      <CardHeader icon={icon} title={title} id={id}>
        {tag}
      </CardHeader>
      <Box sx={{ p: { xs: '6px 16px 14px', sm: '6px 20px 16px' }, typography: 'body2' }}>
        <Box component="dl">
          {rows.map(([label, value]) => (
            <Box
              key={label}
              sx={{
                display: 'flex',
                flexWrap: 'wrap',
                justifyContent: 'space-between',
                gap: '0 12px',
                py: 1,
                borderTop: 1,
                borderColor: 'divider',
                '&:first-of-type': { borderTop: 0 },
              }}
            >
              <Box component="dt" sx={{ color: 'text.secondary' }}>
                {label}
              </Box>
              <Box component="dd" sx={{ textAlign: 'right', fontVariantNumeric: 'tabular-nums' }}>
                {value}
              </Box>
            </Box>
          ))}
        </Box>
        {children}
      </Box>
    </Card>
  );
}

const fine = (text: string) => (
  <Tag tone="ok" icon="check">
    {text}
  </Tag>
);

/** Our own pages and API, as this browser meets them. */
export function SiteCard({ reachable, answeredAt }: { reachable: boolean; answeredAt: number }) {
  const { t } = useTranslation();
  const tag = reachable ? (
    fine(t('status.siteOk'))
  ) : (
    <Tag tone="err" icon="crossCircle">
      {t('status.siteDown')}
    </Tag>
  );
  const last: [string, ReactNode][] = answeredAt > 0 ? [[t('status.siteLast'), <Age key="age" at={answeredAt} />]] : [];
  return <SideCard id="site-title" icon="computer" title={t('status.site')} tag={tag} rows={last} />;
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
  const next = engine.next_look_at
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
  if (history?.watching)
    rows.push([t('status.punctual'), late > LATE_S ? t('status.late', { span: span(late) }) : t('status.onTime')]);
  const tag = engine.active ? (
    fine(t('status.engineOn'))
  ) : (
    <Tag tone="err" icon="crossCircle">
      {t('status.engineOff')}
    </Tag>
  );
  return <SideCard id="engine-title" icon="activity" title={t('status.engine')} tag={tag} rows={rows} />;
}

const COMING: Words[] = ['settings.channelWechat', 'settings.channelSms', 'settings.channelPush'];
const mailTags = {
  ok: { tone: 'ok', icon: 'check', words: 'status.mailOk' },
  failing: { tone: 'warn', icon: 'clock', words: 'status.mailFailing' },
  off: { tone: 'quiet', icon: 'info', words: 'status.mailOff' },
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
      icon="mail"
      title={t('status.delivery')}
      tag={
        <Tag tone={tag.tone} icon={tag.icon}>
          {t(tag.words)}
        </Tag>
      }
      rows={rows}
    >
      <Box component="ul" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', pt: rows.length > 0 ? 1 : 0 }}>
        {COMING.map((channel) => (
          <li key={channel}>
            <Tag tone="quiet">{t('status.coming', { channel: t(channel) })}</Tag>
          </li>
        ))}
      </Box>
    </SideCard>
  );
}
