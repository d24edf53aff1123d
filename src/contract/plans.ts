/** The plans of the product: one table, which the server enforces, the API shows and every page reads. */

export const PLAN_VALUES = ['free', 'pro', 'enterprise'] as const;
export type PlanValue = (typeof PLAN_VALUES)[number];

export const BILLING_PERIODS = ['monthly', 'yearly'] as const;
export type BillingPeriod = (typeof BILLING_PERIODS)[number];

/** A feature of a plan: its text in the feature `subscription` of the locales, and English for everyone else. */
interface PlanFeature {
  code: string;
  text: string;
}

export interface Plan {
  value: PlanValue;
  name: string;
  description: string;
  /** Whole rupees for each period: what checkout asks for. */
  price: Record<BillingPeriod, number>;
  /** Whole dollars a month on the pricing page; null for a price that is agreed upon. */
  usd: number | null;
  /** Limits; null for none. Of commits and days, the one that shows more applies. */
  limits: { projects: number | null; commits: number | null; history_days: number | null };
  /** Features on the subscription screen. */
  features: PlanFeature[];
  /** Features on the pricing page, as worded in the specification. */
  pricing: PlanFeature[];
}

export const PLANS: readonly Plan[] = [
  {
    value: 'free',
    name: 'Free',
    description: 'For trying Hindsight on your own repositories',
    price: { monthly: 0, yearly: 0 },
    usd: 0,
    limits: { projects: 3, commits: 100, history_days: 30 },
    features: [
      { code: 'free_projects', text: 'Up to 3 projects' },
      { code: 'free_history', text: '100 commits history' },
      { code: 'debugging', text: 'Debugging with cited answers' },
    ],
    pricing: [
      { code: 'free_repositories', text: '1 repository' },
      { code: 'basic_analysis', text: 'Basic AI analysis' },
      { code: 'history_30_days', text: '30 days history' },
      { code: 'community_support', text: 'Community support' },
    ],
  },
  {
    value: 'pro',
    name: 'Pro',
    description: 'For the code you work on every day',
    price: { monthly: 199, yearly: 1999 },
    usd: 15,
    limits: { projects: 10, commits: null, history_days: 365 },
    features: [
      { code: 'pro_projects', text: 'Up to 10 projects' },
      { code: 'pro_history', text: '1 year of history' },
      { code: 'team', text: 'Team features' },
      { code: 'priority_support', text: 'Priority support' },
    ],
    pricing: [
      { code: 'pro_repositories', text: '10 repositories' },
      { code: 'advanced_analysis', text: 'Advanced AI analysis' },
      { code: 'pro_history', text: '1 year of history' },
      { code: 'priority_support', text: 'Priority support' },
      { code: 'team', text: 'Team features' },
    ],
  },
  {
    value: 'enterprise',
    name: 'Enterprise',
    description: 'For organizations with many repositories',
    price: { monthly: 4500, yearly: 40_000 },
    usd: null,
    limits: { projects: null, commits: null, history_days: null },
    features: [
      { code: 'unlimited_projects', text: 'Unlimited projects' },
      { code: 'unlimited_history', text: 'Unlimited history' },
      { code: 'support_24_7', text: '24/7 support' },
      { code: 'on_premise', text: 'On-premise' },
    ],
    pricing: [
      { code: 'unlimited_repositories', text: 'Unlimited repositories' },
      { code: 'full_ai', text: 'Full AI' },
      { code: 'unlimited_history', text: 'Unlimited history' },
      { code: 'support_24_7', text: '24/7 support' },
      { code: 'on_premise', text: 'On-premise' },
    ],
  },
];

/** A trial of Pro, once, without a card. */
export const TRIAL_DAYS = 14;

/** Length of the refund window after a payment. */
export const REFUND_DAYS = 14;

/** The plan of this name. */
export function getPlan(value: PlanValue): Plan {
  return PLANS.find((plan) => plan.value === value)!;
}

/** Discount of a year against twelve months, in whole percent. */
export function yearlyDiscountPercent({ price }: Pick<Plan, 'price'>): number {
  return price.monthly === 0 ? 0 : Math.round(100 - (price.yearly / (12 * price.monthly)) * 100);
}
