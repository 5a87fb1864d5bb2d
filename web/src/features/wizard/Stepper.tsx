import { Check } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/ui/Card.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import styles from './Stepper.module.css';

/** Renders the three steps of the wizard. On phones only the current step has a name. */
export function Stepper({ step }: { step: number }) {
  const { t } = useTranslation();
  const steps = [t('wizard.step1'), t('wizard.step2'), t('wizard.step3')];
  return (
    <Card as="ol" aria-label={t('wizard.progress')} className={styles.steps}>
      {steps.map((label, index) => {
        const place = index + 1;
        const done = place < step;
        return (
          <Fragment key={label}>
            {index > 0 && <li aria-hidden className={classes(styles.line, place <= step && styles.passed)} />}
            <li aria-current={place === step ? 'step' : undefined} className={classes(styles.step, done && styles.done)}>
              <span className={styles.number}>{done ? <Icon of={Check} size={16} /> : place}</span>
              <span className={styles.label}>{label}</span>
            </li>
          </Fragment>
        );
      })}
    </Card>
  );
}
