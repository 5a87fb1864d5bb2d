/** A response with `success: false`, or no response at all (`NETWORK_ERROR`, status 0). */
export class ApiError extends Error {
  /**
   * `data` is the error's own payload (402, 409…), `retryAfter` the seconds to wait if the server
   * named them.
   */
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly data: unknown = null,
    readonly retryAfter: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Code of a failure that never reached the server. */
export const NETWORK_ERROR = 'NETWORK_ERROR';

/** Code of a response that is not in the API's format. */
export const RESPONSE_FORMAT_ERROR = 'RESPONSE_FORMAT_ERROR';

/** Code of a request for which the user declined the proof of identity. Nothing was changed. */
export const STEP_UP_DECLINED = 'STEP_UP_DECLINED';

/** Returns whether `error` is an API error with one of `codes`. */
export function hasCode(error: unknown, ...codes: string[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}
