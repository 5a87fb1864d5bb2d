import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { expiryBand } from '../../parts/task/taskView.ts';
import { civilToday } from '../../shared/format/dates.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { visaClass } from '../../shared/format/visaClass.ts';
import { clock, joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { Words } from '../../shared/i18n/words.ts';
import type { IconName } from '../../shared/legacy/iconPaths.tsx';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { type Choice, feeDaysLeft } from './wizardChoice.ts';

/** The spec's four bands, each with a colour, an icon and words of its own. */
const bands = {
  expired: ['errSolid', 'crossCircle', 'fee.expired'],
  warning: ['err', 'alert', 'fee.urgent'],
  caution: ['warn', 'clock', 'fee.soon'],
  good: ['ok', 'check', 'fee.valid'],
} as const satisfies Record<string, readonly [string, IconName, Words]>;

/** One chosen group in step 3: who, what is booked now, and how long the visa fee holds. */
export function SummaryRow({ choice: { appointment } }: { choice: Choice }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const daysLeft = feeDaysLeft(appointment, civilToday(Date.now()));
  const [tone, icon, words] = bands[expiryBand(daysLeft ?? 0)];
  const now = appointment.appointment_date
    ? [
        appointment.appointment_date,
        appointment.appointment_time && clock(appointment.appointment_time, language),
        cityName(appointment.facility),
      ]
        .filter(Boolean)
        .join(' · ')
    : t('reason.notScheduled');
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr', sm: '1fr auto' },
        gap: '4px 16px',
        p: '12px 16px',
        borderRadius: '12px',
        border: 1,
        borderColor: 'divider',
      }}
    >
      <Box>
        <Box sx={{ fontSize: 15, fontWeight: 600 }}>{joined(appointment.applicant_names, language)}</Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary', display: 'flex', flexWrap: 'wrap', gap: '0 12px' }}>
          <span>{visaClass(appointment.visa_class, language)}</span>
          <span>{t('unit.applicants', { count: appointment.applicants_count })}</span>
          {appointment.ivr_account_number && <span>{t('task.ivr', { number: appointment.ivr_account_number })}</span>}
        </Box>
      </Box>
      <Box sx={{ textAlign: { sm: 'right' } }}>
        <Box sx={{ fontSize: 14, fontWeight: 600, whiteSpace: 'nowrap' }}>{now}</Box>
        {daysLeft !== null && (
          <Tag tone={tone} icon={icon}>
            {daysLeft === 0 ? t('fee.today') : t(words, { count: daysLeft, date: appointment.payment_expiry_date ?? '' })}
          </Tag>
        )}
      </Box>
    </Box>
  );
}
