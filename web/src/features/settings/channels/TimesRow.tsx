import { useTranslation } from 'react-i18next';
import type { QuietSetting } from '../../../shared/api/channels.ts';
import { clock } from '../../../shared/i18n/format.ts';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { Row } from '../Section.tsx';
import { zoneTexts } from './zones.ts';

/** Renders the quiet hours and the interval of the digest, with a button that changes them. */
export function TimesRow({ setting, onChange }: { setting: QuietSetting; onChange: () => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { quiet_from, quiet_to, zone, questions_at_night, digest } = setting;
  const textKey = zoneTexts(zone);
  const quiet =
    quiet_from && quiet_to
      ? t('reach.quietNow', {
          from: clock(quiet_from, language),
          to: clock(quiet_to, language),
          zone: textKey ? t(textKey) : zone,
        })
      : t('reach.quietOff');
  return (
    <Row
      actions={
        <Button variant="secondary" size="small" aria-label={t('reach.timesChange')} onClick={onChange}>
          {t('reach.change')}
        </Button>
      }
    >
      <Text variant="strong">{t('reach.times')}</Text>
      <Text variant="small" color="secondary">
        {quiet} {quiet_from && t(questions_at_night ? 'reach.nightAsk' : 'reach.nightQuiet')}{' '}
        {digest !== 'off' && t(digest === 'daily' ? 'reach.digestNowDaily' : 'reach.digestNowWeekly')}
      </Text>
    </Row>
  );
}
