/** Profile of an external account. */
export interface ExternalProfile {
  /** Stable id of the account at the provider. Names and emails can be reassigned. */
  subject: string;
  /** Display name at the provider. */
  name: string;
  fullName: string | null;
  email: string | null;
  /** True when the provider has verified the email. */
  emailVerified: boolean;
  /** Groups of the account; null when the provider names none. */
  groups: string[] | null;
}

/** Values that bind the authorization response to the browser that started it. */
interface AuthorizationRequest {
  /** Returned in the callback URL. */
  state: string;
  /** Returned in the ID token, for providers that issue one. */
  nonce: string;
  /** PKCE code verifier (RFC 7636). Only its digest is sent. */
  codeVerifier: string;
  redirectUri: string;
}

/** Parameters of the authorization response besides its state. */
interface AuthorizationResponse {
  code: string;
  /** Issuer of the response (RFC 9207); null when it names none. */
  issuer: string | null;
}

/** External sign-in by OAuth 2.0 with PKCE. */
export interface OAuthProvider {
  /** URL of the authorization page. */
  authorizeUrl(challenge: AuthorizationRequest): Promise<string>;
  /** Exchanges the code for the profile of the account. Throws an `Error` on any mismatch. */
  fetchProfile(
    response: AuthorizationResponse,
    challenge: Omit<AuthorizationRequest, 'state'>,
  ): Promise<ExternalProfile>;
}
