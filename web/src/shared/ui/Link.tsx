import { type AnchorHTMLAttributes, createContext, type ElementType, type Ref, use } from 'react';
import type { Language } from '../i18n/language.ts';
import { speakDocument } from '../i18n/speakDocument.ts';

/** How one gets from page to page: by the app's router, or, on pages that have none, by the browser. */
export interface Travel {
  link: ElementType;
  /** `replace`: the page that is left is not one to come back to. */
  go: (path: string, how?: { replace: boolean }) => void;
  /** Shows the page one is on in another language. */
  speak: (language: Language) => Promise<void>;
}

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: string;
  ref?: Ref<HTMLAnchorElement>;
}

function PlainLink({ to, children, ...rest }: Props) {
  return (
    <a href={to} {...rest}>
      {children}
    </a>
  );
}

/** Set by the app; pages that are prerendered do without. */
export const TravelContext = createContext<Travel>({
  link: PlainLink,
  go: (path, how) => (how?.replace ? window.location.replace(path) : window.location.assign(path)),
  speak: speakDocument,
});

/** A link within the site, whichever way one travels here. */
export function Link(props: Props) {
  const { link: Kind } = use(TravelContext);
  return <Kind {...props} />;
}

/** Goes to another page of the site. */
export function useGo(): Travel['go'] {
  return use(TravelContext).go;
}

/** Changes the language. */
export function useSpeak(): Travel['speak'] {
  return use(TravelContext).speak;
}
