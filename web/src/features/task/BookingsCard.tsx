import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AppointmentRow } from '../../parts/task/AppointmentRow.tsx';
import { RatingPrompt } from '../../parts/task/RatingPrompt.tsx';
import { detail } from '../../shared/api/detail.ts';
import type { Task } from '../../shared/api/types.ts';
import { saveFile } from '../../shared/browser/saveFile.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { instantShort, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { toast } from '../../shared/ui/toasts.ts';
import { Part } from './Part.tsx';
import { receipts } from './receipts.ts';

/** Every appointment of the task, as a calendar file too; and each booking with its receipt. */
export function BookingsCard({ task, hidden }: { task: Task; hidden: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const saving = useMutation({
    mutationFn: () => detail.appointmentFile(task.id, language),
    onSuccess: (file) => saveFile(file, `sooner-${task.portal_schedule_id}.ics`),
    onError: () => toast.error(t('rail.calendarFailed')),
  });
  const booked = task.appointments.some((appointment) => appointment.appointment_date);
  const bookings = receipts(task).reverse();
  return (
    <Part icon="calendarCheck" title={t('rail.appointments')}>
      <Box sx={{ display: 'grid', gap: 1 }}>
        {task.appointments.map((appointment) => (
          <AppointmentRow
            key={`${appointment.schedule_id}-${appointment.ivr_account_number}`}
            appointment={appointment}
            hidden={hidden}
            attemptsLeft={null}
          />
        ))}
      </Box>
      {booked && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '6px 12px', mt: 1.5 }}>
          <Button
            variant="outlined"
            size="small"
            loading={saving.isPending}
            onClick={() => saving.mutate()}
            startIcon={<Icon name="calendar" size={16} />}
          >
            {t('rail.calendar')}
          </Button>
          <Box component="span" sx={{ flex: '1 1 140px', fontSize: 12, lineHeight: 1.5, color: 'text.tertiary' }}>
            {t('rail.calendarText')}
          </Box>
        </Box>
      )}
      {bookings.length > 0 && (
        <>
          <Box component="h3" sx={{ mt: 2, fontSize: 13, fontWeight: 600, color: 'text.secondary' }}>
            {t('rail.bookings')}
          </Box>
          <Box component="ul" sx={{ '& > li + li': { borderTop: 1, borderColor: 'divider' } }}>
            {bookings.map((one) => (
              <Box
                component="li"
                key={one.n}
                sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '2px 12px', py: 1.25, fontSize: 14 }}
              >
                <Box sx={{ flex: '1 1 150px', minWidth: 0 }}>
                  <Box component="b" sx={{ fontWeight: 600 }}>
                    {unbroken(one.date)}
                  </Box>{' '}
                  <Box component="span" sx={{ color: 'text.secondary' }}>
                    {cityName(one.facility)}
                  </Box>
                  <Box sx={{ fontSize: 13, color: 'text.tertiary' }}>{instantShort(one.at, language)}</Box>
                </Box>
                <Box sx={{ fontWeight: 600, color: 'primary.ink', whiteSpace: 'nowrap' }}>
                  {one.daysAdvanced === null ? t('task.firstBooking') : t('task.gained', { count: one.daysAdvanced })}
                </Box>
                <Button
                  component={Link}
                  to={paths.bookingReceipt(task.id, one.n)}
                  variant="text"
                  size="small"
                  aria-label={t('rail.receiptOf', { date: one.date })}
                  sx={{ mr: -1 }}
                >
                  {t('rail.receipt')}
                </Button>
              </Box>
            ))}
          </Box>
          <Box sx={{ mt: 1 }}>
            <RatingPrompt task={task} />
          </Box>
        </>
      )}
    </Part>
  );
}
