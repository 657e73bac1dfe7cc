/** Lines of a stream of bytes, as they come. */

/** Every line that is not empty; the last one need not end with a line break. */
export async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
    let from = 0;
    for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
      parts.push(text.slice(from, to));
      from = to + 1;
      // Joined once a line: a long line comes in hundreds of pieces.
      const line = parts.join('');
      parts = [];
      if (line.trim()) yield line;
    }
    if (from < text.length) parts.push(text.slice(from));
    if (done) break;
  }
  const rest = parts.join('');
  if (rest.trim()) yield rest;
}
