import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import styles from './Pagination.module.css';
import { pageNumbers } from './pageNumbers.ts';
import { fill, useUiTexts } from './UiTexts.tsx';

interface Props {
  /** Accessible name of the list. */
  label: string;
  /** Page number, from 1. */
  page: number;
  pages: number;
  onChange: (page: number) => void;
}

/** Renders page numbers: the first, the last, and those near the current one. */
export function Pagination({ label, page, pages, onChange }: Props) {
  const texts = useUiTexts();
  return (
    <nav aria-label={label} className={styles.root}>
      <IconButton label={texts.previousPage} disabled={page <= 1} onClick={() => onChange(page - 1)}>
        <Icon of={ChevronLeft} />
      </IconButton>
      {pageNumbers(page, pages).map((number, index) =>
        number === null ? (
          <span key={`gap-${index}`} aria-hidden="true" className={styles.gap}>
            …
          </span>
        ) : (
          <button
            key={number}
            type="button"
            aria-label={fill(texts.page, { page: String(number) })}
            aria-current={number === page ? 'page' : undefined}
            onClick={() => onChange(number)}
            className={styles.page}
          >
            {number}
          </button>
        ),
      )}
      <IconButton label={texts.nextPage} disabled={page >= pages} onClick={() => onChange(page + 1)}>
        <Icon of={ChevronRight} />
      </IconButton>
    </nav>
  );
}
