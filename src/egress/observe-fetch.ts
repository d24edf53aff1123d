/** Statistics of one call: bytes of both bodies, without headers. */
interface ObservedCall {
  host: string;
  sent: number;
  received: number;
  /** Status of the reply; null when there was none. */
  status: number | null;
  ms: number;
}

/** Wraps `fetch` to report every call once its reply was read or aborted, or failed; returns it as is without a listener. */
export function observeFetch(
  call: typeof fetch,
  onCall: ((call: ObservedCall) => void) | undefined,
): typeof fetch {
  if (!onCall) return call;
  return async (input, init) => {
    const started = performance.now();
    const url = new URL(input instanceof Request ? input.url : input);
    const sent = typeof init?.body === 'string' ? Buffer.byteLength(init.body) : 0;
    let received = 0;
    let reported = false;
    const report = (status: number | null) => {
      if (reported) return;
      reported = true;
      onCall({ host: url.host, sent, received, status, ms: Math.round(performance.now() - started) });
    };
    const response = await call(input, init).catch((error) => {
      report(null);
      throw error;
    });
    const { body, status, headers } = response;
    if (!body) {
      report(status);
      return response;
    }
    return new Response(
      countBytes(
        body,
        (bytes) => (received += bytes),
        () => report(status),
      ),
      { status, headers },
    );
  };
}

/** Passes a stream on, counts its bytes and reports its end. */
function countBytes(
  body: ReadableStream<Uint8Array>,
  onBytes: (bytes: number) => void,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          onEnd();
          controller.close();
        } else {
          onBytes(value.length);
          controller.enqueue(value);
        }
      } catch (error) {
        onEnd();
        controller.error(error);
      }
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
}
