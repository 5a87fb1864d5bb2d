import { useTranslation } from 'react-i18next';
import styles from './QuickSteps.module.css';

/** Renders the three numbered steps to a new task. */
export function QuickSteps() {
  const { t } = useTranslation();
  const steps = [
    { title: t('wizard.step1'), text: t('quick.text1') },
    { title: t('wizard.step2'), text: t('quick.text2') },
    { title: t('wizard.step3'), text: t('quick.text3') },
  ];
  return (
    <ol className={styles.steps}>
      {steps.map((step, index) => (
        <li key={step.title} className={styles.step}>
          <span className={styles.number}>{index + 1}</span>
          <span className={styles.title}>{step.title}</span>
          <span className={styles.stepText}>{step.text}</span>
        </li>
      ))}
    </ol>
  );
}
