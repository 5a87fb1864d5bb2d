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

/**
 * Renders the bar above a printable page: a link back, and a button that prints. The bar itself is
 * not printed.
 */
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

/** Renders a printable page in the light colours: a title, the product name, and the content. */
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
