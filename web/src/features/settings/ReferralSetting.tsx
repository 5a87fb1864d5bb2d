import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Globe, Ticket } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { referralLink } from '../../parts/account/referral.ts';
import { CopyRow } from '../../parts/balance/CopyRow.tsx';
import type { Referral } from '../../shared/api/money.ts';
import { queries } from '../../shared/api/queries.ts';
import { amount, count } from '../../shared/i18n/format.ts';
import { Loaded, Section } from './Section.tsx';

/** One's own referral code: what it gives to whom, how to pass it on, what came of it. */
export function ReferralSetting() {
  const { t } = useTranslation();
  const query = useQuery(queries.referral());
  return (
    <Section id="referral" icon="users" title={t('referral.title')} text={query.data && <Terms referral={query.data} />}>
      <Loaded query={query} rows={2} failed="referral.failed">
        {(referral) => (
          <>
            <div>
              <CopyRow icon={Ticket} label={t('referral.code', { code: referral.code })} value={referral.code} />
              <CopyRow icon={Globe} label={t('referral.link')} value={referralLink(window.location.origin, referral.code)} />
            </div>
            <Box
              component="dl"
              sx={{
                display: 'grid',
                gridTemplateColumns: 'repeat(3, auto)',
                justifyContent: { xs: 'space-between', sm: 'start' },
                columnGap: { xs: 1.5, sm: 8 },
                p: '12px 16px',
                borderRadius: '12px',
                border: 1,
                borderColor: 'divider',
                bgcolor: 'background.quiet',
                '& dt': { fontSize: 13, color: 'text.secondary' },
                '& dd': { fontSize: 20, fontWeight: 600, fontVariantNumeric: 'tabular-nums' },
              }}
            >
              <div>
                <dt>{t('referral.invited')}</dt>
                <dd>{count(referral.invited)}</dd>
              </div>
              <div>
                <dt>{t('referral.waiting')}</dt>
                <dd>{count(referral.waiting)}</dd>
              </div>
              <div>
                <dt>{t('referral.credited')}</dt>
                <dd>
                  {count(referral.credited)}
                  {referral.credited_amount > 0 && (
                    <Box
                      component="small"
                      sx={{
                        display: 'inline-block',
                        ml: 0.75,
                        fontSize: 13,
                        fontWeight: 400,
                        color: 'text.secondary',
                        whiteSpace: 'nowrap',
                      }}
                    >
                      {t('topup.added', { amount: amount(referral.credited_amount), currency: referral.currency })}
                    </Box>
                  )}
                </dd>
              </div>
            </Box>
            <Typography variant="caption" color="textSecondary">
              {t('referral.rules')}
            </Typography>
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** What both get, where the operator gives anything. */
function Terms({ referral: { newcomer_discount, referrer_bonus, currency } }: { referral: Referral }) {
  const { t } = useTranslation();
  const values = { off: amount(newcomer_discount), bonus: amount(referrer_bonus), currency };
  if (newcomer_discount === 0 && referrer_bonus === 0) return t('referral.nothing');
  return t('referral.text', values);
}
