// The build (integration.ts) puts this script into the documents of the pages whose first requests
// it reads.
import { showFirstData } from './firstData.ts';

// On failure the skeleton stays as it is.
void showFirstData(document.querySelector('.first-page')).catch(() => undefined);
