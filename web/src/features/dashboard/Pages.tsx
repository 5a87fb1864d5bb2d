import Box from '@mui/material/Box';
import Pagination from '@mui/material/Pagination';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useTranslation } from 'react-i18next';
import { PAGE_SIZE } from '../../shared/api/taskList.ts';

interface Props {
  page: number;
  total: number;
  onChange: (page: number) => void;
}

/** Which tasks of how many are shown, and the way to the others; for more than one page of them. */
export function Pages({ page, total, onChange }: Props) {
  const { t } = useTranslation();
  const phone = useMediaQuery('(max-width:599.95px)');
  const from = (page - 1) * PAGE_SIZE + 1;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: '8px 16px' }}>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        {t('dashboard.shown', { from, to: Math.min(total, page * PAGE_SIZE), count: total })}
      </Box>
      <Pagination
        aria-label={t('dashboard.pages')}
        page={page}
        count={Math.ceil(total / PAGE_SIZE)}
        siblingCount={phone ? 0 : 1}
        onChange={(_, next) => onChange(next)}
        getItemAriaLabel={(type, number) =>
          type === 'page'
            ? t('dashboard.page', { page: number })
            : type === 'previous'
              ? t('dashboard.previousPage')
              : t('dashboard.nextPage')
        }
        sx={{
          mx: { xs: -1, sm: 0 },
          '& .MuiPaginationItem-root': { fontVariantNumeric: 'tabular-nums', minWidth: { xs: 34, sm: 36 }, m: 0 },
          '& .Mui-selected': { bgcolor: 'primary.soft', color: 'primary.ink', fontWeight: 600 },
        }}
      />
    </Box>
  );
}
