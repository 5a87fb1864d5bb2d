import { useTranslation } from 'react-i18next';
import { If, useFacts, WhereBilled } from '../../shared/api/facts.tsx';

/** What registering costs, which is nothing, and what a booking does, where the document knows it. */
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
