/** The pages that the server sends as finished documents, without the application: address → name of its text. */
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
