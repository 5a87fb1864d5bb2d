import { ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ChannelKind } from '../../../shared/api/channels.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { channelGroups, channelIcon, groupOf } from '../kinds.ts';
import styles from './channels.module.css';
import { Step } from './Step.tsx';

/** Renders the choice of a kind of channel, in groups. */
export function KindStep({ offered, onPick }: { offered: readonly ChannelKind[]; onPick: (kind: ChannelKind) => void }) {
  const { t } = useTranslation();
  const groups = channelGroups
    .map((group) => ({ group, kinds: offered.filter((kind) => groupOf[kind] === group) }))
    .filter(({ kinds }) => kinds.length > 0);
  return (
    <Step label={t('reach.add')} actions={null}>
      {groups.map(({ group, kinds }) => (
        <section key={group} aria-label={t(`reach.groups.${group}`)}>
          <Text as="h3" variant="label" color="secondary">
            {t(`reach.groups.${group}`)}
          </Text>
          <ul className={styles.kinds}>
            {kinds.map((kind) => (
              <li key={kind}>
                <button type="button" onClick={() => onPick(kind)} className={styles.kind}>
                  <Icon of={channelIcon(kind)} />
                  <span className={styles.kindWords}>
                    <b>{t(`channels.kind.${kind}`)}</b>
                    <small>{t(`reach.about.${kind}`)}</small>
                  </span>
                  <Icon of={ChevronRight} size={18} />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Step>
  );
}
