// Script that the build writes into the documents of the dashboard and of a task (integration.ts).
import { showFirstData } from './firstData.ts';

// After a failure the skeleton stays unchanged.
void showFirstData(document.querySelector('.first-page')).catch(() => undefined);
