import type { FastifyInstance } from 'fastify';
import { billingRoutes } from '#contract/billing.ts';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { serve } from '../http/serve.ts';
import { sendToSales } from './contact-sales.ts';
import { listInvoices, loadBillingDetails, loadInvoice } from './invoices.ts';
import { chooseWritableProjects, loadUsage } from './usage.ts';

/** Registers the `billing` routes: usage, invoices and the contact form. */
export function registerBilling(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  serve(app, billingRoutes.usage, async ({ caller }) => await loadUsage(deps, caller.userId));

  serve(app, billingRoutes.chooseProjects, async ({ caller, body }) => {
    await chooseWritableProjects(deps, caller.userId, body.project_ids);
    const usage = await loadUsage(deps, caller.userId);
    for (const { id } of usage.owned) deps.events.emit({ type: 'project-changed', projectId: id });
    return usage;
  });

  serve(app, billingRoutes.details, async ({ caller }) => await loadBillingDetails(db, caller.userId));

  serve(app, billingRoutes.saveDetails, async ({ caller, body }) => {
    const values = { ...body, updated_at: deps.now() };
    await db
      .insertInto('billing_details')
      .values({ user_id: caller.userId, ...values })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
      .execute();
    return await loadBillingDetails(db, caller.userId);
  });

  serve(
    app,
    billingRoutes.invoices,
    async ({ caller, query }) => await listInvoices(db, caller.userId, query),
  );

  serve(
    app,
    billingRoutes.invoice,
    async ({ caller, params }) => await loadInvoice(db, caller.userId, params.id),
  );

  serve(app, billingRoutes.contactSales, async ({ body }) => {
    if (await sendToSales(deps, body, resolvePublicUrl(app, deps.config))) return { ok: true as const };
    throw new AppError('unavailable', 'sales_unavailable', { reason: 'no_recipient' });
  });
}
