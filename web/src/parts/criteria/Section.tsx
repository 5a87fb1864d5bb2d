import { createContext, type ReactNode, use, useId } from 'react';
import { Text } from '../../shared/ui/Text.tsx';
import type { EditorPart } from './editorParts.ts';
import styles from './Section.module.css';

interface Props {
  title: string;
  aside?: ReactNode;
  /** Target of a problem of the form. */
  part?: EditorPart;
  /** The problem of this section, above the controls. */
  problem?: ReactNode;
  children: ReactNode;
}

/** Level of the sections' headings: 2 on a page of their own, deeper within a card. */
export const SectionLevel = createContext<2 | 5>(2);

/** Renders one section of the editor: a heading, a remark at its right, the controls. */
export function Section({ title, aside, part, problem, children }: Props) {
  const id = useId();
  const level = use(SectionLevel);
  return (
    <section
      aria-labelledby={id}
      aria-describedby={problem ? `${id}-problem` : undefined}
      data-part={part}
      className={styles.section}
    >
      <div className={styles.head}>
        <Text id={id} as={`h${level}`} variant="h4">
          {title}
        </Text>
        {aside && (
          <Text as="div" variant="small" color="secondary">
            {aside}
          </Text>
        )}
      </div>
      {problem && (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      )}
      {children}
    </section>
  );
}
