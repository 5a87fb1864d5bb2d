import { useQuery } from '@tanstack/react-query';
import { ChevronRight, History } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { instantInFull } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { CardFooter } from '../../shared/ui/Card.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './balance.module.css';
import { MovementAmount, MovementName, MovementNote } from './MovementNote.tsx';
import { balanceQueries, LAST_MOVEMENTS } from './queries.ts';

/** Renders the last movements of the account, with a link to all of them. */
export function LastMovements() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useQuery(balanceQueries.lastMovements(LAST_MOVEMENTS));
  const movements = data?.movements.slice(0, LAST_MOVEMENTS) ?? [];
  if (movements.length === 0) return null;
  return (
    <CardFooter>
      <div className={styles.movementsHead}>
        <Icon of={History} size={16} />
        <h3>{t('ledger.title')}</h3>
        <ButtonLink
          render={<Link to={paths.balance} />}
          variant="text"
          size="small"
          end={<Icon of={ChevronRight} size={16} />}
          aria-label={t('ledger.allMovements')}
          className={styles.all}
        >
          {t('ledger.all')}
        </ButtonLink>
      </div>
      <ul>
        {movements.map((movement) => (
          <li key={movement.id} className={styles.movement}>
            <span>
              <MovementName movement={movement} />
            </span>
            <span
              className={classes(styles.moved, movement.kind === 'hold' ? styles.aside : movement.amount > 0 && styles.gained)}
            >
              <MovementAmount movement={movement} />
            </span>
            <Text as="span" variant="caption" color="tertiary" className={styles.about}>
              <MovementNote movement={movement} when={instantInFull(movement.at, language)} />
            </Text>
          </li>
        ))}
      </ul>
    </CardFooter>
  );
}
