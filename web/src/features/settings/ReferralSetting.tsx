import { useQuery } from '@tanstack/react-query';
import { Globe, Ticket } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { referralLink } from '../../parts/account/referral.ts';
import { CopyRow } from '../../parts/balance/CopyRow.tsx';
import type { Referral } from '../../shared/api/money.ts';
import { amount, count } from '../../shared/i18n/format.ts';
import { Inset } from '../../shared/ui/Card.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { settingsQueries } from './queries.ts';
import { rewardsReferrals } from './rewardsReferrals.ts';
import { Loaded, Section } from './Section.tsx';
import styles from './settings.module.css';

/** Renders the user's referral code, its benefits, and its results. */
export function ReferralSetting() {
  const { t } = useTranslation();
  const query = useQuery(settingsQueries.referral());
  return (
    <Section id="referral" text={query.data && <Terms referral={query.data} />}>
      <Loaded query={query} rows={2} failed="referral.failed">
        {(referral) => (
          <>
            <div>
              <CopyRow icon={Ticket} label={t('referral.code', { code: referral.code })} value={referral.code} />
              <CopyRow icon={Globe} label={t('referral.link')} value={referralLink(window.location.origin, referral.code)} />
            </div>
            <Inset>
              <dl className={styles.figures}>
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
                      <small className={styles.added}>
                        {t('topup.added', { amount: amount(referral.credited_amount), currency: referral.currency })}
                      </small>
                    )}
                  </dd>
                </div>
              </dl>
            </Inset>
            {rewardsReferrals(referral) && (
              <Text variant="caption" color="secondary">
                {t('referral.rules')}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Renders the discount of the referred user and the reward of the referrer, if there are any. */
function Terms({ referral }: { referral: Referral }) {
  const { t } = useTranslation();
  if (!rewardsReferrals(referral)) return t('referral.nothing');
  const { newcomer_discount, referrer_bonus, currency } = referral;
  return t('referral.text', { off: amount(newcomer_discount), bonus: amount(referrer_bonus), currency });
}
