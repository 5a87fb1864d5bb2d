import type { components, paths } from '../src/shared/api/schema.ts';
import type { World } from './world.ts';

type Method = 'get' | 'put' | 'post' | 'delete';

/**
 * Name of an API request: method and path of the OpenAPI document, such as `GET
 * /schedules/{id}/journal`.
 */
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

/** Data in the envelope of a request's response. */
export type DataOf<C extends Call> = [Json<Answered<C>>] extends [never]
  ? never
  : Json<Answered<C>> extends { data: infer Data }
    ? Data
    : never;
/** Body of a request. */
export type BodyOf<C extends Call> = NonNullable<
  Json<Operation<C> extends { requestBody?: infer Body } ? NonNullable<Body> : never>
>;

/** Response with status and body. */
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
/** Error code of the server. */
export type Code = components['schemas']['Code'];

export const ok = <Data>(data: Data): Success<Data> => ({ status: 200, body: { success: true, data, error: null } });
export const fail = (status: number, code: Code, message: string, data: unknown = null): Refusal => ({
  status,
  body: { success: false, data, error: { code, message } },
});
/** Returns a response whose body is a file. */
export const file = (body: Uint8Array, headers: Record<string, string>): File => ({ status: 200, body, headers });

/** Returns a 429 response with the seconds to wait. */
export const tooOften = (seconds: number): Refusal => ({
  ...fail(429, 'TOO_MANY_ATTEMPTS', 'Too many attempts'),
  headers: { 'Retry-After': String(seconds) },
});

interface HandlerInput<C extends Call> {
  world: World;
  /** Value of the path parameter. */
  id: string;
  query: URLSearchParams;
  body: BodyOf<C>;
}
type HandlerOutput<C extends Call> = Refusal | ([DataOf<C>] extends [never] ? File : Success<DataOf<C>>);

/** Handlers by request name. Handlers that do not match the OpenAPI document do not compile. */
export type Handlers = { [C in Call]?: (asked: HandlerInput<C>) => HandlerOutput<C> };

/** Body of any request. */
export type Body = Record<string, unknown>;
type AnyHandler = (asked: { world: World; id: string; query: URLSearchParams; body: Body }) => Answer;

/**
 * Returns a function that answers requests with the matching handler. Handlers with a literal path
 * come before those with a parameter.
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
