import { PASSWORD } from '../product.ts';

/** A signed-up user. */
export interface Account {
  username: string;
  email: string;
  password: string;
  access_token: string;
  refresh_token: string;
}

/** Input of a call; `bare` omits the prefix, as clients of the specification do. */
export interface CallInput {
  as?: Account | null;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  form?: Record<string, string>;
  bare?: boolean;
}

export interface CallReply<Body = unknown> {
  status: number;
  body: Body;
}

/** Calls the product by a route's name, `POST /projects/:id/refresh`, over real HTTP; `Body` is not checked. */
export type Caller = <Body>(key: string, input?: CallInput) => Promise<CallReply<Body>>;

/** Creates a caller of the product at this URL. */
export function createCaller(url: string): Caller {
  return async (key, { as, params = {}, query, body, form, bare } = {}) => {
    const [method = '', path = ''] = key.split(' ');
    const filled = path.replace(/:(\w+)|\*/g, (slot, name) => encodeURI(params[name ?? slot] ?? slot));
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const reply = await fetch(`${url}${bare ? '' : '/api'}${filled}${search}`, {
      method,
      headers: {
        ...(as && { authorization: `Bearer ${as.access_token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: form ? new URLSearchParams(form) : body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.includes('json');
    return { status: reply.status, body: isJson ? JSON.parse(text) : text };
  };
}

/** Signs up a user. */
export async function signUp(call: Caller, username: string): Promise<Account> {
  const who = { username, email: `${username}@example.org`, password: PASSWORD };
  const { status, body } = await call<Pick<Account, 'access_token' | 'refresh_token'>>(
    'POST /auth/register',
    {
      body: who,
    },
  );
  if (status !== 201) throw new Error(`Signing up ${username} answered ${status}: ${JSON.stringify(body)}`);
  return { ...who, access_token: body.access_token, refresh_token: body.refresh_token };
}
