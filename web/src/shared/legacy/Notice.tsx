import type { ReactNode } from 'react';
import { Alert, type Tone } from '../ui/Alert.tsx';
import { type IconName, iconPaths } from './iconPaths.tsx';

interface Props {
  tone: Tone;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  icon?: IconName;
  live?: 'alert' | 'status';
}

/** A soft block with its icon by name; new code takes `shared/ui/Alert`. */
export function Notice({ icon, ...rest }: Props) {
  return <Alert {...rest} icon={icon && iconPaths[icon]} />;
}
