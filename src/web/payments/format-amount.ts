/** Formats an amount in rupees: `1,999`. */
export function formatAmount(rupees: number, language: string): string {
  return new Intl.NumberFormat(language, {
    minimumFractionDigits: Number.isInteger(rupees) ? 0 : 2,
    maximumFractionDigits: 2,
    useGrouping: true,
  }).format(rupees);
}
