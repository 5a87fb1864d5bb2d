import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { RegisterFields } from '../../../parts/account/RegisterFields.tsx';
import { leaveNote } from '../../../shared/browser/note.ts';
import { Icon } from '../../../shared/legacy/Icon.tsx';
import { paths } from '../../../shared/routing/paths.ts';
import { Link, useGo } from '../../../shared/ui/Link.tsx';

const REDIRECT_MS = 2_500;

/** The sign-up card of the hero; an island of the landing, whose code comes when it is touched. */
export function SignUpCard() {
  const { t } = useTranslation();
  const go = useGo();
  const toSignIn = (email: string) => {
    leaveNote({ registered: email });
    go(paths.login);
  };
  return (
    <Card
      id="sign-up"
      sx={{
        p: { xs: 2.5, sm: 3.5 },
        boxShadow: 24,
        position: { md: 'sticky' },
        top: 88,
      }}
    >
      <Typography variant="h4" component="h2">
        {t('auth.createAccount')}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 2.5 }}>
        {t('auth.registerLead')}
      </Typography>
      <RegisterFields delayMs={REDIRECT_MS} onDone={toSignIn} />
      <Box
        sx={{
          display: 'flex',
          gap: 1.25,
          mt: 2,
          pt: 2,
          borderTop: 1,
          borderColor: 'divider',
          fontSize: 13,
          lineHeight: 1.55,
          color: 'text.secondary',
          '& svg': { mt: '1px' },
          '& a': { whiteSpace: 'nowrap' },
        }}
      >
        <Icon name="shield" size={18} />
        <span>
          {t('landing.signUpNote')} <Link to={paths.privacy}>{t('footer.privacy')}</Link>
        </span>
      </Box>
    </Card>
  );
}
