import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { SignInProvider } from '#contract/sign-in-providers.ts';
import { type ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, PasswordInput } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';

interface FormProps {
  /** Null to add one. */
  provider: SignInProvider | null;
  onSaved: () => Promise<void>;
  onCancel: () => void;
}

const FIELDS = [
  'id',
  'name',
  'issuer',
  'client_id',
  'client_secret',
  'scopes',
  'groups_claim',
  'admin_groups',
];

/** Form of an OpenID Connect issuer. */
export function SignInProviderForm({ provider, onSaved, onCancel }: FormProps) {
  const { t } = useTranslation('sign-in');
  const [id, setId] = useState(provider?.id ?? '');
  const [body, setBody] = useState({
    name: provider?.name ?? '',
    issuer: provider?.issuer ?? '',
    client_id: provider?.client_id ?? '',
    client_secret: '',
    scopes: provider?.scopes ?? 'openid email profile',
    groups_claim: provider?.groups_claim ?? 'groups',
    admin_groups: provider?.admin_groups.join(', ') ?? '',
  });
  const save = useMutation<unknown, ApiError>({
    mutationFn: () =>
      api('PUT /admin/sign-in-providers/:id', {
        params: { id: id.trim() },
        body: {
          ...body,
          client_secret: body.client_secret || undefined,
          admin_groups: body.admin_groups
            .split(',')
            .map((group) => group.trim())
            .filter(Boolean),
        },
      }),
    onSuccess: onSaved,
  });
  const errors = save.error?.fields ?? {};
  const isShownBelow = Object.keys(errors).some((field) => FIELDS.includes(field));
  const text = (name: keyof typeof body) => ({
    value: body[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => setBody({ ...body, [name]: event.target.value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form noValidate onSubmit={submit} className="mt-4 flex max-w-[640px] flex-col gap-4">
      {save.error && !isShownBelow && <Notice kind="error">{save.error.message}</Notice>}
      {provider === null && (
        <Field label={t('form.id')} hint={t('form.id_hint')} error={errors.id}>
          <Input
            value={id}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className="font-mono"
            onChange={(event) => setId(event.target.value)}
          />
        </Field>
      )}
      <Field label={t('form.name')} hint={t('form.name_hint')} error={errors.name}>
        <Input {...text('name')} />
      </Field>
      <Field label={t('form.issuer')} hint={t('form.issuer_hint')} error={errors.issuer}>
        <Input {...text('issuer')} inputMode="url" className="font-mono" readOnly={provider !== null} />
      </Field>
      <Field label={t('form.client_id')} error={errors.client_id}>
        <Input {...text('client_id')} className="font-mono" />
      </Field>
      <Field
        label={t('form.client_secret')}
        hint={provider && t('form.secret_kept')}
        error={errors.client_secret}
      >
        <PasswordInput {...text('client_secret')} className="font-mono" />
      </Field>
      <Field label={t('form.scopes')} error={errors.scopes}>
        <Input {...text('scopes')} className="font-mono" />
      </Field>
      <Field label={t('form.groups_claim')} error={errors.groups_claim}>
        <Input {...text('groups_claim')} className="font-mono" />
      </Field>
      <Field label={t('form.admin_groups')} hint={t('form.admin_groups_hint')} error={errors.admin_groups}>
        <Input {...text('admin_groups')} />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" kind="primary" loading={save.isPending}>
          {t(save.isPending ? 'form.saving' : 'form.save')}
        </Button>
        <Button onClick={onCancel}>{t('form.cancel')}</Button>
      </div>
    </form>
  );
}
