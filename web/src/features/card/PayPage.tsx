import Box from '@mui/material/Box';
import { Elements } from '@stripe/react-stripe-js';
import { useTranslation } from 'react-i18next';
import { CardEntry } from './CardEntry.tsx';
import { useLibrary } from './useLibrary.ts';
import { useRoom } from './useRoom.ts';

interface Props {
  language: string;
  mode: 'light' | 'dark';
  framed: boolean;
}

/** The only page that loads the card provider's library: the card's fields and nothing else. */
export function PayPage({ language, mode, framed }: Props) {
  const { t } = useTranslation();
  const { library, problem } = useLibrary(language);
  const { content, asking } = useRoom();
  const words = !framed ? 'pay.alone' : problem ? 'pay.notBegun' : 'pay.loading';
  return (
    <Box ref={content} sx={framed ? undefined : { p: 3, maxWidth: 480, mx: 'auto' }}>
      {library && framed ? (
        <Elements stripe={library} options={{ locale: language === 'en' ? 'en' : 'zh' }}>
          <CardEntry mode={mode} onPaying={asking} />
        </Elements>
      ) : (
        <Box role="status" sx={{ minHeight: 48, color: 'text.secondary', fontSize: 14 }}>
          {t(words)}{' '}
          {!framed && (
            <Box component="a" href="/dashboard" sx={{ color: 'primary.ink' }}>
              {t('pay.toDashboard')}
            </Box>
          )}
        </Box>
      )}
    </Box>
  );
}
