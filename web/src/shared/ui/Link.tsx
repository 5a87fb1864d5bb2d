import { type AnchorHTMLAttributes, createContext, type ElementType, type Ref, use } from 'react';
import type { Language } from '../i18n/language.ts';
import { switchDocumentLanguage } from '../i18n/switchDocumentLanguage.ts';

/**
 * Functions for navigation. In the app the router provides them. On pages without a router the
 * browser navigates.
 */
export interface Travel {
  link: ElementType;
  /** Opens a page. With `replace` the current page is removed from the history. */
  go: (path: string, how?: { replace: boolean }) => void;
  /** Shows the current page in another language. */
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

/** Navigation of the current page. The app sets it. The default is for prerendered pages. */
export const TravelContext = createContext<Travel>({
  link: PlainLink,
  go: (path, how) => (how?.replace ? window.location.replace(path) : window.location.assign(path)),
  speak: switchDocumentLanguage,
});

/** Renders a link within the site, with or without a router. */
export function Link(props: Props) {
  const { link: Kind } = use(TravelContext);
  return <Kind {...props} />;
}

/** Returns the function that opens another page of the site. */
export function useGo(): Travel['go'] {
  return use(TravelContext).go;
}

/** Returns the function that changes the language. */
export function useSpeak(): Travel['speak'] {
  return use(TravelContext).speak;
}
