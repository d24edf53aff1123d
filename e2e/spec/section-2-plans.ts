import { expect } from 'vitest';
import {
  all,
  answered,
  click,
  leads,
  reads,
  reload,
  see,
  sends,
  tick,
  unhindered,
  unseen,
} from './checks.ts';
import type { Screen } from './row.ts';
import { button, css, either, heading, link, role, text, within } from './targets.ts';

const main = css('main');
const checkout = role('dialog', 'Checkout');
const dialog = either(role('dialog'), role('alertdialog'));

/** Section 2, Subscription, and what plans cost by section 9. */
export const plans: Screen[] = [
  {
    section: 2,
    title: 'Subscription for visitors',
    as: 'visitor',
    open: '/subscription',
    ready: heading(/subscription|plan/i),
    rows: [
      {
        what: 'a card leads to sign up',
        decision: '0026-plans-and-billing',
        check: leads(within(main, link('Choose Pro')), /^\/signup/),
      },
    ],
  },
  {
    section: 2,
    title: 'Subscription',
    as: 'user',
    open: '/subscription',
    ready: within(main, heading('Pro')),
    rows: [
      { what: 'three plan cards: Free', check: see(within(main, heading('Free'))) },
      { what: 'three plan cards: Pro', check: see(within(main, heading('Pro'))) },
      { what: 'three plan cards: Enterprise', check: see(within(main, heading('Enterprise'))) },
      { what: 'Free is the default', section: 4, check: see(within(main, text('Your plan'))) },
      { what: 'Free costs 0', section: 9, check: see(within(main, text(/Rs\. 0/))) },
      { what: 'Pro costs 199 a month', section: 9, check: see(within(main, text(/Rs\. 199/))) },
      {
        what: 'Enterprise costs 4500 a month',
        section: 9,
        check: see(within(main, text(/Rs\. 4,?500/))),
      },
      { what: 'Free: up to 3 projects', section: 9, check: see(within(main, text(/up to 3 projects/i))) },
      { what: 'Free: 100 commits history', section: 9, check: see(within(main, text(/100 commits/i))) },
      {
        what: 'Enterprise: contact sales',
        section: 4,
        check: see(within(main, either(link(/Contact sales/i), button(/Contact sales/i)))),
      },
      { what: 'yearly is labelled 20% off', check: see(within(main, text('20% off'))) },
      {
        what: 'the yearly toggle',
        check: all(tick(role('radio', /Yearly/)), see(within(main, text(/1,?999/)))),
      },
      { what: 'Enterprise costs 40000 a year', section: 9, check: see(within(main, text(/40,?000/))) },
      {
        what: 'each card shows its true saving',
        decision: '0026-plans-and-billing',
        check: see(within(main, text(/16 ?%/)), within(main, text(/26 ?%/))),
      },
      {
        what: 'the confirmation dialog',
        section: 4,
        check: all(click(within(main, button('Choose Pro'))), see(dialog)),
      },
      {
        what: 'Payment gateway is not available at the moment.',
        section: 8,
        decision: '0026-plans-and-billing',
        check: all(
          click(within(dialog, button('Continue to payment'))),
          see(text('Payment gateway is not available at the moment. Please try again later.')),
        ),
      },
    ],
  },
  {
    section: 4,
    title: 'Checkout',
    as: 'buyer',
    open: '/subscription',
    ready: button('Choose Pro'),
    rows: [
      {
        what: 'a 14-day trial without a card',
        section: 9,
        decision: '0026-plans-and-billing',
        check: all(click(button('Try Pro for 14 days')), see(text('Pro trial until'))),
      },
      {
        what: 'Failed to initialize payment. Please try again.',
        section: 8,
        check: all(
          answered(/\/api\/payments\/create-order$/, { status: 500 }),
          click(button('Choose Pro')),
          click(within(dialog, button('Continue to payment'))),
          see(text('Failed to initialize payment. Please try again.')),
          unhindered,
        ),
      },
      {
        what: 'the order names plan and gateway',
        section: 7,
        check: sends(
          click(within(dialog, button('Continue to payment'))),
          'POST',
          /\/payments\/create-order$/,
          {
            plan: 'pro',
            gateway: 'razorpay',
          },
        ),
      },
      { what: 'the checkout asks for the amount multiplied by 100', section: 9, check: see(text('INR 199')) },
      {
        what: 'dismissing the checkout closes the dialog',
        check: all(click(within(checkout, button('Walk away'))), unseen(dialog)),
      },
      {
        what: 'Payment verification failed. Please contact support.',
        section: 8,
        check: all(
          click(button('Choose Pro')),
          click(within(dialog, button('Continue to payment'))),
          click(within(checkout, button('Pay with a forged signature'))),
          see(text('Payment verification failed. Please contact support.')),
          reload,
        ),
      },
      {
        what: 'the payment is verified with what the checkout handed over',
        section: 3,
        check: all(
          click(button('Choose Pro')),
          click(within(dialog, button('Continue to payment'))),
          sends(click(within(checkout, button('Pay now'))), 'POST', /\/payments\/verify-payment$/, {
            razorpay_payment_id: expect.stringMatching(/^pay/),
            razorpay_order_id: expect.stringMatching(/^order/),
            razorpay_signature: expect.stringMatching(/^[0-9a-f]{64}$/),
          }),
        ),
      },
      {
        what: 'Payment successful! Your subscription has been activated.',
        section: 8,
        decision: '0029-no-browser-alerts',
        check: see(text('Payment successful! Your subscription has been activated.')),
      },
      { what: 'the subscription is loaded again', check: see(text('Paid until')) },
    ],
  },
  {
    section: 9,
    title: 'Pricing page',
    as: 'visitor',
    open: '/pricing',
    ready: heading(),
    rows: [
      { what: 'Free $0', check: see(text('$0')) },
      { what: 'Free: 1 repository', check: see(text(/1 repository/i)) },
      { what: 'Free: basic AI analysis', check: see(text(/basic AI analysis/i)) },
      { what: 'Free: 30 days history', check: see(text(/30 days( of)? history/i)) },
      { what: 'Free: community support', check: see(text(/community support/i)) },
      { what: 'Pro $15/month', check: see(text(/\$15/)) },
      { what: 'Pro: 10 repositories', check: see(text(/10 repositories/i)) },
      { what: 'Pro: advanced AI analysis', check: see(text(/advanced AI analysis/i)) },
      { what: 'Pro: 1 year history', check: see(text(/1 year( of)? history/i)) },
      { what: 'Pro: priority support', check: see(text(/priority support/i)) },
      { what: 'Pro: team features', check: see(text(/team features/i)) },
      { what: 'Enterprise: custom', check: see(text(/custom/i)) },
      { what: 'Enterprise: unlimited repositories', check: see(text(/unlimited repositories/i)) },
      { what: 'Enterprise: full AI', check: see(text(/full AI/i)) },
      { what: 'Enterprise: unlimited history', check: see(text(/unlimited history/i)) },
      { what: 'Enterprise: 24/7 support', check: see(text(/24\/7 support/i)) },
      { what: 'Enterprise: on-premise', check: see(text(/on-premise/i)) },
      {
        what: '14-day free trial, no card',
        section: 1,
        check: see(text(/14-day/i), text(/no (credit )?card/i)),
      },
      { what: '14-day money-back guarantee', section: 1, check: see(text(/money-back/i)) },
    ],
  },
  {
    section: 9,
    title: 'Refunds page',
    as: 'visitor',
    open: '/refund-and-cancellation',
    ready: heading(),
    rows: [
      { what: '14-day money-back guarantee', check: see(text(/14-day|14 days|within 14/i)) },
      { what: 'refunds take 5 to 7 business days', check: reads(css('body'), /5(-|–| to )7 business days/i) },
      { what: 'upgrades apply at once', check: reads(css('body'), /upgrade[^.]*(immediately|at once)/i) },
      {
        what: 'downgrades apply at the next cycle',
        check: reads(css('body'), /downgrade[^.]*next (billing )?(cycle|period)/i),
      },
    ],
  },
];
