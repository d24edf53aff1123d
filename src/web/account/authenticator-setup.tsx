import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { encode } from 'uqr';
import { ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { applyServerErrors } from '../parts/form-errors.ts';
import { lazyResolver } from '../parts/lazy-resolver.ts';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';

interface AuthenticatorSetupProps {
  secret: string;
  uri: string;
  onConfirmed: (reply: { recovery_codes: string[] }) => Promise<void>;
  onCancel: () => void;
}

/** TOTP secret as a QR code and as text, confirmed by a first code. */
export function AuthenticatorSetup({ secret, uri, onConfirmed, onCancel }: AuthenticatorSetupProps) {
  const { t } = useTranslation('settings');
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: lazyResolver(async () => (await import('./settings-resolvers.ts')).authenticatorCodeResolver),
    defaultValues: { code: '' },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (body) => {
    setFailure(null);
    try {
      await onConfirmed(await api('POST /auth/two-factor/confirm', { body }));
    } catch (error) {
      const wrong = error instanceof ApiError && error.reason === 'invalid_code';
      setFailure(wrong ? t('two_factor.wrong_code') : applyServerErrors(error, setError, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <p>{t('two_factor.scan')}</p>
      <QrCode text={uri} label={t('two_factor.qr')} />
      <div>
        <p className="text-sm text-muted">{t('two_factor.manual_key')}</p>
        <div className="flex items-start justify-between gap-2">
          <code className="wrap-anywhere">{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton text={secret} />
        </div>
      </div>
      {failure && <Notice kind="error">{failure}</Notice>}
      <Field
        label={t('two_factor.code')}
        hint={t('two_factor.code_hint')}
        error={errors.code && t('two_factor.code_missing')}
      >
        <Input
          {...register('code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          className="font-mono"
        />
      </Field>
      <DialogActions>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button type="submit" kind="primary" loading={isSubmitting}>
          {t(isSubmitting ? 'two_factor.working' : 'two_factor.turn_on')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Width of the quiet zone in modules. */
const QUIET_ZONE = 3;

/** Dark on light in every theme: many scanners fail on inverted codes. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <div
      data-theme="light"
      className="self-center rounded-md border border-border bg-surface text-foreground"
    >
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${size} ${size}`}
        className="size-48"
        shapeRendering="crispEdges"
      >
        <path d={path} fill="currentColor" />
      </svg>
    </div>
  );
}
