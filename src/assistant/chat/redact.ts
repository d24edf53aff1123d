/**
 * Characters that no reader sees and that could carry instructions: zero-width marks, bidirectional controls, the
 * byte-order mark, tag characters.
 */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** What obvious secrets look like; the first group, where there is one, is kept. */
const SECRETS: RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\b(?:gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|sk-|sk_live_|rk_live_|npm_|AIza|hf_)[\w-]{16,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(\b[a-z][a-z\d+.-]*:\/\/[^\s/:@]*:)[^\s/@]{3,}(?=@)/gi,
  /(\b\w*(?:password|passwd|secret|api_?key|access_?key|token)\w*["']?\s*[:=]\s*["'])[^"'\s]{8,}(?=["'])/gi,
];

/** Text of the repository as a model may see it: nothing invisible, no obvious secret. */
export function redact(text: string): string {
  const visible = text.replace(INVISIBLE, '');
  return SECRETS.reduce(
    (kept, pattern) =>
      kept.replace(pattern, (_, before) => `${typeof before === 'string' ? before : ''}[redacted]`),
    visible,
  );
}
