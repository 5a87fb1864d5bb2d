import { type ComponentType, memo, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { lazyWhen, type When } from './wake.ts';

interface Named {
  /** The same in the document and in the browser, once on a page. */
  name: string;
}

// The box around a part has no shape: the part lies in its page as if the box were not there.
const shapeless = { display: 'contents' } as const;

/** In the document: a part that stays as it is there. `Kept` has the same name in the browser. */
export function Boxed({ name, children }: Named & { children: ReactNode }) {
  return (
    <div data-part={name} style={shapeless}>
      {children}
    </div>
  );
}

/** In the document: a part that comes alive later. `Island` has the same name in the browser. */
export function BoxedIsland({ name, children }: Named & { children: ReactNode }) {
  return (
    <div data-part={name} style={shapeless}>
      <Suspense>{children}</Suspense>
    </div>
  );
}

/** The markup of a part as it stands in the document now. */
const markupOf = (name: string) => document.querySelector(`[data-part="${name}"]`)?.innerHTML ?? '';

/** In the browser: a part without behaviour. The document's markup stands, and the part's own code never comes. */
export function Kept({ name }: Named) {
  const [markup] = useState(() => markupOf(name));
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it is what the server sent, put back where it was
  return <div data-part={name} style={shapeless} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: markup }} />;
}

/** The same, inside the box of a part that cannot be hydrated after all until its code is there. */
function Meanwhile({ name }: Named) {
  const [markup] = useState(() => markupOf(name));
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it is what the server sent, put back where it was
  return <div style={shapeless} dangerouslySetInnerHTML={{ __html: markup }} />;
}

function Alive({ onAlive, children }: { onAlive: () => void; children: ReactNode }) {
  useEffect(onAlive, [onAlive]);
  return children;
}

interface IslandProps extends Named {
  load: () => Promise<ComponentType>;
  when: When;
}

/**
 * In the browser: a part with behaviour. The document's markup stands until the part's code is there, which is asked for
 * `when` the part is needed; then it is hydrated in place. A press that came before is made again.
 */
export const Island = memo(function Island({ name, load, when }: IslandProps) {
  const box = useRef<HTMLDivElement>(null);
  const [{ Live, watch, onAlive }] = useState(() => lazyWhen(load, when));
  useEffect(() => watch(box.current), [watch]);
  return (
    <div data-part={name} style={shapeless} ref={box}>
      <Suspense fallback={<Meanwhile name={name} />}>
        <Alive onAlive={onAlive}>
          <Live />
        </Alive>
      </Suspense>
    </div>
  );
});
