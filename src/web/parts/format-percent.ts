/** `81%`, or `81 %` where the language puts a blank; `share` is 0 to 1. */
export function formatPercent(share: number, language: string): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(share);
}
