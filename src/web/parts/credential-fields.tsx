import type { ApiInput } from '#contract/api.ts';
import { useTranslation } from '../i18n.ts';
import { Checkbox, Field, Input, PasswordInput, Textarea } from '../ui/field.tsx';

type Body = ApiInput<'PUT /projects/:id/credential'>['body'];

/** True for an SSH URL, which needs a key; other URLs take a token. */
export function isSshUrl(gitUrl: string): boolean {
  return /^ssh:|^[\w.-]+@[\w.-]+:/i.test(gitUrl.trim());
}

/** True when the credential's kind fits the URL. */
export function matchesUrl(credential: Body | null | undefined, gitUrl: string): boolean {
  return credential?.kind === (isSshUrl(gitUrl) ? 'ssh' : 'token');
}

interface CredentialFieldsProps {
  body: Body;
  onChange: (body: Body) => void;
  errors: Record<string, string>;
}

/** Fields of a credential; secrets are never sent back by the server. */
export function CredentialFields({ body, onChange, errors }: CredentialFieldsProps) {
  const { t } = useTranslation('projects');
  if (body.kind === 'token') {
    return (
      <>
        <Field label={t('credential.token')} error={errors.token} hint={t('credential.token_hint')}>
          <PasswordInput
            value={body.token}
            autoComplete="off"
            className="font-mono"
            onChange={(event) => onChange({ ...body, token: event.target.value })}
          />
        </Field>
        <Field
          label={t('credential.username_optional')}
          error={errors.username}
          hint={t('credential.username_hint')}
        >
          <Input
            value={body.username ?? ''}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => onChange({ ...body, username: event.target.value })}
          />
        </Field>
      </>
    );
  }
  const hasOwnKey = body.private_key !== undefined;
  return (
    <>
      <Checkbox
        label={t('credential.generate')}
        checked={!hasOwnKey}
        onChange={(event) =>
          onChange(event.target.checked ? { kind: 'ssh' } : { kind: 'ssh', private_key: '' })
        }
      />
      {hasOwnKey && (
        <Field
          label={t('credential.private_key')}
          error={errors.private_key}
          hint={t('credential.private_hint')}
        >
          <Textarea
            rows={6}
            value={body.private_key ?? ''}
            spellCheck={false}
            autoComplete="off"
            className="font-mono text-sm"
            placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
            onChange={(event) => onChange({ ...body, private_key: event.target.value })}
          />
        </Field>
      )}
    </>
  );
}

interface CredentialToggleProps {
  gitUrl: string;
  credential: Body | null | undefined;
  onChange: (credential: Body | null) => void;
  errors: Record<string, string>;
}

/** Optional credential of a private repository. */
export function CredentialToggle({ gitUrl, credential, onChange, errors }: CredentialToggleProps) {
  const { t } = useTranslation('projects');
  const ssh = isSshUrl(gitUrl);
  const initial: Body = ssh ? { kind: 'ssh' } : { kind: 'token', token: '' };
  const shown = credential && credential.kind === initial.kind ? credential : null;
  return (
    <>
      <Checkbox
        label={t('credential.is_private')}
        checked={shown !== null}
        onChange={(event) => onChange(event.target.checked ? initial : null)}
      />
      {shown && <CredentialFields body={shown} onChange={onChange} errors={errors} />}
    </>
  );
}
