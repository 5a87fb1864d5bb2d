import type { components, paths } from '../src/shared/api/schema.ts';
import type { World } from './world.ts';

type Method = 'get' | 'put' | 'post' | 'delete';

/** A request of the API as its OpenAPI document names it: `GET /schedules/{id}/journal`. */
export type Call = {
  [Path in keyof paths]: {
    [M in Method]: paths[Path][M] extends { responses: object } ? `${Uppercase<M>} ${Path}` : never;
  }[Method];
}[keyof paths];

type Operation<C extends Call> = C extends `${infer M} ${infer Path extends keyof paths}`
  ? paths[Path][Lowercase<M> & keyof paths[Path]]
  : never;
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type Answered<C extends Call> = Operation<C> extends { responses: { 200: infer Ok } } ? Ok : never;

/** Data in the envelope of its response. */
export type DataOf<C extends Call> = [Json<Answered<C>>] extends [never]
  ? never
  : Json<Answered<C>> extends { data: infer Data }
    ? Data
    : never;
/** Body of the request. */
export type BodyOf<C extends Call> = NonNullable<
  Json<Operation<C> extends { requestBody?: infer Body } ? NonNullable<Body> : never>
>;

/** A response as transferred. */
export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}
interface Success<Data> extends Answer {
  body: { success: true; data: Data; error: null };
}
interface Refusal extends Answer {
  body: { success: false; data: unknown; error: { code: Code; message: string } };
}
interface File extends Answer {
  body: Uint8Array;
}
/** Error codes of the server. */
export type Code = components['schemas']['Code'];

export const ok = <Data>(data: Data): Success<Data> => ({ status: 200, body: { success: true, data, error: null } });
export const fail = (status: number, code: Code, message: string, data: unknown = null): Refusal => ({
  status,
  body: { success: false, data, error: { code, message } },
});
/** Returns a response that is no JSON. */
export const file = (body: Uint8Array, headers: Record<string, string>): File => ({ status: 200, body, headers });

/** Returns a refusal for too many requests. Without seconds it names no wait. */
export const tooOften = (seconds: number): Refusal => ({
  ...fail(429, 'TOO_MANY_ATTEMPTS', 'Too many attempts'),
  headers: { 'Retry-After': String(seconds) },
});

interface HandlerInput<C extends Call> {
  world: World;
  /** Value of the path's `{id}`, or its only other name. */
  id: string;
  query: URLSearchParams;
  body: BodyOf<C>;
}
type HandlerOutput<C extends Call> = Refusal | ([DataOf<C>] extends [never] ? File : Success<DataOf<C>>);

/** Handlers of requests. One that violates the OpenAPI document does not compile. */
export type Handlers = { [C in Call]?: (asked: HandlerInput<C>) => HandlerOutput<C> };

/** Any sent body, before its request is known. */
export type Body = Record<string, unknown>;
type AnyHandler = (asked: { world: World; id: string; query: URLSearchParams; body: Body }) => Answer;

/**
 * Returns a function that answers requests. Handlers with a literal path precede those with an
 * `{id}`.
 */
export function router(handlers: Handlers) {
  const routes = Object.entries(handlers as Record<string, AnyHandler>)
    .map(([call, handler]) => ({ call: new RegExp(`^${call.replace(/\{\w+\}/, '([^/]+)').replace('.', '\\.')}$`), handler }))
    .sort((a, b) => Number(a.call.source.includes('(')) - Number(b.call.source.includes('(')));
  return (world: World, line: string, query: URLSearchParams, body: Body): Answer => {
    for (const { call, handler } of routes) {
      const [found, id = ''] = call.exec(line) ?? [];
      if (found !== undefined) return handler({ world, id, query, body });
    }
    return fail(404, 'NOT_FOUND', `no such call: ${line}`);
  };
}
