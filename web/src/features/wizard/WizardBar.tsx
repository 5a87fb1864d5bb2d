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
  /** Why the last press had no effect. Only on a phone, where the full list can be out of sight. */
  problem?: string;
  /** Amount that the press puts on hold. Only on a phone, where the price can be out of sight. */
  sum?: string;
  children: ReactNode;
}

/**
 * Renders the wizard's buttons: at the bottom of the card, or fixed to the bottom edge on a phone.
 * There a cross leaves the wizard, because an arrow beside *Previous* would seem the same.
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
