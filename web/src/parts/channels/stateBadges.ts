import { Check, CircleX, Clock, type LucideIcon, Pause } from 'lucide-react';
import type { Channel } from '../../shared/api/channels.ts';

/** Colour and icon of a channel's state. The texts are in `channels.state`. */
export const stateBadges: Record<Channel['state'], { tone: 'ok' | 'warning' | 'error' | 'quiet'; icon: LucideIcon }> = {
  verified: { tone: 'ok', icon: Check },
  pending: { tone: 'warning', icon: Clock },
  needs_attention: { tone: 'error', icon: CircleX },
  off: { tone: 'quiet', icon: Pause },
};
