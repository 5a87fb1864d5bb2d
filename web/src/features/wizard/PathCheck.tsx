import { useMutation } from '@tanstack/react-query';
import { ScanSearch } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import type { PathChecked } from '../../shared/api/types.ts';
import { errorText } from '../../shared/format/errorText.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { joined } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import styles from './PathCheck.module.css';

/** Maximum number of cities in one check. */
const MOST_CITIES = 2;

const formTexts: Record<PathChecked['form'], TextKey> = {
  understood: 'check.understood',
  not_as_known: 'check.notAsKnown',
  no_change_left: 'check.noChange',
  asks_fingerprints: 'check.fingerprints',
};

interface Props {
  /** Id of the draft task to check. */
  id: string;
  /** English names of the chosen cities, in order of preference. */
  cities: string[];
}

/**
 * Renders a button that tests the steps to a booking without booking, and the result: the portal's
 * present data for this account.
 */
export function PathCheck({ id, cities }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const required_cities = cities.slice(0, MOST_CITIES);
  const check = useMutation({
    networkMode: 'always',
    mutationFn: () => answer(client.POST('/schedules/{id}/check', { params: { path: { id } }, body: { required_cities } })),
  });
  const button = (
    <Button variant="secondary" size="small" loading={check.isPending} onClick={() => check.mutate()}>
      {t(check.data || check.isError ? 'check.again' : 'check.start')}
    </Button>
  );
  if (check.isError)
    return (
      <Alert tone="error" live="alert" title={t('check.failed')} action={button}>
        {t(errorText(check.error, 'problem.generic'))}
      </Alert>
    );
  if (!check.data)
    return (
      <Alert tone="quiet" icon={ScanSearch} title={t('check.title')} action={button}>
        {t('check.text', { cities: joined(required_cities.map(cityName), language) })}
      </Alert>
    );
  const { form, attempts_left, cities: found } = check.data;
  const asText = ({ facility, offered, dates, earliest }: PathChecked['cities'][number]) => {
    const city = cityName(facility);
    if (!offered) return t('check.notOffered', { city });
    if (dates === null || dates === undefined) return t('check.unread', { city });
    return earliest ? t('check.dates', { city, count: dates, earliest }) : t('check.none', { city });
  };
  return (
    <Alert tone={form === 'understood' ? 'ok' : 'warning'} live="status" title={t(formTexts[form])} action={button}>
      <ul className={styles.list}>
        {typeof attempts_left === 'number' && form !== 'no_change_left' && <li>{t('check.left', { count: attempts_left })}</li>}
        {found.map((one) => (
          <li key={one.facility}>{asText(one)}</li>
        ))}
        <li>{t('check.unchanged')}</li>
      </ul>
    </Alert>
  );
}
