import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { InvoiceBuyer } from '#contract/billing.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { applyServerErrors } from '../parts/form-errors.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, Select, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { useToast } from '../ui/toast.tsx';
import { listCountries } from './countries.ts';

/** Name, address, country and tax number for the next invoices; the server validates them. */
export function BillingDetailsForm({ details }: { details: InvoiceBuyer }) {
  const { t, i18n } = useTranslation(['billing', 'errors']);
  const client = useQueryClient();
  const toast = useToast();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: details });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (values) => {
    setFailure(null);
    try {
      const saved = await api('PUT /payments/billing-details', { body: values });
      client.setQueryData(apiQuery('GET /payments/billing-details').queryKey, saved);
      toast(t('details.saved'));
    } catch (error) {
      setFailure(applyServerErrors(error, setError, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {failure && <Notice kind="error">{failure}</Notice>}
      <Field label={t('details.name')} error={errors.name?.message}>
        <Input {...register('name')} autoComplete="organization" maxLength={200} />
      </Field>
      <Field label={t('details.address')} error={errors.address?.message}>
        <Textarea {...register('address')} rows={3} autoComplete="street-address" maxLength={500} />
      </Field>
      <Field label={t('details.country')} error={errors.country?.message}>
        <Select {...register('country')} className="max-w-80" autoComplete="country">
          <option value="">{t('details.no_country')}</option>
          {listCountries(i18n.language, details.country).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('details.tax_id')} error={errors.tax_id?.message}>
        <Input {...register('tax_id')} className="max-w-80" maxLength={50} />
      </Field>
      <div>
        <Button type="submit" loading={isSubmitting}>
          {t('details.save')}
        </Button>
      </div>
    </form>
  );
}
