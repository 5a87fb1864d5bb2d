/**
 * Error of the API: a response with `success: false`, or no response (`NETWORK_ERROR`, status 0).
 */
export class ApiError extends Error {
  /**
   * `data` is the payload of the error response. `retryAfter` is the wait in seconds that the
   * server requested.
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

/** Error code if no response arrived. */
export const NETWORK_ERROR = 'NETWORK_ERROR';

/** Code of a response that is not in the API's format. */
export const RESPONSE_FORMAT_ERROR = 'RESPONSE_FORMAT_ERROR';

/** Error code if the user declined to prove their identity. The request then changed nothing. */
export const STEP_UP_DECLINED = 'STEP_UP_DECLINED';

/** Returns whether `error` is an API error with one of `codes`. */
export function hasCode(error: unknown, ...codes: string[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}
