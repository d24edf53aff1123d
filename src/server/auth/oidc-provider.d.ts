/** The part of `oidc-provider` that tests use; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export class Provider {
    constructor(issuer: string, configuration: ProviderConfiguration);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }

  interface ProviderConfiguration {
    clients: { client_id: string; client_secret: string; redirect_uris: string[] }[];
    claims: Record<string, string[]>;
    scopes: string[];
    cookies: { keys: string[] };
    ttl: Record<string, number>;
    features: { devInteractions: { enabled: boolean } };
    findAccount(context: unknown, sub: string): { accountId: string; claims(): object };
  }
}
