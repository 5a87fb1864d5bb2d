import { ArrowLeft, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, ButtonLink } from './Button.tsx';
import { Card } from './Card.tsx';
import { Icon } from './Icon.tsx';
import { Link } from './Link.tsx';
import { Mark } from './Mark.tsx';
import styles from './PrintSheet.module.css';
import { Text } from './Text.tsx';

/** Renders the bar above a sheet on the screen, not on paper: the link back, and printing. */
export function PrintBar({ to, back, print }: { to: string; back: string; print?: string }) {
  return (
    <div className={styles.bar}>
      <ButtonLink
        render={<Link to={to} />}
        variant="text"
        size="small"
        start={<Icon of={ArrowLeft} size={16} />}
        className={styles.back}
      >
        {back}
      </ButtonLink>
      {print && (
        <Button onClick={() => window.print()} start={<Icon of={Printer} size={18} />}>
          {print}
        </Button>
      )}
    </div>
  );
}

/**
 * Renders a page that prints as a sheet in the light colours: its title, our name, and its content.
 */
export function PrintSheet({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Card as="article" aria-labelledby="sheet-title" className={styles.sheet}>
      <div className={styles.head}>
        <Text as="h1" variant="h2" id="sheet-title">
          {title}
        </Text>
        <Text as="span" variant="h4" unbroken className={styles.brand}>
          <Mark />
          {t('brand.name')}
        </Text>
      </div>
      {children}
    </Card>
  );
}
