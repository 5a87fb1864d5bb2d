import type { ReactNode } from 'react';
import { Badge } from '../ui/Badge.tsx';
import { type IconName, iconPaths } from './iconPaths.tsx';

const tones = {
  ok: 'ok',
  warn: 'warning',
  err: 'error',
  errSolid: 'errorSolid',
  info: 'info',
  quiet: 'quiet',
  line: 'line',
} as const;

/** A small chip with its icon by name; new code takes `shared/ui/Badge`. */
export function Tag({ tone, icon, children }: { tone: keyof typeof tones; icon?: IconName; children: ReactNode }) {
  return (
    <Badge tone={tones[tone]} icon={icon && iconPaths[icon]}>
      {children}
    </Badge>
  );
}
