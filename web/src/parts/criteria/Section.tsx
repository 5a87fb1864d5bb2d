import { createContext, type ReactNode, use, useId } from 'react';
import { Text } from '../../shared/ui/Text.tsx';
import type { EditorPart } from './editorParts.ts';
import styles from './Section.module.css';

interface Props {
  title: string;
  aside?: ReactNode;
  /** Name of the section, to which a problem of the form can scroll. */
  part?: EditorPart;
  /** Problem of this section, shown above its controls. */
  problem?: ReactNode;
  children: ReactNode;
}

/** Level of the sections' headings: 2 on a separate page, deeper within a card. */
export const SectionLevel = createContext<2 | 5>(2);

/** Renders one section of the editor: a heading, a note at its right, and the controls. */
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
