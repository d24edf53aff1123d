import { type FormEvent, useState } from 'react';
import type { RepositoryHost } from '#contract/connect.ts';
import { useTranslation } from '../i18n.ts';
import { AllowHost } from '../parts/allow-host.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Input, PasswordInput, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { RepositoryPicker } from './repository-picker.tsx';
import { type ListRequest, useRepositoryList } from './use-repository-list.ts';

const PUBLIC_URLS: Record<RepositoryHost, string> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  gitea: 'https://gitea.com',
};
const HOSTS = Object.keys(PUBLIC_URLS) as RepositoryHost[];
const FIELDS = ['base_url', 'owner', 'token'];

/** Lists the repositories of an owner and imports the chosen ones. */
export function RepositoryImport() {
  const { t } = useTranslation('first-run');
  const [request, setRequest] = useState<ListRequest>({ host: 'github', owner: '', base_url: '', token: '' });
  const { repositories, list, markConnected } = useRepositoryList();
  const { error, data } = list;
  const listed = list.variables;
  const isListed = data !== undefined && listed !== undefined;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!list.isPending) list.mutate({ ...request, page: 1 });
  };
  return (
    <>
      <form noValidate onSubmit={submit} className="grid max-w-190 gap-4 sm:grid-cols-2">
        <Field label={t('import.host')}>
          <Select
            value={request.host}
            onChange={(event) => setRequest({ ...request, host: event.target.value as RepositoryHost })}
          >
            {HOSTS.map((host) => (
              <option key={host} value={host}>
                {t(`import.hosts.${host}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('import.owner')} error={error?.fields.owner}>
          <Input
            value={request.owner}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className="font-mono text-code"
            onChange={(event) => setRequest({ ...request, owner: event.target.value })}
          />
        </Field>
        <Field
          label={t('import.base_url')}
          error={error?.fields.base_url}
          hint={t('import.base_url_hint', { url: PUBLIC_URLS[request.host] })}
        >
          <Input
            value={request.base_url ?? ''}
            autoComplete="off"
            inputMode="url"
            placeholder={PUBLIC_URLS[request.host]}
            className="font-mono text-code"
            onChange={(event) => setRequest({ ...request, base_url: event.target.value })}
          />
        </Field>
        <Field label={t('import.token')} error={error?.fields.token} hint={t('import.token_hint')}>
          <PasswordInput
            value={request.token ?? ''}
            autoComplete="off"
            className="font-mono"
            onChange={(event) => setRequest({ ...request, token: event.target.value })}
          />
        </Field>
        <Button kind="primary" type="submit" loading={list.isPending} className="justify-self-start">
          {t(list.isPending ? 'import.listing' : 'import.list')}
        </Button>
      </form>
      <div className="mt-4 flex max-w-190 flex-col gap-3 empty:hidden">
        {error && !FIELDS.some((field) => error.fields[field]) && (
          <Notice kind="error" onRetry={() => submit()}>
            {error.message}
          </Notice>
        )}
        <AllowHost
          error={error}
          gitUrl={request.base_url || PUBLIC_URLS[request.host]}
          onAllowed={() => submit()}
        />
      </div>
      {isListed && (
        <RepositoryPicker
          owner={listed.owner}
          token={listed.token ?? ''}
          repositories={repositories}
          hasMore={data.has_more}
          isLoading={list.isPending}
          onMore={() => list.mutate({ ...listed, page: (listed.page ?? 1) + 1 })}
          onConnected={markConnected}
        />
      )}
    </>
  );
}
