/** Parser of server-sent events; an EventSource cannot send an authorization header. */

/** Yields each event as `{event, data}` until the stream ends. */
export async function* events(stream) {
  let event = 'message';
  let data = [];
  for await (const line of lines(stream)) {
    if (line === '') {
      if (data.length > 0) {
        yield { event, data: data.join('\n') };
      }
      event = 'message';
      data = [];
    } else if (line.startsWith('data:')) {
      data.push(value(line));
    } else if (line.startsWith('event:')) {
      event = value(line);
    }
    // Comments keep the connection alive; other fields are not used.
  }
}

const value = (line) => line.slice(line.indexOf(':') + 1).replace(/^ /, '');

async function* lines(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value: text } = await reader.read();
      if (done) {
        return;
      }
      const parts = (rest + text).split(/\r\n|\n|\r/);
      rest = parts.pop();
      yield* parts;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
