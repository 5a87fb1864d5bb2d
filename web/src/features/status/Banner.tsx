import { CircleCheck, CirclePause, CircleX, Clock, Info, type LucideIcon, Mail } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { StatusHistory, SystemStatus } from '../../shared/api/types.ts';
import { fineSince, type Overall, overall } from '../../shared/format/uptime.ts';
import { useOnline } from '../../shared/hooks/useOnline.ts';
import { instantShort } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './Banner.module.css';
import { useSpan } from './useSpan.ts';

type Tone = 'ok' | 'warning' | 'error' | 'quiet';

const looks: Record<Overall, { tone: Tone; icon: LucideIcon; title: Words }> = {
  unreachable: { tone: 'error', icon: CircleX, title: 'status.unreachable' },
  engine: { tone: 'error', icon: CircleX, title: 'status.engineStopped' },
  paused: { tone: 'warning', icon: CirclePause, title: 'status.paused' },
  down: { tone: 'error', icon: CircleX, title: 'status.isDown' },
  slow: { tone: 'warning', icon: Clock, title: 'status.isSlow' },
  mail: { tone: 'warning', icon: Mail, title: 'status.mailLate' },
  never: { tone: 'quiet', icon: Info, title: 'status.neverAsked' },
  fine: { tone: 'ok', icon: CircleCheck, title: 'status.fine' },
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
  const { tone, icon, title } = looks[kind];
  const at = (instant: string) => instantShort(instant, language);
  const lasted = (since: string) => span((Date.parse(status?.at ?? since) - Date.parse(since)) / 1000);
  const text = () => {
    const since = status?.portal.since;
    const calm = fineSince(history);
    if (kind === 'unreachable' && answeredAt > 0)
      return t('status.unreachableText', { time: at(new Date(answeredAt).toISOString()) });
    if (kind === 'unreachable') return t('status.unreachableNoData');
    if (kind === 'engine') return t('status.engineStoppedText');
    if (kind === 'paused' && status?.engine.paused_since)
      return t('status.pausedText', { time: at(status.engine.paused_since), span: lasted(status.engine.paused_since) });
    if (kind === 'mail')
      return t('status.mailLateText', {
        count: status?.delivery.waiting ?? 0,
        span: span(status?.delivery.waiting_seconds ?? 0),
      });
    if (kind === 'never') return t('status.neverAskedText');
    if (kind === 'fine') return calm ? t('status.fineText', { time: at(calm) }) : t('status.fineNow');
    const words = kind === 'down' ? 'status.isDownText' : 'status.isSlowText';
    const begun = since ? t('status.begun', { time: at(since), span: lasted(since) }) : '';
    return `${begun}${t(words)}`;
  };
  return (
    <div role={kind === 'fine' || kind === 'never' ? 'status' : 'alert'} className={classes(styles.root, styles[tone])}>
      <Icon of={icon} size={24} className={styles.icon} />
      <div className={styles.words}>
        <Text variant="h3">{kind === 'unreachable' && !online ? t('status.offline') : t(title)}</Text>
        <Text variant="small" color="secondary">
          {text()}
        </Text>
      </div>
      {kind === 'unreachable' && (
        <Button variant="secondary" size="small" onClick={onRetry} loading={asking}>
          {t('status.retry')}
        </Button>
      )}
    </div>
  );
}
