/** Prerendered pages: path → name of the page. */
export const SITE_PAGES = {
  '/': 'landing',
  '/about': 'about',
  '/careers': 'careers',
  '/blog': 'blog',
  '/features': 'features',
  '/pricing': 'pricing',
  '/docs': 'docs',
  '/privacy-policy': 'privacy-policy',
  '/terms-and-conditions': 'terms-and-conditions',
  '/refund-and-cancellation': 'refund-and-cancellation',
} as const;

export type SitePath = keyof typeof SITE_PAGES;
