import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queries } from '../../shared/api/queries.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { Part } from './Part.tsx';

/** How people are told: by mail, and what is still to come. */
export function NotificationsCard({ hidden }: { hidden: boolean }) {
  const { t } = useTranslation();
  const { data: user } = useQuery(queries.profile());
  const soon = [t('settings.channelWechat'), t('settings.channelSms'), t('settings.channelPush')];
  return (
    <Part
      icon="bell"
      title={t('rail.notifications')}
      mark={
        <Button component={Link} to={paths.settings} variant="text" size="small" sx={{ mr: -1.5 }}>
          {t('nav.settings')}
        </Button>
      }
    >
      <Box
        component="ul"
        sx={{
          fontSize: 14,
          lineHeight: 1.6,
          '& > li': { display: 'flex', alignItems: 'center', gap: 1.5, py: 1 },
          '& > li + li': { borderTop: 1, borderColor: 'divider' },
        }}
      >
        <li>
          <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            {t('settings.channelEmail')}
            {user && (
              <Box component="span" sx={{ display: 'block', fontSize: 13, color: 'text.tertiary' }}>
                {t('rail.mailTo', { address: hidden ? maskEmail(user.email) : user.email })}
              </Box>
            )}
          </Box>
          <Tag tone="ok" icon="check">
            {t('settings.channelOn')}
          </Tag>
        </li>
        {soon.map((channel) => (
          <li key={channel}>
            <Box sx={{ flex: 1 }}>{channel}</Box>
            <Box component="span" sx={{ fontSize: 13, color: 'text.tertiary' }}>
              {t('settings.comingSoon')}
            </Box>
          </li>
        ))}
      </Box>
    </Part>
  );
}
