import { type AnchorHTMLAttributes, createContext, type ElementType, type Ref, use } from 'react';
import type { Language } from '../i18n/language.ts';
import { switchDocumentLanguage } from '../i18n/switchDocumentLanguage.ts';

/** Navigation between pages: by the app's router, or by the browser on pages without one. */
export interface Travel {
  link: ElementType;
  /** `replace`: the page that is left is not in the history. */
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

/** Set by the app. Prerendered pages work without it. */
export const TravelContext = createContext<Travel>({
  link: PlainLink,
  go: (path, how) => (how?.replace ? window.location.replace(path) : window.location.assign(path)),
  speak: switchDocumentLanguage,
});

/** Renders a link within the site, for either kind of navigation. */
export function Link(props: Props) {
  const { link: Kind } = use(TravelContext);
  return <Kind {...props} />;
}

/** Navigates to another page of the site. */
export function useGo(): Travel['go'] {
  return use(TravelContext).go;
}

/** Changes the language. */
export function useSpeak(): Travel['speak'] {
  return use(TravelContext).speak;
}
