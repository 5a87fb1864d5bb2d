import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { Appointment } from '../../shared/api/types.ts';
import { maskIvr } from '../../shared/format/mask.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { clock, weekday } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { NoWrap } from '../../shared/ui/Text.tsx';
import { ApplicantNames } from './ApplicantNames.tsx';

/** One application with its present appointment as a leaf of a calendar. */
export function AppointmentRow({
  appointment,
  hidden,
  attemptsLeft,
}: {
  appointment: Appointment;
  hidden: boolean;
  attemptsLeft: number | null;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const { appointment_date: date, appointment_time: time } = appointment;
  const ivr = appointment.ivr_account_number;
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'auto 1fr', sm: 'auto 1fr auto' },
        gap: 1.5,
        alignItems: 'center',
        p: '10px 14px',
        border: 1,
        borderColor: 'divider',
        borderRadius: '12px',
        fontSize: 14,
        lineHeight: 1.6,
      }}
    >
      <Box
        sx={{
          textAlign: 'center',
          fontSize: 18,
          lineHeight: 1.15,
          fontWeight: 600,
          fontVariantNumeric: 'tabular-nums',
          pr: 1.75,
          borderRight: 1,
          borderColor: 'divider',
          minWidth: 58,
        }}
      >
        {date ? date.slice(8) : '–'}
        <Box
          component="small"
          sx={{ display: 'block', fontSize: 12, lineHeight: 1.4, fontWeight: 500, color: 'text.tertiary', whiteSpace: 'nowrap' }}
        >
          {date ? date.slice(0, 7) : t('task.noDate')}
        </Box>
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ fontWeight: 600 }}>
          {date
            ? t('task.at', {
                city: appointment.facility ? cityName(appointment.facility) : t('reason.notAssigned'),
                when: [weekday(date, language), time && clock(time, language)].filter(Boolean).join(' '),
              })
            : t('reason.notScheduled')}
        </Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          <ApplicantNames names={appointment.applicant_names} hidden={hidden} />
          {ivr && (
            <>
              {' · '}
              <NoWrap>{t('task.ivr', { number: hidden ? maskIvr(ivr) : ivr })}</NoWrap>
            </>
          )}
        </Box>
      </Box>
      {attemptsLeft !== null && (
        <Box sx={{ gridColumn: { xs: 2, sm: 'auto' } }}>
          <Tag tone="line">{t('task.changesLeft', { count: attemptsLeft })}</Tag>
        </Box>
      )}
    </Box>
  );
}
