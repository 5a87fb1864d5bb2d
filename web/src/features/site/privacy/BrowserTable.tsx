import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { browserKeeps } from './privacyParts.ts';

const Table = styled('table')(({ theme: { vars, breakpoints } }) => ({
  width: '100%',
  marginTop: 16,
  borderCollapse: 'collapse',
  fontSize: 14,
  lineHeight: 1.6,
  '& th': { textAlign: 'left', fontWeight: 600, color: vars.palette.text.secondary },
  '& th, & td': { padding: '10px 16px 10px 0', verticalAlign: 'top', borderBottom: `1px solid ${vars.palette.divider}` },
  '& tr:last-of-type td': { borderBottom: 0 },
  '& code': { display: 'block', whiteSpace: 'nowrap', fontFamily: 'var(--font-mono)', fontSize: 13 },
  // On a phone each row is a block of its own: names, then what they are for, then how long.
  [breakpoints.down('sm')]: {
    '&, & tbody, & tr, & td': { display: 'block' },
    '& thead': { display: 'none' },
    '& tr': { padding: '12px 0', borderBottom: `1px solid ${vars.palette.divider}` },
    '& tr:last-of-type': { borderBottom: 0, paddingBottom: 0 },
    '& td': { padding: 0, border: 0 },
    '& td:last-of-type': { color: vars.palette.text.tertiary },
  },
}));

/** Cookies and storage by name. */
export function BrowserTable() {
  const { t } = useTranslation();
  return (
    <Table>
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
    </Table>
  );
}
