import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { Illustration } from '../../shared/ui/Illustration.tsx';

/** No task yet: a calendar with the sun rising in it, one line, one button. */
export function EmptyTasks() {
  const { t } = useTranslation();
  return (
    <Card
      sx={{ display: 'grid', justifyItems: 'center', textAlign: 'center', gap: 0.5, p: { xs: '28px 16px', sm: '40px 24px' } }}
    >
      <Illustration name="calendar" />
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
