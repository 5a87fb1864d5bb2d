import { Elements } from '@stripe/react-stripe-js';
import { useTranslation } from 'react-i18next';
import { CardEntry } from './CardEntry.tsx';
import styles from './card.module.css';
import { useLibrary } from './useLibrary.ts';
import { useRoom } from './useRoom.ts';

interface Props {
  language: string;
  framed: boolean;
}

/**
 * Renders the card page, which contains only the card fields. No other page loads the library of
 * the card provider.
 */
export function PayPage({ language, framed }: Props) {
  const { t } = useTranslation();
  const { library, problem } = useLibrary(language);
  const { content, setAsking } = useRoom();
  const textKey = !framed ? 'pay.alone' : problem ? 'pay.notBegun' : 'pay.loading';
  return (
    <div ref={content} className={framed ? undefined : styles.alone}>
      {library && framed ? (
        <Elements stripe={library} options={{ locale: language === 'en' ? 'en' : 'zh' }}>
          <CardEntry onPaying={setAsking} />
        </Elements>
      ) : (
        <div role="status" className={styles.status}>
          {t(textKey)} {!framed && <a href="/dashboard">{t('pay.toDashboard')}</a>}
        </div>
      )}
    </div>
  );
}
