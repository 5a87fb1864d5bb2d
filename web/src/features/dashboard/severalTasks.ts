// biome-ignore-all lint/performance/noBarrelFile: one chunk for lists of several tasks
export { PauseShown } from './PauseShown.tsx';
export { TaskPages } from './TaskPages.tsx';
