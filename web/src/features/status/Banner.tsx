import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { StatusHistory, SystemStatus } from '../../shared/api/types.ts';
import { fineSince, type Overall, overall } from '../../shared/format/uptime.ts';
import { useOnline } from '../../shared/hooks/useOnline.ts';
import { instantShort } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import type { IconName } from '../../shared/legacy/iconPaths.tsx';
import { useSpan } from './useSpan.ts';

const looks: Record<Overall, { palette: 'primary' | 'warning' | 'error' | 'neutral'; icon: IconName; title: Words }> = {
  unreachable: { palette: 'error', icon: 'crossCircle', title: 'status.unreachable' },
  engine: { palette: 'error', icon: 'crossCircle', title: 'status.engineStopped' },
  down: { palette: 'error', icon: 'crossCircle', title: 'status.isDown' },
  slow: { palette: 'warning', icon: 'clock', title: 'status.isSlow' },
  mail: { palette: 'warning', icon: 'mail', title: 'status.mailLate' },
  never: { palette: 'neutral', icon: 'info', title: 'status.neverAsked' },
  fine: { palette: 'primary', icon: 'checkCircle', title: 'status.fine' },
};

interface Props {
  status: SystemStatus | undefined;
  history: StatusHistory | undefined;
  reachable: boolean;
  /** When the last answer came, in ms; 0 before the first. */
  answeredAt: number;
  asking: boolean;
  onRetry: () => void;
}

/** The one line that sums everything up, and since when it has been so. */
export function Banner({ status, history, reachable, answeredAt, asking, onRetry }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const span = useSpan();
  const online = useOnline();
  const kind = overall(status, reachable);
  const { palette, icon, title } = looks[kind];
  const at = (instant: string) => instantShort(instant, language);
  const text = () => {
    const since = status?.portal.since;
    const calm = fineSince(history);
    if (kind === 'unreachable' && answeredAt > 0)
      return t('status.unreachableText', { time: at(new Date(answeredAt).toISOString()) });
    if (kind === 'unreachable') return t('status.unreachableNoData');
    if (kind === 'engine') return t('status.engineStoppedText');
    if (kind === 'mail')
      return t('status.mailLateText', {
        count: status?.delivery.waiting ?? 0,
        span: span(status?.delivery.waiting_seconds ?? 0),
      });
    if (kind === 'never') return t('status.neverAskedText');
    if (kind === 'fine') return calm ? t('status.fineText', { time: at(calm) }) : t('status.fineNow');
    const words = kind === 'down' ? 'status.isDownText' : 'status.isSlowText';
    const begun =
      since && status
        ? t('status.begun', { time: at(since), span: span((Date.parse(status.at) - Date.parse(since)) / 1000) })
        : '';
    return `${begun}${t(words)}`;
  };
  return (
    <Box
      role={kind === 'fine' || kind === 'never' ? 'status' : 'alert'}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: '12px 16px',
        alignItems: 'center',
        p: { xs: '16px', sm: '18px 20px' },
        borderRadius: '16px',
        bgcolor: `${palette}.soft`,
      }}
    >
      <Box sx={{ color: `${palette}.ink`, display: 'flex' }}>
        <Icon name={icon} size={28} />
      </Box>
      <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
        <Typography variant="h5" component="p">
          {kind === 'unreachable' && !online ? t('status.offline') : t(title)}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {text()}
        </Typography>
      </Box>
      {kind === 'unreachable' && (
        <Button variant="outlined" size="small" onClick={onRetry} loading={asking}>
          {t('status.retry')}
        </Button>
      )}
    </Box>
  );
}
