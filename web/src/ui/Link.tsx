import { type AnchorHTMLAttributes, createContext, type ElementType, type Ref, use } from 'react';

/** How one gets from page to page: by the app's router, or, on pages that have none, by the browser. */
export interface Travel {
  link: ElementType;
  go: (path: string) => void;
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
export const TravelContext = createContext<Travel>({ link: PlainLink, go: (path) => window.location.assign(path) });

/** A link within the site, whichever way one travels here. */
export function Link(props: Props) {
  const { link: Kind } = use(TravelContext);
  return <Kind {...props} />;
}

/** Goes to another page of the site. */
export function useGo(): (path: string) => void {
  return use(TravelContext).go;
}
