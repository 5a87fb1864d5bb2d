import { readFileSync } from 'node:fs';

/** Content of the file that `sooner demo --ready FILE` writes when the demo is ready. */
export interface Ready {
  url: string;
  sandbox_url: string;
  portal_url: string;
  inbox_url: string;
  channels_url: string;
  email: string;
  password: string;
  portal_username: string;
  portal_password: string;
  topup_codes: string[];
}

/** Reads the file that the environment variable SOONER_READY names. */
export function readReady(): Ready {
  const path = process.env.SOONER_READY;
  if (!path) throw new Error('SOONER_READY must name the ready file of a running `sooner demo`');
  return JSON.parse(readFileSync(path, 'utf8')) as Ready;
}
