import { CircleCheck, CirclePause, CircleX, Clock, Info, type LucideIcon, Mail } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './Banner.module.css';
import { useLive } from './live.tsx';
import { useStatusTexts, When } from './statusTexts.tsx';

const kinds: [kind: string, icon: LucideIcon, title: TextKey][] = [
  ['unreachable', CircleX, 'status.unreachable'],
  ['offline', CircleX, 'status.offline'],
  ['engine', CircleX, 'status.engineStopped'],
  ['paused', CirclePause, 'status.paused'],
  ['down', CircleX, 'status.isDown'],
  ['slow', Clock, 'status.isSlow'],
  ['late', Mail, 'status.mailLate'],
  ['never', Info, 'status.neverAsked'],
  ['fine', CircleCheck, 'status.fine'],
];

/** Renders the line that summarizes the state of the service, and since when it applies. */
export function Banner() {
  const { t } = useTranslation();
  const now = useStatusTexts('now');
  const live = useLive();
  return (
    <div role={now.when('alarm', 'alert') + now.unless('alarm', 'status')} data-tone={now.text('tone')} className={styles.root}>
      {kinds.map(([kind, icon]) => (
        <When key={kind} is={kind}>
          <Icon of={icon} size={24} className={styles.icon} />
        </When>
      ))}
      <div className={styles.words}>
        <Text variant="h3">{kinds.map(([kind, , title]) => now.when(kind, t(title) as string)).join('')}</Text>
        <Text variant="small" color="secondary">
          <About />
        </Text>
      </div>
      {live && (
        <When is="silent">
          <Button variant="secondary" size="small" onClick={live.refetch} loading={live.isFetching}>
            {t('status.retry')}
          </Button>
        </When>
      )}
    </div>
  );
}

function About() {
  const { t } = useTranslation();
  const now = useStatusTexts('now');
  const past = useStatusTexts('past');
  const since = { time: now.moment('since'), span: now.span('lasted') };
  const begun = now.when('since', t('status.begun', since));
  const parts = [
    now.when(
      'silent',
      now.when('answered', t('status.unreachableText', { time: now.moment('answered') })) +
        now.unless('answered', t('status.unreachableNoData')),
    ),
    now.when('engine', t('status.engineStoppedText')),
    now.when('paused', t('status.pausedText', since)),
    now.when('down', begun + t('status.isDownText')),
    now.when('slow', begun + t('status.isSlowText')),
    now.when('late', now.number('waiting', 'status.mailLateText', { span: now.span('oldest') })),
    now.when('never', t('status.neverAskedText')),
    now.when(
      'fine',
      past.when('calm', t('status.fineText', { time: past.moment('calm') })) + past.unless('calm', t('status.fineNow')),
    ),
  ];
  return parts.join('');
}
