import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../routes/paths.ts';
import { Icon } from '../../ui/Icon.tsx';

/** No task yet: a calendar with the sun rising in it, one line, one button. */
export function EmptyTasks() {
  const { t } = useTranslation();
  return (
    <Card
      sx={{ display: 'grid', justifyItems: 'center', textAlign: 'center', gap: 0.5, p: { xs: '28px 16px', sm: '40px 24px' } }}
    >
      <svg viewBox="0 0 190 128" width="190" height="128" fill="none" aria-hidden focusable="false">
        <path d="M6 118h178" stroke="var(--mui-palette-divider)" strokeWidth="2.500" strokeLinecap="round" />
        <rect x="38" y="18" width="114" height="100" rx="14" stroke="var(--mui-palette-primary-main)" strokeWidth="2.500" />
        <path
          d="M38 46h114M68 8v18M122 8v18"
          stroke="var(--mui-palette-primary-main)"
          strokeWidth="2.500"
          strokeLinecap="round"
        />
        <path d="M73 96a22 22 0 0 1 44 0Z" fill="var(--mui-palette-tertiary-main)" />
        <path
          d="M95 62v7M69 73l5 5M121 73l-5 5"
          stroke="var(--mui-palette-tertiary-main)"
          strokeWidth="2.500"
          strokeLinecap="round"
        />
        <path d="M54 96h82" stroke="var(--mui-palette-primary-main)" strokeWidth="2.500" strokeLinecap="round" />
      </svg>
      <Typography variant="h5" component="p" sx={{ mt: 1 }}>
        {t('dashboard.emptyTitle')}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 2 }}>
        {t('dashboard.emptyText')}
      </Typography>
      <Button component={Link} to={paths.wizard()} startIcon={<Icon name="plus" size={18} />}>
        {t('dashboard.newTask')}
      </Button>
    </Card>
  );
}
