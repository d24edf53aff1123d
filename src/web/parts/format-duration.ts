/** Formats a time in the units of SI, `850 ms` or `2.6 s`, with the separators of a language. */
export function formatDuration(ms: number, language: string): string {
  const isShort = Math.round(ms) < 1_000;
  const value = isShort ? Math.round(ms) : ms / 1_000;
  return `${value.toLocaleString(language, { maximumFractionDigits: 1 })}\u00a0${isShort ? 'ms' : 's'}`;
}
