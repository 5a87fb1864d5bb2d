import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../shared/routing/paths.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './QuickStart.module.css';

/** The three steps to a task, and the way there; before the first task the empty list above has that button. */
export function QuickStart({ isFirst = false }: { isFirst?: boolean }) {
  const { t } = useTranslation();
  const steps = [
    { title: t('wizard.step1'), text: t('quick.text1') },
    { title: t('wizard.step2'), text: t('quick.text2') },
    { title: t('wizard.step3'), text: t('quick.text3') },
  ];
  return (
    <Card as="section" aria-labelledby="quick-title">
      <CardHeader title={t('quick.title')} id="quick-title">
        <Text as="span" variant="caption" color="tertiary">
          {t('quick.time')}
        </Text>
      </CardHeader>
      <CardBody className={styles.body}>
        <ol className={styles.steps}>
          {steps.map((step, index) => (
            <li key={step.title} className={styles.step}>
              <span className={styles.number}>{index + 1}</span>
              <span className={styles.title}>{step.title}</span>
              <span className={styles.text}>{step.text}</span>
            </li>
          ))}
        </ol>
        {!isFirst && (
          <ButtonLink render={<Link to={paths.wizard()} />} variant="soft" start={<Icon of={Plus} size={18} />}>
            {t('dashboard.newTask')}
          </ButtonLink>
        )}
      </CardBody>
    </Card>
  );
}
