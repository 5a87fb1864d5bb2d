import { useTranslation } from 'react-i18next';
import { If, useFacts, WhereBilled } from '../../shared/api/facts.tsx';

/** Renders that registration is free and a booking's price, if the document knows it. */
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
