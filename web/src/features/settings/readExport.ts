import { client } from '../../shared/api/client.ts';

/** Number of received bytes, and the total if the server sends it. */
export interface Progress {
  received: number;
  total: number | null;
}

interface Export {
  blob: Blob;
  name: string;
}

function fileName(disposition: string | null): string {
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1] ?? 'sooner-export.zip';
}

/** Downloads the archive of the user's data. */
export async function readExport(onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<Export> {
  const headers = { Accept: 'application/zip, application/json' };
  const { data, response } = await client.POST('/user/export', { parseAs: 'stream', headers, signal });
  const name = fileName(response.headers.get('Content-Disposition'));
  const total = Number(response.headers.get('Content-Length')) || null;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  const reader = data?.getReader();
  for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
    parts.push(step.value);
    received += step.value.length;
    onProgress({ received, total });
  }
  return { blob: new Blob(parts, { type: 'application/zip' }), name };
}
