/** Somebody whom another service knows. */
export interface Stranger {
  /** The service's own id of the account: names and addresses change hands, this never does. */
  subject: string;
  /** What they are called there. */
  name: string;
  fullName: string | null;
  email: string | null;
  /** Whether the service has seen that the address is theirs. */
  emailVerified: boolean;
}

/** What binds the answer of the service to the browser that asked. */
export interface Challenge {
  /** Comes back in the address. */
  state: string;
  /** Comes back inside the signed identity, where the service signs one. */
  nonce: string;
  /** Known to us alone; its digest goes out (PKCE, RFC 7636). */
  verifier: string;
  redirectUri: string;
}

/** Another service that tells who somebody is, by OAuth 2.0 with PKCE. */
export interface SignInService {
  /** Where to send the browser. */
  address(challenge: Challenge): Promise<string>;
  /** Who has come back with this code. Throws an `Error` for whatever does not fit. */
  identify(code: string, challenge: Omit<Challenge, 'state'>): Promise<Stranger>;
}
