import { useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api.ts';
import { useConnection } from '../connection.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';

const PROBE_MS = 5_000;

/** Strip below the top bar while the server cannot be reached; failed queries are repeated when it can again. */
export function ConnectionStrip() {
  const { t } = useTranslation('shell');
  const client = useQueryClient();
  const connection = useConnection();
  const wasLost = useRef(false);
  const [trying, setTrying] = useState(false);
  const probe = async () => {
    setTrying(true);
    // Any answer counts, and the call records it.
    await api('GET /auth/setup').catch(() => null);
    setTrying(false);
  };
  useEffect(() => {
    if (connection === 'ok' && wasLost.current) {
      void client.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
    }
    wasLost.current = connection !== 'ok';
    if (connection !== 'unreachable') return;
    const timer = setInterval(() => void api('GET /auth/setup').catch(() => null), PROBE_MS);
    return () => clearInterval(timer);
  }, [connection, client]);
  return (
    <div role="status" className="sticky top-12 z-20">
      {connection !== 'ok' && (
        <p className="connection-strip flex min-h-8 items-center gap-2 border-b border-border bg-foreground px-4 py-1 text-background">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          <span className="flex-1">{t(`connection.${connection}`)}</span>
          {connection === 'unreachable' && (
            <Button size="small" loading={trying} onClick={() => void probe()}>
              {t('connection.retry')}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
