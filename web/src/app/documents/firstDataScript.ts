// Built, as it is (integration.ts), into the documents of the pages whose first calls it reads.
import { showFirstData } from './firstData.ts';

// Without it the outline stays as it is.
void showFirstData(document.querySelector('.first-page')).catch(() => undefined);
