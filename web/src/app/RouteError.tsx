import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { useOnline } from '../shared/hooks/useOnline.ts';
import { reloadForNewBuild } from '../shared/pwa/newBuild.ts';
import { paths } from '../shared/routing/paths.ts';
import { Button, ButtonLink } from '../shared/ui/Button.tsx';
import { Card } from '../shared/ui/Card.tsx';
import { CopyButton } from '../shared/ui/CopyButton.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { Row } from '../shared/ui/Layout.tsx';
import { Text } from '../shared/ui/Text.tsx';
import styles from './RouteError.module.css';

/**
 * Browser messages for code that failed to load, because a newer version was deployed or the
 * network failed.
 */
const PART_MISSING =
  /dynamically imported module|importing a module script failed|loading (css )?chunk|unable to preload css|the words of \w+ did not come/i;

function messageOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/**
 * Returns the details for support. The address has no query, because a query may contain a token.
 */
function detailsOf(error: unknown, at: string): string {
  const lines = [messageOf(error), window.location.pathname, at, document.documentElement.lang, navigator.userAgent];
  const stack = error instanceof Error ? error.stack?.split('\n').slice(1, 6) : [];
  return [...lines, ...(stack ?? [])].map((line) => line.trim().replace(/\?[^\s:)]*/g, '')).join('\n');
}

/**
 * Renders the page for an unexpected error: a message, a reload button, a link home, and details
 * for support.
 */
export function RouteError() {
  const { t } = useTranslation();
  const error = useRouteError();
  const [at] = useState(() => new Date().toISOString());
  const online = useOnline();
  const details = detailsOf(error, at);
  const partMissing = PART_MISSING.test(messageOf(error));
  // The address is already that of the failed page, so a reload opens that page in the new version.
  useEffect(() => {
    if (partMissing) void reloadForNewBuild();
  }, [partMissing]);
  const cause = online ? t('error.newVersion') : t('error.offline');
  return (
    <div className={styles.page} role="alert">
      <Card className={styles.card}>
        <span className={styles.icon}>
          <Icon of={TriangleAlert} size={32} />
        </span>
        <Text as="h1" variant="h2">
          {t('error.title')}
        </Text>
        <Text color="secondary" className={styles.text}>
          {partMissing ? cause : t('error.text')}
        </Text>
        <Row>
          <Button onClick={() => window.location.reload()}>{t('error.reload')}</Button>
          <ButtonLink href={paths.home} variant="secondary">
            {t('error.home')}
          </ButtonLink>
        </Row>
        <details className={styles.details}>
          <summary className={styles.summary}>{t('error.details')}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must scroll it */}
          <pre tabIndex={0} className={styles.pre}>
            {details}
          </pre>
          <CopyButton label={t('error.copy')} text={details} />
        </details>
      </Card>
    </div>
  );
}
