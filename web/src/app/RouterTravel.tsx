import { type ReactNode, useMemo } from 'react';
import { Link, type LinkProps, useNavigate } from 'react-router';
import { changeLanguage } from '../shared/i18n/changeLanguage.ts';
import { type Travel, TravelContext } from '../shared/ui/Link.tsx';
import { isDocument } from './documents/documentPaths.ts';

function AppLink(props: LinkProps) {
  return <Link {...props} reloadDocument={isDocument(props.to)} />;
}

/** Provides shared components with navigation by the app's router. */
export function RouterTravel({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const travel = useMemo<Travel>(
    () => ({
      link: AppLink,
      go: (path, how) => {
        if (!isDocument(path)) void navigate(path, how);
        else if (how?.replace) window.location.replace(path);
        else window.location.assign(path);
      },
      speak: changeLanguage,
    }),
    [navigate],
  );
  return <TravelContext value={travel}>{children}</TravelContext>;
}
