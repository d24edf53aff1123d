/** Formats an amount in rupees: `1,999`. */
export function formatAmount(rupees: number, language: string): string {
  return new Intl.NumberFormat(language, {
    minimumFractionDigits: Number.isInteger(rupees) ? 0 : 2,
    maximumFractionDigits: 2,
    useGrouping: true,
  }).format(rupees);
}

/** Formats an amount in the smallest unit of a currency: `₹1,999.00`. */
export function formatMinor(minor: number, currency: string, language: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(minor / 100);
}
