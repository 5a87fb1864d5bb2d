import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../shared/routing/paths.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Illustration } from '../../shared/ui/Illustration.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './EmptyTasks.module.css';

/** No task yet: a calendar with the sun rising in it, one line, one button. */
export function EmptyTasks() {
  const { t } = useTranslation();
  return (
    <Card className={styles.card}>
      <Illustration name="calendar" />
      <Text variant="h3" className={styles.title}>
        {t('dashboard.emptyTitle')}
      </Text>
      <Text variant="small" color="secondary" className={styles.text}>
        {t('dashboard.emptyText')}
      </Text>
      <ButtonLink render={<Link to={paths.wizard()} />} start={<Icon of={Plus} size={18} />}>
        {t('dashboard.newTask')}
      </ButtonLink>
    </Card>
  );
}
