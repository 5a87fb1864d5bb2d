import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMethods } from '../../shared/api/methods.ts';
import { queries } from '../../shared/api/queries.ts';
import type { User } from '../../shared/api/types.ts';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { EmailDialog } from './EmailDialog.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import { Loaded, Row, Section } from './Section.tsx';

/** E-mail and password of the account here. */
export function AccountSetting() {
  const { t } = useTranslation();
  const query = useQuery(queries.profile());
  return (
    <Section
      id="account"
      icon="user"
      title={t('account.title')}
      mark={query.data?.google_linked && <Tag tone="line">{t('account.google')}</Tag>}
    >
      <Loaded query={query} rows={2} failed="account.loadFailed">
        {(user) => <Rows user={user} />}
      </Loaded>
    </Section>
  );
}

function Rows({ user }: { user: User }) {
  const { t } = useTranslation();
  const methods = useMethods();
  const [dialog, setDialog] = useState<'email' | 'password' | null>(null);
  const close = () => setDialog(null);
  const noMail = methods?.mail === false;
  const lead = { fontSize: 15, fontWeight: 600 } as const;
  return (
    <>
      <Row
        actions={
          <Button variant="outlined" size="small" disabled={noMail} onClick={() => setDialog('email')}>
            {t('account.changeEmail')}
          </Button>
        }
      >
        <Typography sx={{ ...lead, overflowWrap: 'anywhere' }}>{user.email}</Typography>
        <Typography variant="body2" color="textSecondary">
          {noMail ? t('account.noMail') : t('account.emailUse')}
        </Typography>
      </Row>
      <Row
        actions={
          <Button variant="outlined" size="small" onClick={() => setDialog('password')}>
            {user.has_password ? t('account.changePassword') : t('account.setPassword')}
          </Button>
        }
      >
        <Typography sx={lead}>{t('account.password')}</Typography>
        <Typography variant="body2" color="textSecondary">
          {user.has_password ? t('account.passwordText') : t('account.noPassword')}
        </Typography>
      </Row>
      {dialog === 'email' && <EmailDialog email={user.email} onClose={close} />}
      {dialog === 'password' && <PasswordDialog email={user.email} hasPassword={user.has_password} onClose={close} />}
    </>
  );
}
