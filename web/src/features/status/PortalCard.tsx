import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useTranslation } from 'react-i18next';
import type { PortalHour, StatusHistory, SystemStatus } from '../../shared/api/types.ts';
import { type Span, seconds } from '../../shared/format/uptime.ts';
import { dateInFull, instantClock } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { CardHeader } from '../../shared/legacy/CardHeader.tsx';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { Figures } from './Figures.tsx';
import { UptimeBars } from './UptimeBars.tsx';
import { stateBars, stateWords } from './words.ts';

const tags = {
  ok: { tone: 'ok', icon: 'check', words: 'status.portalOk' },
  slow: { tone: 'warn', icon: 'clock', words: 'status.portalSlow' },
  down: { tone: 'err', icon: 'crossCircle', words: 'status.portalDown' },
  unknown: { tone: 'quiet', icon: 'info', words: 'status.portalUnknown' },
} as const;

const LEGEND: PortalHour['state'][] = ['ok', 'slow', 'down', 'none'];
const DAYS = 90;
const DAYS_ON_A_PHONE = 30;

function useSays(): (time: string, span: Span) => string {
  const { t } = useTranslation();
  return (time, span) => {
    if (span.state === 'none') return t('status.barNone', { time });
    const facts = [
      t('status.barLooks', { count: span.looks + span.failures }),
      span.failures > 0 && t('status.barFailures', { count: span.failures }),
      typeof span.latency_ms === 'number' && t('status.barLatency', { seconds: seconds(span.latency_ms) }),
    ].filter(Boolean);
    return t('status.bar', { time, state: t(stateWords[span.state]), facts: facts.join(' · ') });
  };
}

function Heading({ title, text }: { title: string; text: string }) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: '2px 12px', mt: 3, mb: 1 }}>
      <Typography variant="label" component="h3" sx={{ flex: 1 }}>
        {title}
      </Typography>
      <Typography variant="micro" color="textTertiary">
        {text}
      </Typography>
    </Box>
  );
}

/** The official system, as our looks met it: shares, the last day by the hour, three months by the day. */
export function PortalCard({ status, history }: { status: SystemStatus; history: StatusHistory | undefined }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const says = useSays();
  const phone = useMediaQuery('(max-width:599.95px)');
  const tag = tags[status.portal.state];
  const shown = phone ? DAYS_ON_A_PHONE : DAYS;
  const sumOf = (spans: Span[]) => {
    const many = (state: Span['state']) => spans.filter((span) => span.state === state).length;
    const bad = [
      many('down') > 0 && t('status.sumDown', { count: many('down') }),
      many('slow') > 0 && t('status.sumSlow', { count: many('slow') }),
    ].filter(Boolean);
    if (bad.length > 0) return bad.join(' · ');
    return many('ok') > 0 ? t('status.sumFine') : t('status.sumNone');
  };
  const hours = status.portal.hours.map((hour) => ({
    ...hour,
    key: hour.hour,
    says: says(instantClock(hour.hour, language), hour),
  }));
  const days = history?.days
    .slice(-shown)
    .map((day) => ({ ...day, key: day.day, says: says(dateInFull(day.day, language), day) }));
  return (
    <Card component="section" aria-labelledby="portal-title">
      <CardHeader icon="globe" title={t('status.portal')} id="portal-title">
        <Tag tone={tag.tone} icon={tag.icon}>
          {t(tag.words)}
        </Tag>
      </CardHeader>
      <Box sx={{ p: { xs: '12px 16px 18px', sm: '14px 20px 22px' } }}>
        <Figures status={status} history={history} />
        <Heading title={t('status.hoursTitle')} text={t('status.perHour')} />
        <UptimeBars
          label={t('status.hoursLabel')}
          sum={sumOf(hours)}
          first={t('status.hoursFirst')}
          last={t('status.now')}
          spans={hours}
        />
        <Heading title={t('status.daysTitle', { count: shown })} text={t('status.perDay')} />
        {days ? (
          <UptimeBars
            label={t('status.daysLabel', { count: shown })}
            sum={sumOf(days)}
            first={t('status.daysFirst', { count: shown })}
            last={t('status.today')}
            spans={days}
          />
        ) : (
          <Skeleton variant="rounded" height={60} />
        )}
        <Box
          component="ul"
          sx={{ display: 'flex', flexWrap: 'wrap', gap: '4px 18px', mt: 2.5, typography: 'micro', color: 'text.secondary' }}
        >
          {LEGEND.map((state) => (
            <Box component="li" key={state} sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75 }}>
              <Box aria-hidden sx={{ display: 'flex', alignItems: 'flex-end', width: 8, height: 14 }}>
                <Box sx={{ width: 1, height: stateBars[state].height, borderRadius: '2px', bgcolor: stateBars[state].ground }} />
              </Box>
              {t(stateWords[state])}
            </Box>
          ))}
        </Box>
        <Typography variant="caption" component="p" color="textTertiary" sx={{ mt: 1.5 }}>
          {t('status.method')}
        </Typography>
      </Box>
    </Card>
  );
}
