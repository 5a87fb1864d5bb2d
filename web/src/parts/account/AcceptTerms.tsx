import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/routing/paths.ts';
import { Link } from '../../shared/ui/Link.tsx';
import { Marked } from '../../shared/ui/Marked.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './AcceptTerms.module.css';

function Way({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} target="_blank" className={styles.way}>
      {children}
    </Link>
  );
}

const ToTerms = ({ children }: { children: ReactNode }) => <Way to={paths.terms}>{children}</Way>;
const ToPrivacy = ({ children }: { children: ReactNode }) => <Way to={paths.privacy}>{children}</Way>;

/**
 * Renders the note that a registration accepts the terms and the privacy policy, with links. The
 * links open a new tab, so that the form keeps its values.
 */
export function AcceptTerms() {
  const { t } = useTranslation();
  return (
    <Text variant="caption" color="secondary">
      <Marked text={t('auth.acceptTerms')} tags={{ terms: ToTerms, privacy: ToPrivacy }} />
    </Text>
  );
}
