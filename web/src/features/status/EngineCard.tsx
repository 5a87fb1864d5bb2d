import { Activity, Check, CirclePause, CircleX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Fact, SideCard } from './SideCards.tsx';
import { useStatusTexts, When } from './statusTexts.tsx';

const tags = [
  ['engine_on', 'ok', Check, 'status.engineOn'],
  ['engine_paused', 'warning', CirclePause, 'status.enginePaused'],
  ['engine_off', 'error', CircleX, 'status.engineOff'],
] as const;

/** Renders the state of the engine, which polls the portal. */
export function EngineCard() {
  const { t } = useTranslation();
  const now = useStatusTexts('now');
  const past = useStatusTexts('past');
  const last = t('status.timeAgo', { time: now.moment('last'), span: now.span('last_ago') });
  const next = t('status.timeIn', { time: now.moment('next'), span: now.span('next_in') });
  const noNext = past.when('idle', t('status.nobodyWaits')) + past.unless('idle', t('status.notPlanned'));
  const tag = tags.map(([name, tone, icon, textKey]) => (
    <When key={name} is={name}>
      <Badge tone={tone} icon={icon}>
        {t(textKey)}
      </Badge>
    </When>
  ));
  return (
    <SideCard id="engine-title" icon={Activity} title={t('status.engine')} tag={tag}>
      <Fact label={t('status.looksDay')}>{now.text('looks_day')}</Fact>
      <Fact label={t('status.lastLook')}>{now.when('last', last) + now.unless('last', t('status.never'))}</Fact>
      <Fact label={t('status.nextLook')}>
        {now.when('resting', t('status.notWhilePaused')) +
          now.unless('resting', now.when('next', next) + now.unless('next', noNext))}
      </Fact>
      <When not="resting">
        <When of="past" is="watching">
          <Fact label={t('status.punctual')}>
            {past.when('late', t('status.late', { span: past.span('late') })) + past.unless('late', t('status.onTime'))}
          </Fact>
        </When>
      </When>
    </SideCard>
  );
}
