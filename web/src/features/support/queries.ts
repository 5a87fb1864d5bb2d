import { queryOptions } from '@tanstack/react-query';
import { body, client } from '../../shared/api/client.ts';
import { ApiError } from '../../shared/api/errors.ts';

const TEST_TASKS = 10;

/** Requests the task list, and returns the response without interpreting it. */
async function readRawTasks(): Promise<{ status: number; text: string; ms: number }> {
  const began = performance.now();
  try {
    const params = { query: { page: 1, page_size: TEST_TASKS } };
    const text = await body(client.GET('/schedules', { params, parseAs: 'text' }));
    return { status: 200, text, ms: performance.now() - began };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, data } = error;
    const text = JSON.stringify({ success: false, data, error: { code, message } });
    return { status: error.status, text, ms: performance.now() - began };
  }
}

export const supportQueries = {
  rawTasks: () => queryOptions({ queryKey: ['rawTasks'], queryFn: readRawTasks, staleTime: 0, retry: false }),
};
