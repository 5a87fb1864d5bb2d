import { useQuery } from '@tanstack/react-query';
import { ChevronRight, type LucideIcon, Settings2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBilling } from '../../shared/api/billing.ts';
import { paths, type SettingsTopic } from '../../shared/routing/paths.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { settingsQueries } from './queries.ts';
import { rewardsReferrals } from './rewardsReferrals.ts';
import styles from './TopicNav.module.css';
import { PreferencesState, topicStates } from './topicStates.tsx';
import { topics } from './topics.ts';

/** Returns whether the index lists the referral code: only if it is worth something. */
function useReferral(): boolean {
  const { data } = useQuery(settingsQueries.referral());
  return useBilling() && data !== undefined && rewardsReferrals(data);
}

interface ItemProps {
  to: string;
  icon: LucideIcon;
  title: string;
  current: boolean;
  /** Current state of the topic. */
  children: ReactNode;
}

function Item({ to, icon, title, current, children }: ItemProps) {
  return (
    <li>
      <Link to={to} aria-current={current ? 'page' : undefined} className={styles.link}>
        <Icon of={icon} className={styles.icon} />
        <span className={styles.texts}>
          <span className={styles.title}>{title}</span>
          {children}
        </span>
        <Icon of={ChevronRight} size={18} className={styles.chevron} />
      </Link>
    </li>
  );
}

interface Props {
  /** Topic of the present page. Absent on the page with the index. */
  current?: SettingsTopic;
  /** True if the list stands beside the page, where it also links to the preferences. */
  beside: boolean;
}

/** Renders the index of the settings: one line per topic, with its current state. */
export function TopicNav({ current, beside }: Props) {
  const { t } = useTranslation();
  const referral = useReferral();
  const shown = (Object.keys(topics) as SettingsTopic[]).filter((topic) => topic !== 'referral' || referral);
  return (
    <nav aria-label={t('settings.sections')} className={styles.nav}>
      <ul>
        {beside && (
          <Item to={paths.settings} icon={Settings2} title={t('settings.preferences')} current={!current}>
            <PreferencesState />
          </Item>
        )}
        {shown.map((topic) => {
          const State = topicStates[topic];
          const { icon, title } = topics[topic];
          return (
            <Item key={topic} to={paths.settingsTopic(topic)} icon={icon} title={t(title) as string} current={topic === current}>
              <State />
            </Item>
          );
        })}
      </ul>
    </nav>
  );
}
