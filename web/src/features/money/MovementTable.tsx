import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { MovementName, MovementNote } from '../../parts/balance/MovementNote.tsx';
import { kindTexts, signed } from '../../parts/balance/movements.ts';
import type { Movement } from '../../shared/api/money.ts';
import { amount, instantInFull, zoneName } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { classes } from '../../shared/ui/classes.ts';
import styles from './MovementTable.module.css';
import { paperTexts } from './papers.ts';

interface Props {
  /** Adds columns for the amount on hold and its changes. */
  held: boolean;
}

function Row({ movement, held }: Props & { movement: Movement }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const when = instantInFull(movement.at, language);
  const paper = paperTexts(movement.kind);
  const receipt = (
    <Link
      to={paths.receipt(movement.id)}
      aria-label={t(paper.of, { what: t(kindTexts(movement.kind).name), when })}
      className={styles.receipt}
    >
      {t(paper.link)}
    </Link>
  );
  return (
    <tr>
      <td className={classes(styles.wide, styles.when)}>{when}</td>
      <td>
        <div className={styles.name}>
          <MovementName movement={movement} />
        </div>
        <div className={styles.note}>
          <div className={styles.narrow}>{when}</div>
          <MovementNote movement={movement} />
        </div>
      </td>
      <td className={styles.figure}>
        <div className={classes(styles.name, movement.amount > 0 && styles.gained)}>{signed(movement.amount, amount)}</div>
        <div className={classes(styles.note, styles.narrow)}>
          <div>{t('movements.balanceAfter', { amount: amount(movement.balance_after) })}</div>
          {held && movement.held_change !== 0 && (
            <div>{t('movements.heldMoved', { amount: signed(movement.held_change, amount) })}</div>
          )}
          {receipt}
        </div>
      </td>
      <td className={classes(styles.wide, styles.figure)}>{amount(movement.balance_after)}</td>
      {held && (
        <>
          <td className={classes(styles.wide, styles.figure, movement.held_change === 0 && styles.unmoved)}>
            {signed(movement.held_change, amount)}
          </td>
          <td className={classes(styles.wide, styles.figure)}>{amount(movement.held_after)}</td>
        </>
      )}
      <td className={classes(styles.wide, styles.figure)}>{receipt}</td>
    </tr>
  );
}

/** Renders a table of movements with the balance after each. On a phone it has two columns. */
export function MovementTable({ movements, held }: Props & { movements: Movement[] }) {
  const { t } = useTranslation();
  const zone = zoneName(useLanguage());
  const wide = classes(styles.wide, styles.figure);
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col" className={styles.wide}>
            {t('movements.colAt', { zone })}
          </th>
          <th scope="col">{t('movements.colAbout')}</th>
          <th scope="col" className={styles.figure}>
            {t('movements.colChange')}
          </th>
          <th scope="col" className={wide}>
            {t('movements.colBalance')}
          </th>
          {held && (
            <>
              <th scope="col" className={wide}>
                {t('movements.colHeldChange')}
              </th>
              <th scope="col" className={wide}>
                {t('movements.colHeld')}
              </th>
            </>
          )}
          <th scope="col" className={wide}>
            {t('movements.colPaper')}
          </th>
        </tr>
      </thead>
      <tbody>
        {movements.map((movement) => (
          <Row key={movement.id} movement={movement} held={held} />
        ))}
      </tbody>
    </table>
  );
}
