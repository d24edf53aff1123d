import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { PasswordField } from '../parts/account-fields.tsx';
import { Button, type ButtonKind } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

interface ReauthenticationFormProps {
  children?: ReactNode;
  /** Labels of the button: idle and pending. */
  submit: [string, string];
  kind?: ButtonKind;
  /** Requires the password from the start; otherwise when the server does. */
  requirePassword: boolean;
  username: string;
  onSubmit: (current_password: string | undefined) => Promise<void>;
  onCancel: () => void;
}

/** Confirmation with the account's password where the server requires it. */
export function ReauthenticationForm({
  children,
  submit,
  kind = 'primary',
  requirePassword,
  username,
  onSubmit,
  onCancel,
}: ReauthenticationFormProps) {
  const { t } = useTranslation('settings');
  const [passwordRequired, setPasswordRequired] = useState(requirePassword);
  const [password, setPassword] = useState('');
  const [passwordError, setPasswordError] = useState<string>();
  const [failure, setFailure] = useState<string | null>(null);
  const [working, setWorking] = useState(false);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (working) return;
    setWorking(true);
    setPasswordError(undefined);
    setFailure(null);
    try {
      await onSubmit(passwordRequired ? password : undefined);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === 'current_password') {
        setPasswordRequired(true);
        setPasswordError(passwordRequired ? t('reauthentication.wrong') : t('reauthentication.required'));
      } else setFailure(error.message);
    } finally {
      setWorking(false);
    }
  };

  return (
    <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
      {children}
      {failure && <Notice kind="error">{failure}</Notice>}
      {passwordRequired && (
        <>
          {/* Lets password managers associate the password with the username. */}
          <input type="text" autoComplete="username" value={username} readOnly hidden />
          <PasswordField
            label={t('parts:current_password')}
            error={passwordError}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </>
      )}
      <DialogActions>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button type="submit" kind={kind} loading={working}>
          {submit[working ? 1 : 0]}
        </Button>
      </DialogActions>
    </form>
  );
}
