/** Stands for the id in a prepared event. */
export const EVENT_ID = '0'.repeat(32);
const KINDS = 20;
const payloads = Array.from({ length: KINDS }, (_, kind) => preparePayload(kind));

/** An envelope with one event for each id, of about 4 KB with twelve frames; prepared, so that sending costs little. */
export function envelope(ids: string[]): string {
  const items = ids.map((id) => {
    const payload = payloads[Number.parseInt(id.slice(0, 4), 16) % KINDS]!.replaceAll(EVENT_ID, id);
    return `{"type":"event","length":${payload.length}}\n${payload}`;
  });
  return `{}\n${items.join('\n')}\n`;
}

function preparePayload(kind: number): string {
  const frames = Array.from({ length: 12 }, (_, index) => ({
    filename: `/srv/shop/src/module${kind}/file${index}.js`,
    function: `handle${index}`,
    lineno: 10 + index,
    colno: 7,
    in_app: index > 4,
    pre_context: ['// before', 'const cart = await load(id);'],
    context_line: '  return cart.items.reduce((sum, item) => sum + item.price, 0);',
    post_context: ['}', ''],
  }));
  return JSON.stringify({
    event_id: EVENT_ID,
    platform: 'node',
    timestamp: Date.now() / 1_000,
    release: 'shop@1.4.2',
    environment: 'production',
    exception: {
      values: [
        {
          type: `Error${kind}`,
          value: `cart ${EVENT_ID} of ada@example.org failed`,
          stacktrace: { frames },
        },
      ],
    },
    breadcrumbs: Array.from({ length: 10 }, (_, index) => ({
      category: 'http',
      message: `GET /api/items/${index}`,
    })),
    tags: { region: 'eu', worker: String(kind) },
  });
}
