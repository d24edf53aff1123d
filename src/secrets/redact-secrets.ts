/**
 * Invisible characters that could carry instructions: zero-width marks, bidirectional controls, the byte-order mark, tag
 * characters.
 */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Names of secrets in code and settings. */
const SECRET_NAMES =
  '(?:pass(?:word|wd|phrase)?|pwd|secret|api_?key|access_?key|auth_?key|account_?key|private_?key|signing_?key|encryption_?key|master_?key|token|bearer|credentials?|dsn)';

/** Patterns of secrets; the first group, if any, is preserved. */
const SECRETS: RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  // Keys with a vendor prefix.
  /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g,
  /\b(?:gh[opsur]_|github_pat_|gl(?:pat|rt|ptt|cbt)-|xox[abeoprs]-|xapp-|sk-|sk_(?:live|test)_|rk_(?:live|test)_|pk_live_|whsec_|npm_|pypi-|hf_|dop_v1_|doo_v1_|shp(?:at|ca|pa|ss)_|sq0(?:atp|csp)-|SG\.|key-|dckr_pat_|lin_api_|secret_|PMAK-|NRAK-|glsa_|rzp_(?:live|test)_|ya29\.|EAAC|AGE-SECRET-KEY-1|tfp_|atlasv1\.)[\w.=-]{12,}/g,
  /\bAIza[\w-]{30,}/g,
  /\bAC[0-9a-f]{32}\b|\bSK[0-9a-f]{32}\b/g,
  /\b\d{8,10}:AA[\w-]{30,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /https:\/\/hooks\.slack\.com\/services\/[\w/]{20,}|https:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{20,}/g,
  // The password in a URL.
  /(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s/:@'"`]{0,200}:)[^\s/@'"`]{3,}(?=@)/gi,
  // `Authorization: Basic …`, `-u name:password`.
  /(\b(?:authorization|x-api-key|x-auth-token)["']?\s{0,8}[:=]\s{0,8}["']?(?:basic |bearer |token )?)[\w+/=.~-]{8,}/gi,
  /(\bcurl\b[^\n]{0,400}\s(?:-u|--user)\s{1,8}["']?[^\s:"']{1,100}:)[^\s"']{4,}/g,
  // `password = "…"`, `"apiKey": "…"`, also in a call: `setPassword("…")`.
  new RegExp(
    `(${SECRET_NAMES}[\\w-]{0,40}["']?[ \\t]{0,8}(?::=|=>|[:=(]|,)[ \\t]{0,40}[rbuf]?["'\`])[^"'\`\\s]{6,}(?=["'\`])`,
    'gi',
  ),
  // `DB_PASSWORD=…` in shells and settings, with names in capitals and unquoted values.
  new RegExp(
    `(^[ \\t]{0,40}(?:export[ \\t]{1,40}|ENV[ \\t]{1,40}|set[ \\t]{1,40})?[A-Z\\d_]{0,40}${SECRET_NAMES.toUpperCase()}[A-Z\\d_]{0,40}[ \\t]{0,40}[=:][ \\t]{0,40})(?!["'\`$<{(]|(?:null|none|true|false)\\b)[^\\s"'\`]{6,}`,
    'gm',
  ),
  // `password: …` in YAML and `password=…` in properties, when the value does not look like code.
  new RegExp(
    `(^[ \\t]{0,40}(?:-[ \\t]{1,40})?[\\w.-]{0,40}${SECRET_NAMES}[\\w-]{0,40}[ \\t]{0,40}[:=][ \\t]{0,40})(?=[^\\s"'\`(){}<>;,]*\\d)(?=[^\\s"'\`(){}<>;,]*[A-Za-z])[^\\s"'\`(){}<>;,$]{8,}$`,
    'gim',
  ),
  // A long random value after such a name, in any syntax.
  new RegExp(`(${SECRET_NAMES}[\\w-]{0,40}\\b["']?[^\\n\\w]{1,4})[A-Za-z\\d+/_-]{32,}={0,2}`, 'gi'),
];

/** Prepares repository text for a model: removes invisible characters and redacts obvious secrets. */
export function redactSecrets(text: string): string {
  const visible = text.replace(INVISIBLE, '');
  return SECRETS.reduce(
    (kept, pattern) =>
      kept.replace(pattern, (_, before) => `${typeof before === 'string' ? before : ''}[redacted]`),
    visible,
  );
}
