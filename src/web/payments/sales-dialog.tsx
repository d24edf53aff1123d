import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { EmailField } from '../parts/account-fields.tsx';
import { applyServerErrors } from '../parts/form-errors.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field, Input, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';

/** Form that emails the operators about Enterprise; the server validates it. */
export function SalesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['subscription', 'errors']);
  const [isSent, setSent] = useState(false);
  return (
    <Dialog open onClose={onClose} title={t('sales.title')}>
      {isSent ? (
        <>
          <Notice kind="success">{t('sales.sent')}</Notice>
          <DialogActions>
            <Button onClick={onClose}>{t('sales.close')}</Button>
          </DialogActions>
        </>
      ) : (
        <SalesForm onSent={() => setSent(true)} onClose={onClose} />
      )}
    </Dialog>
  );
}

function SalesForm({ onSent, onClose }: { onSent: () => void; onClose: () => void }) {
  const { t } = useTranslation(['subscription', 'errors']);
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { name: '', email: '', company: '', message: '' },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (body) => {
    setFailure(null);
    try {
      await api('POST /payments/contact-sales', { body });
      onSent();
    } catch (error) {
      setFailure(applyServerErrors(error, setError, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {failure && <Notice kind="error">{failure}</Notice>}
      <Field label={t('sales.name')} error={errors.name?.message}>
        <Input {...register('name')} autoComplete="name" maxLength={100} />
      </Field>
      <EmailField label={t('sales.email')} error={errors.email?.message} {...register('email')} />
      <Field label={t('sales.company')} error={errors.company?.message}>
        <Input {...register('company')} autoComplete="organization" maxLength={100} />
      </Field>
      <Field label={t('sales.message')} error={errors.message?.message}>
        <Textarea {...register('message')} rows={5} maxLength={4000} />
      </Field>
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" kind="primary" loading={isSubmitting}>
          {t('sales.send')}
        </Button>
      </DialogActions>
    </form>
  );
}
