import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { Incident, StatusHistory } from '../../shared/api/types.ts';
import { INCIDENTS_MS, seconds } from '../../shared/format/uptime.ts';
import { clock, instantParts, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { CardHeader } from '../../shared/legacy/CardHeader.tsx';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { useSpan } from './useSpan.ts';

/** Begin and end; the day is said again only where it is another. */
function useWhen(): (incident: Incident) => string {
  const { t } = useTranslation();
  const language = useLanguage();
  return ({ begins, ends }) => {
    const from = instantParts(begins);
    const start = `${unbroken(from.date)} ${clock(from.time, language)}`;
    if (!ends) return t('status.sinceTime', { time: start });
    const to = instantParts(ends);
    const end = clock(to.time, language);
    return t('status.fromTo', { from: start, to: to.date === from.date ? end : `${unbroken(to.date)} ${end}` });
  };
}

function Row({ incident, now }: { incident: Incident; now: string }) {
  const { t } = useTranslation();
  const when = useWhen();
  const span = useSpan();
  const down = incident.state === 'down';
  const lasted = (Date.parse(incident.ends ?? now) - Date.parse(incident.begins)) / 1000;
  const facts = [
    incident.failures > 0 &&
      t('status.incidentFailures', { failures: incident.failures, looks: incident.looks + incident.failures }),
    typeof incident.latency_ms === 'number' && t('status.barLatency', { seconds: seconds(incident.latency_ms) }),
  ].filter(Boolean);
  return (
    <Box
      component="li"
      sx={{ display: 'flex', gap: 1.5, py: 1.75, borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0 } }}
    >
      <Box sx={{ color: down ? 'error.ink' : 'warning.ink', mt: '1px' }}>
        <Icon name={down ? 'crossCircle' : 'clock'} />
      </Box>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '2px 10px' }}>
          <Typography variant="label" component="h3">
            {t(down ? 'status.incidentDown' : 'status.incidentSlow', { span: span(lasted) })}
          </Typography>
          {!incident.ends && <Tag tone={down ? 'err' : 'warn'}>{t('status.goesOn')}</Tag>}
        </Box>
        <Typography variant="body2" color="textSecondary">
          {when(incident)}
        </Typography>
        <Typography variant="caption" component="p" color="textTertiary">
          {facts.join(' · ')}
        </Typography>
      </Box>
    </Box>
  );
}

/** What went wrong within 30 days, newest first, as the hours tell it. */
export function IncidentsCard({ history, failed }: { history: StatusHistory | undefined; failed: boolean }) {
  const { t } = useTranslation();
  const recorded = history?.recorded_since;
  const young = recorded && history && Date.parse(history.at) - Date.parse(recorded) < INCIDENTS_MS;
  return (
    <Card component="section" aria-labelledby="incidents-title">
      <CardHeader icon="history" title={t('status.incidents')} id="incidents-title">
        <Typography variant="caption" color="textTertiary">
          {t('status.lastMonth')}
        </Typography>
      </CardHeader>
      <Box sx={{ p: { xs: '4px 16px 18px', sm: '6px 20px 20px' } }}>
        {!history && failed && <Typography variant="body2">{t('status.historyFailed')}</Typography>}
        {!history && !failed && <Skeleton variant="rounded" height={72} />}
        {history && history.incidents.length > 0 && (
          <Box component="ul">
            {history.incidents.map((incident) => (
              <Row key={incident.begins} incident={incident} now={history.at} />
            ))}
          </Box>
        )}
        {history && history.incidents.length === 0 && (
          <Box
            sx={{
              display: 'flex',
              gap: 1.25,
              alignItems: 'flex-start',
              py: 1,
              color: recorded ? 'primary.ink' : 'text.tertiary',
            }}
          >
            <Icon name={recorded ? 'checkCircle' : 'info'} />
            <Typography variant="body2" color="textPrimary">
              {!recorded && t('status.nothingRecorded')}
              {recorded && (young ? t('status.noneSince', { date: instantParts(recorded).date }) : t('status.none'))}
            </Typography>
          </Box>
        )}
        <Typography variant="caption" component="p" color="textTertiary" sx={{ mt: 1 }}>
          {t('status.incidentsMethod')}
        </Typography>
      </Box>
    </Card>
  );
}
