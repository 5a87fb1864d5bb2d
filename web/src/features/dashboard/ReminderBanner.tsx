import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queries } from '../../shared/api/queries.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { paths } from '../../shared/routing/paths.ts';

const KEY = 'sooner.reminder.closed';

function wasClosed(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/**
 * Top up before submitting: how to get a code, and that money is charged only after a success. Gone once there is money in the
 * balance or on hold; stays closed once closed.
 */
export function ReminderBanner() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(() => !wasClosed());
  const { data: credit, isError } = useQuery(queries.credit());
  const toppedUp = credit ? credit.credit + credit.on_hold > 0 : !isError;
  if (!open || toppedUp) return null;
  const close = () => {
    setOpen(false);
    try {
      localStorage.setItem(KEY, '1');
    } catch {
      // Without storage it is open again next time.
    }
  };
  return (
    <Box
      component="section"
      aria-labelledby="reminder-title"
      sx={{
        display: 'flex',
        gap: 1.75,
        alignItems: 'flex-start',
        p: '14px 12px 14px 20px',
        mb: { xs: 2, md: 3 },
        borderRadius: '16px',
        bgcolor: 'primary.soft',
      }}
    >
      <Box sx={{ color: 'primary.ink', mt: '2px' }}>
        <Icon name="ticket" />
      </Box>
      <Box sx={{ flex: 1 }}>
        <Typography id="reminder-title" component="h2" sx={{ fontSize: 15, fontWeight: 600, lineHeight: 1.6 }}>
          {t('reminder.title')}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t('reminder.text')}{' '}
          <Link to={paths.faq} style={{ fontWeight: 600, textDecoration: 'none', whiteSpace: 'nowrap' }}>
            {t('reminder.more')}
          </Link>
        </Typography>
      </Box>
      <IconButton aria-label={t('reminder.close')} onClick={close} sx={{ mt: -0.5 }}>
        <Icon name="x" size={18} />
      </IconButton>
    </Box>
  );
}
