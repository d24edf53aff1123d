/** One event of a stream: its name and its data as the server wrote it. */
export interface StreamEvent {
  name: string;
  data: string;
}

/**
 * Cuts server-sent events out of text that arrives in pieces:
 *
 *     event   = line* LF            line = "event:" name | "data:" text | ":" comment
 *
 * Call it with each piece; it returns the events that are whole by then.
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
