// biome-ignore-all lint/performance/noBarrelFile: one chunk for what a list of several tasks has beside its rows
export { PauseShown } from './PauseShown.tsx';
export { TaskPages } from './TaskPages.tsx';
