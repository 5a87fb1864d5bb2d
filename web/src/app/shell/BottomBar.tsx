import { CircleQuestionMark, LayoutGrid, Plus, Settings2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { paths } from '../../shared/routing/paths.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import styles from './BottomBar.module.css';

/** Renders the navigation at the bottom of windows below 900 px, for signed-in users. */
export function BottomBar() {
  const { t } = useTranslation();
  const items = [
    { to: paths.dashboard, icon: LayoutGrid, label: t('nav.dashboard') },
    { to: paths.wizard(), icon: Plus, label: t('nav.wizard') },
    { to: paths.faq, icon: CircleQuestionMark, label: t('nav.faq') },
    { to: paths.settings, icon: Settings2, label: t('nav.settings') },
  ];
  return (
    <nav aria-label={t('shell.bottomNav')} className={styles.bar}>
      {items.map((item) => (
        <NavLink key={item.to} to={item.to} end={item.to !== paths.settings} className={styles.item}>
          <Icon of={item.icon} size={24} />
          {item.label}
        </NavLink>
      ))}
    </nav>
  );
}
