import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { Words } from '../../shared/i18n/words.ts';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { Section } from './Section.tsx';

const COMING: Words[] = ['settings.channelWechat', 'settings.channelSms', 'settings.channelPush'];

/** How people hear from us: mail, and what will come. */
export function NotificationSetting() {
  const { t } = useTranslation();
  const row = { display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 2, py: 1, fontSize: 15 } as const;
  return (
    <Section id="notifications" icon="mail" title={t('settings.notifications')} text={t('settings.notificationsText')}>
      <Box component="ul" sx={{ '& > li + li': { borderTop: 1, borderColor: 'divider' }, my: -1 }}>
        <Box component="li" sx={row}>
          {t('settings.channelEmail')}
          <Tag tone="ok" icon="check">
            {t('settings.channelOn')}
          </Tag>
        </Box>
        {COMING.map((channel) => (
          <Box component="li" key={channel} sx={{ ...row, color: 'text.secondary' }}>
            {t(channel) as string}
            <Tag tone="quiet">{t('settings.comingSoon')}</Tag>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
