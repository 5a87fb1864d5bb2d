import 'dayjs/locale/zh-cn';
import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import { DatePicker } from '@mui/x-date-pickers/DatePicker';
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider';
import { enUS, zhCN } from '@mui/x-date-pickers/locales';
import dayjs from 'dayjs';
import { useId } from 'react';
import type { CivilDate } from '../format/dates.ts';
import { useLanguage } from '../i18n/useLanguage.ts';
import { Icon } from './Icon.tsx';

/** Where a pointer is precise the picker drops down from its field; elsewhere it is a dialog. */
const DESKTOP = '@media (pointer: fine)';
const EARLIEST = '1900-01-01';
const LATEST = '2099-12-31';

/** On a phone two fields share 328 px: less padding, so that a whole date is seen. */
const narrow = { px: { xs: 1.25, sm: 1.75 }, '& .MuiInputAdornment-root': { ml: 0 } };
const wideSx = { '& .MuiPickersOutlinedInput-root': { fontSize: { xs: 14, sm: 16 }, ...narrow } };
const compactSx = {
  '& .MuiPickersOutlinedInput-root': { minHeight: 40, fontSize: { xs: 13, sm: 14 }, ...narrow },
  '& .MuiPickersSectionList-root': { py: '8px' },
};

const actionSx = {
  '& .MuiButton-root': { bgcolor: 'transparent', color: 'primary.ink', '&:hover': { bgcolor: 'primary.soft' } },
};

const OpenIcon = () => <Icon name="calendar" />;

interface Props {
  label: string;
  hideLabel?: boolean;
  value: CivilDate | null;
  onChange: (date: CivilDate | null) => void;
  min?: CivilDate | null;
  max?: CivilDate | null;
  error?: boolean;
  compact?: boolean;
}

/** A civil date picked or typed as YYYY-MM-DD; three months a row, and on a desktop four years. */
export function DateField({ label, hideLabel, value, onChange, min, max, error, compact }: Props) {
  const language = useLanguage();
  const id = useId();
  const zh = language === 'zh';
  const desktop = useMediaQuery(DESKTOP, { noSsr: true });
  const texts = (zh ? zhCN : enUS).components.MuiLocalizationProvider.defaultProps.localeText;
  return (
    <LocalizationProvider dateAdapter={AdapterDayjs} adapterLocale={zh ? 'zh-cn' : 'en'} localeText={texts}>
      <Box sx={{ minWidth: 0 }}>
        {!hideLabel && (
          <Box component="span" id={id} sx={{ display: 'block', fontSize: 14, fontWeight: 600, lineHeight: 1.5, mb: 0.75 }}>
            {label}
          </Box>
        )}
        <DatePicker
          value={value ? dayjs(value) : null}
          onChange={(date) => onChange(date?.isValid() ? date.format('YYYY-MM-DD') : null)}
          minDate={dayjs(min ?? EARLIEST)}
          maxDate={dayjs(max ?? LATEST)}
          format="YYYY-MM-DD"
          views={['year', 'month', 'day']}
          openTo="day"
          monthsPerRow={3}
          yearsPerRow={desktop ? 4 : 3}
          desktopModeMediaQuery={DESKTOP}
          slots={{ openPickerIcon: OpenIcon }}
          slotProps={{
            textField: {
              fullWidth: true,
              error,
              'aria-label': label,
              ...(hideLabel ? {} : { 'aria-labelledby': id }),
              sx: compact ? compactSx : wideSx,
            },
            calendarHeader: { format: zh ? 'YYYY年M月' : 'MMMM YYYY' },
            field: { clearable: false },
            toolbar: { hidden: true },
            actionBar: { sx: actionSx },
          }}
        />
      </Box>
    </LocalizationProvider>
  );
}
