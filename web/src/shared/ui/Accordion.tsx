import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Accordion.module.css';
import { Icon } from './Icon.tsx';

interface Item {
  id: string;
  title: ReactNode;
  content: ReactNode;
}

interface Props {
  items: Item[];
  /** Ids of those that are open at first. */
  open?: string[];
  onToggle?: (id: string, open: boolean) => void;
  /** Level of the headings in the page. */
  level?: 2 | 3 | 4;
}

/** Questions that open to their answers: plain `<details>`, which work without script and are found by the browser's search. */
export function Accordion({ items, open = [], onToggle, level = 3 }: Props) {
  const Heading = `h${level}` as const;
  return (
    <div>
      {items.map((item) => (
        <details
          key={item.id}
          id={item.id}
          open={open.includes(item.id)}
          onToggle={onToggle && ((event) => onToggle(item.id, event.currentTarget.open))}
          className={styles.item}
        >
          <summary className={styles.summary}>
            <Heading className={styles.title}>{item.title}</Heading>
            <Icon of={ChevronDown} className={styles.icon} />
          </summary>
          <div className={styles.content}>{item.content}</div>
        </details>
      ))}
    </div>
  );
}
