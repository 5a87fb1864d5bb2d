import type { ReactNode } from 'react';
import { CardHeader as Header } from '../ui/Card.tsx';
import { Icon } from './Icon.tsx';
import type { IconName } from './iconPaths.tsx';

/** A card's first line, with its icon by name; new code takes `shared/ui/Card`. */
export function CardHeader({ icon, ...rest }: { icon?: IconName; title: ReactNode; id?: string; children?: ReactNode }) {
  return <Header {...rest} icon={icon && <Icon name={icon} />} />;
}
