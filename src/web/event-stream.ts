/** A server-sent event with its raw data. */
interface StreamEvent {
  name: string;
  data: string;
}

/**
 * Parses server-sent events from chunks of text:
 *
 *     event   = line* LF            line = "event:" name | "data:" text | ":" comment
 *
 * Each call takes a chunk and returns the events completed by it.
 */
export function createEventParser(): (piece: string) => StreamEvent[] {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const lines = block.split('\n');
      const values = (field: string) =>
        lines
          .filter((line) => line.startsWith(`${field}:`))
          .map((line) => line.slice(field.length + 1).trimStart());
      const data = values('data');
      return data.length > 0 ? [{ name: values('event')[0] ?? 'message', data: data.join('\n') }] : [];
    });
  };
}
