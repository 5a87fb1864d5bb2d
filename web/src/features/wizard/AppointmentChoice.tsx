import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { presentTask } from '../../parts/task/highlights.ts';
import { civilToday } from '../../shared/format/dates.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { visaClass } from '../../shared/format/visaClass.ts';
import { clock, joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { type Choice, FEE_SOON_DAYS, feeDaysLeft } from './wizardChoice.ts';

const reasons: Record<string, Words> = {
  pay_visa_fee: 'reason.payFee',
  fee_expired: 'reason.feeExpired',
  monitored_by_self: 'reason.monitoredSelf',
  monitored_by_other: 'reason.monitoredOther',
  status_not_monitorable: 'reason.status',
};

/** One group of the portal account as a row with its checkbox, or with a lock and the reason. */
export function AppointmentChoice({
  choice: { appointment, barrier },
  checked,
  onToggle,
}: {
  choice: Choice;
  checked: boolean;
  onToggle: () => void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const open = !barrier;
  const names = joined(appointment.applicant_names, language);
  const daysLeft = feeDaysLeft(appointment, civilToday(Date.now()));
  const expiring = open && daysLeft !== null && daysLeft >= 0 && daysLeft <= FEE_SOON_DAYS;
  const place = [
    appointment.facility ? cityName(appointment.facility) : t('reason.notAssigned'),
    appointment.appointment_time && clock(appointment.appointment_time, language),
  ];
  const body = (
    <>
      {open ? (
        <Checkbox
          checked={checked}
          onChange={onToggle}
          slotProps={{ input: { 'aria-label': names } }}
          sx={{ p: 0, alignSelf: 'start', mt: '1px' }}
        />
      ) : (
        <Box sx={{ color: 'text.tertiary', alignSelf: 'start', mt: '2px' }}>
          <Icon name="lock" />
        </Box>
      )}
      <Box sx={{ minWidth: 0 }}>
        <Box
          sx={{ fontSize: 15, lineHeight: 1.55, fontWeight: open ? 600 : 500, color: open ? 'text.primary' : 'text.secondary' }}
        >
          {names}
        </Box>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '0 12px', fontSize: 13, color: 'text.secondary' }}>
          {appointment.visa_class && <span>{visaClass(appointment.visa_class, language)}</span>}
          <span>{t('unit.applicants', { count: appointment.applicants_count })}</span>
          {appointment.ivr_account_number && <span>{t('task.ivr', { number: appointment.ivr_account_number })}</span>}
        </Box>
      </Box>
      <Box
        sx={{
          gridColumn: { xs: 2, md: 'auto' },
          textAlign: { md: 'right' },
          display: { xs: 'flex', md: 'block' },
          gap: 1,
          alignItems: 'baseline',
          mt: { xs: 0.5, md: 0 },
        }}
      >
        <Box sx={{ fontSize: 15, fontWeight: open ? 600 : 500, color: open ? 'text.primary' : 'text.secondary' }}>
          {appointment.appointment_date ?? t('reason.notScheduled')}
        </Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{place.filter(Boolean).join(' · ')}</Box>
      </Box>
      {barrier && (
        <Box sx={{ gridColumn: '2 / -1', fontSize: 13, mt: 0.5 }}>
          {t(reasons[barrier.reason] ?? 'reason.status', { date: appointment.payment_expiry_date ?? '' })}{' '}
          {barrier.reason === 'monitored_by_self' && <TaskLink id={barrier.taskId} />}
        </Box>
      )}
      {expiring && (
        <Box
          sx={{
            gridColumn: '2 / -1',
            display: 'flex',
            gap: 1,
            fontSize: 13,
            fontWeight: 500,
            color: 'warning.ink',
            mt: 0.5,
            '& > svg': { mt: '2px' },
          }}
        >
          <Icon name="alert" size={16} />
          {daysLeft === 0
            ? t('reason.feeToday')
            : t('reason.feeSoon', { count: daysLeft ?? 0, date: appointment.payment_expiry_date })}
        </Box>
      )}
    </>
  );
  return (
    <Box component="li">
      <Box
        component={open ? 'label' : 'div'}
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: '20px minmax(0,1fr)', md: '20px minmax(0,1fr) auto' },
          gap: '2px 14px',
          p: { xs: '12px 14px', md: '13px 16px' },
          alignItems: 'center',
          borderRadius: '12px',
          border: 1,
          borderColor: checked && open ? 'primary.main' : 'divider',
          bgcolor: checked && open ? 'primary.soft' : open ? 'background.paper' : 'background.quiet',
          cursor: open ? 'pointer' : 'default',
        }}
      >
        {body}
      </Box>
    </Box>
  );
}

/** Leads to the task that has this appointment, marked on the dashboard. */
function TaskLink({ id }: { id: string | null }) {
  const { t } = useTranslation();
  return (
    <Link to={{ pathname: paths.dashboard, hash: id ? `#task-${id}` : '' }} onClick={() => id && presentTask(id)}>
      {t('reason.openTask')}
    </Link>
  );
}
