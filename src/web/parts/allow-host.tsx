import { useMutation } from '@tanstack/react-query';
import { type ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { useCurrentUser } from '../user.ts';

/** Reasons of refusals that an administrator can lift. */
const LIFTABLE = ['private_address', 'port_not_allowed', 'https_required'];

interface AllowHostProps {
  /** Refusal of a connection. */
  error: ApiError | null;
  gitUrl: string;
  /** Called once the host is allowed, to try again. */
  onAllowed: () => void;
}

/** Offers administrators to allow the private host of a refused URL; nothing for others and other errors. */
export function AllowHost({ error, gitUrl, onAllowed }: AllowHostProps) {
  const { t } = useTranslation('first-run');
  const isAdmin = useCurrentUser().data?.role === 'admin';
  const host = urlHost(gitUrl);
  const allow = useMutation<unknown, ApiError, string>({
    mutationFn: (name) => api('POST /admin/hosts', { body: { host: name } }),
    onSuccess: onAllowed,
  });
  if (!isAdmin || host === null || !LIFTABLE.includes(error?.reason ?? '')) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <Button size="small" loading={allow.isPending} onClick={() => allow.mutate(host)}>
        {t('allow_host.allow', { host })}
      </Button>
      <span className="text-muted">{t('allow_host.hint')}</span>
      {allow.error && (
        <span role="alert" className="font-medium">
          {allow.error.message}
        </span>
      )}
    </div>
  );
}

/** Host of a URL with its port, where that is not the usual one; null for a text that is no URL. */
function urlHost(gitUrl: string): string | null {
  const short = /^[\w.-]+@([\w.-]+):/.exec(gitUrl.trim())?.[1];
  return short ?? (URL.parse(gitUrl.trim())?.host.toLowerCase() || null);
}
