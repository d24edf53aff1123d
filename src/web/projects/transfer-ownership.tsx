import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '#contract/members.ts';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field, PasswordInput, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { useMemberChange } from './use-members.ts';

interface TransferOwnershipDialogProps {
  project: Project;
  members: Member[];
  onClose: () => void;
}

/** Confirms the transfer of ownership; an older sign-in requires the password. */
export function TransferOwnershipDialog({ project, members, onClose }: TransferOwnershipDialogProps) {
  const { t } = useTranslation('projects');
  const client = useQueryClient();
  const others = members.filter(({ role }) => role !== 'owner');
  const [userId, setUserId] = useState(others[0]?.user_id ?? '');
  const [password, setPassword] = useState('');
  const transfer = useMemberChange(project.id, () =>
    api('PUT /projects/:id/owner', {
      params: { id: project.id },
      body: { user_id: userId, ...(password && { current_password: password }) },
    }),
  );
  const wrong = transfer.error?.fields.current_password;
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    transfer.mutate(undefined, {
      onSuccess: async () => {
        onClose();
        const queryKey = projectKeys.detail(project.id);
        await client.invalidateQueries({ queryKey });
      },
    });
  };
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('members.transfer.title')}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p>{t('members.transfer.text')}</p>
        {transfer.error && !wrong && <Notice kind="error">{transfer.error.message}</Notice>}
        <Field label={t('members.transfer.to')}>
          <Select value={userId} onChange={(event) => setUserId(event.target.value)}>
            {others.map((member) => (
              <option key={member.user_id} value={member.user_id}>
                {member.username}
              </option>
            ))}
          </Select>
        </Field>
        {(wrong || password) && (
          <Field label={t('parts:current_password')} error={wrong}>
            <PasswordInput
              value={password}
              autoComplete="current-password"
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="danger" loading={transfer.isPending}>
            {t('members.transfer.confirm')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
