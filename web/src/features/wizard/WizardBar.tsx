import { ArrowLeft, CircleX, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../shared/routing/paths.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import styles from './WizardBar.module.css';

interface Props {
  onPrevious?: () => void;
  /**
   * Reason why the last press had no effect. Only phones show it here, because the list of problems
   * may be out of sight.
   */
  problem?: string;
  /**
   * Amount that the submission puts on hold. Only phones show it here, because the price may be out
   * of sight.
   */
  sum?: string;
  children: ReactNode;
}

/**
 * Renders the buttons of the wizard: at the bottom of the card, or fixed at the bottom of a phone's
 * screen. On phones a cross leaves the wizard. An arrow would look the same as *Previous*.
 */
export function WizardBar({ onPrevious, problem, sum, children }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes(styles.bar, sum !== undefined && styles.tall)} data-tall-bar={sum || problem ? true : undefined}>
      {problem && (
        <div className={styles.problem}>
          <Icon of={CircleX} size={18} />
          <span>{problem}</span>
        </div>
      )}
      <ButtonLink
        render={<Link to={paths.dashboard} />}
        variant="ghost"
        aria-label={t('wizard.toDashboard')}
        className={styles.leave}
      >
        <span className={styles.close}>
          <Icon of={X} />
        </span>
        <span className={styles.back}>
          <Icon of={ArrowLeft} size={18} />
          {t('wizard.toDashboard')}
        </span>
      </ButtonLink>
      {sum && (
        <div className={styles.sum}>
          <span>{t('submit.sum')}</span> <b>{sum}</b>
        </div>
      )}
      <div className={styles.room} />
      {onPrevious && (
        <Button variant="secondary" onClick={onPrevious}>
          {t('wizard.previous')}
        </Button>
      )}
      {children}
    </div>
  );
}
