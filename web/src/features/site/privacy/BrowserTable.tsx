import { useTranslation } from 'react-i18next';
import styles from './BrowserTable.module.css';
import { browserKeeps } from './privacyParts.ts';

/** Renders a table of the cookies and storage entries that the site uses. */
export function BrowserTable() {
  const { t } = useTranslation();
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('privacy.browserName')}</th>
          <th scope="col">{t('privacy.browserWhat')}</th>
          <th scope="col">{t('privacy.browserLife')}</th>
        </tr>
      </thead>
      <tbody>
        {browserKeeps.map(({ names, what, life }) => (
          <tr key={what}>
            <td>
              {names.map((name) => (
                <code key={name}>{name}</code>
              ))}
            </td>
            <td>{t(what)}</td>
            <td>{t(life)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
