import { useTranslation } from 'react-i18next';
import { If, useFacts, WhereBilled } from '../../shared/api/facts.tsx';

/**
 * Renders the note that registration is free, with the price of a booking if the document contains
 * it.
 */
export function RegisterLead() {
  const { t } = useTranslation();
  const { price } = useFacts();
  return (
    <>
      {t('auth.registerLead')}
      <WhereBilled>
        <If fact="price">
          <br />
          {t('auth.registerPrice', { price })}
        </If>
      </WhereBilled>
    </>
  );
}
