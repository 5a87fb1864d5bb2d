import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { paths, type SettingsTopic } from '../../shared/routing/paths.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Container } from '../../shared/ui/Layout.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { useMediaQuery } from '../../shared/ui/useMediaQuery.ts';
import styles from './SettingsFrame.module.css';
import { TopicNav } from './TopicNav.tsx';
import { topics } from './topics.ts';

/** Id of the page's heading, which names a section without a title of its own. */
export const PAGE_TITLE = 'settings-title';

interface Props {
  /** Topic of the page. Absent on the page with the index. */
  topic?: SettingsTopic;
  /** Introduction below the heading. */
  lead?: ReactNode;
  children: ReactNode;
}

/**
 * Renders a page of the settings. On a wide window the index stands beside each page. On a narrow
 * one it is a page of its own, to which the others link back.
 */
export function SettingsFrame({ topic, lead, children }: Props) {
  const { t } = useTranslation();
  const wide = useMediaQuery('(min-width: 900px)');
  const title = t(topic ? topics[topic].title : 'nav.settings') as string;
  usePageTitle(title);
  return (
    <Container className={styles.page}>
      <div className={styles.head}>
        {topic && !wide && (
          <Link to={paths.settings} className={styles.back}>
            <Icon of={ChevronLeft} size={18} />
            {t('nav.settings')}
          </Link>
        )}
        <Text as="h1" variant="h2" id={PAGE_TITLE}>
          {title}
        </Text>
        {lead && (
          <Text variant="small" color="secondary">
            {lead}
          </Text>
        )}
      </div>
      {(wide || !topic) && <TopicNav current={topic} beside={wide} />}
      <div className={styles.sections}>{children}</div>
    </Container>
  );
}
