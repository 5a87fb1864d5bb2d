import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { SearchForm } from '../../parts/criteria/searchForm.ts';
import { totalDays } from '../../shared/format/excludedDates.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { CardHeader } from '../../shared/legacy/CardHeader.tsx';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { Marked } from '../../shared/ui/Marked.tsx';
import { type Choice, wishesOf } from './wizardChoice.ts';

/** The whole wish in one paragraph, as one would say it to a friend. */
export function PlainWords({ form, chosen }: { form: SearchForm; chosen: Choice[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const wishes = wishesOf(chosen);
  const [first] = wishes;
  const moves = wishes.filter((wish) => wish.present !== null).length;
  const names = joined(
    wishes.flatMap((wish) => wish.names),
    language,
  );
  const cities = joined(
    form.cities.map((city) => cityName(city)),
    language,
  );
  const ready = chosen.length > 0 && form.cities.length > 0 && form.start && form.end;
  const values = { names, present: first?.present ?? '', cities, start: form.start ?? '', end: form.end ?? '' };
  const b = { b: 'b' } as const;
  const excluded = totalDays(form.excluded);
  return (
    <Card component="section">
      <CardHeader icon="note" title={t('plain.title')} />
      <Box sx={{ p: { xs: 2, sm: '14px 20px 20px' } }}>
        {!ready ? (
          <Typography sx={{ fontSize: 15, color: 'text.secondary' }}>{t('plain.notYet')}</Typography>
        ) : (
          <Typography
            component="div"
            sx={{ fontSize: 15, lineHeight: 1.7, color: 'text.secondary', '& b': { color: 'text.primary', fontWeight: 600 } }}
          >
            {form.notifyOnly ? (
              <Marked text={t('plain.notify', values)} tags={b} />
            ) : wishes.length > 1 ? (
              <>
                <Marked text={t('plain.search', values)} tags={b} />
                <Box component="ul" sx={{ pl: 2.25, my: 0.5, '& li': { listStyle: 'disc' } }}>
                  {wishes.map((wish) => (
                    <li key={`${wish.present}-${wish.names.join()}`}>
                      <Marked
                        text={t(wish.present ? 'plain.moveOne' : 'plain.bookOne', {
                          names: joined(wish.names, language),
                          present: wish.present ?? '',
                        })}
                        tags={b}
                      />
                    </li>
                  ))}
                </Box>
              </>
            ) : first?.present ? (
              <Marked text={t('plain.move', values)} tags={b} />
            ) : (
              <Marked text={t('plain.book', values)} tags={b} />
            )}{' '}
            {form.minDays > 0 && <Marked text={t('plain.minDays', { count: form.minDays })} tags={b} />}{' '}
            {excluded > 0 && <Marked text={t('plain.excluded', { count: excluded })} tags={b} />}
          </Typography>
        )}
        {ready && !form.notifyOnly && moves > 0 && (
          <Box sx={{ display: 'flex', gap: 1, mt: 1.5, fontSize: 13, color: 'text.secondary', '& > svg': { mt: '2px' } }}>
            <Icon name="swap" size={16} />
            <span>
              {t('plain.gain', { count: form.minImprovement })}
              {language === 'en' ? ' ' : ''}
              {t(moves > 1 ? 'plain.changesEach' : 'plain.changes', { count: form.maxReschedules })}
            </span>
          </Box>
        )}
      </Box>
    </Card>
  );
}
