/** What fetches, as the web has it. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Fetches with a limit on how long one message of a server may be: a whole body, or one event of a stream. Past that the body fails, so
 * that no server fills the memory of its client.
 *
 * @param most - bytes
 */
export function capFetch(fetch: Fetch, most: number): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
    const body = response.body.pipeThrough(createCap(most, isStream));
    return new Response(body, { status, statusText, headers });
  };
}

/** Passes bytes on until a message has too many. An empty line ends an event, and with it the count. */
function createCap(most: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  let isLineEmpty = false;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of isStream ? chunk : []) {
        count += 1;
        if (byte === LINE_FEED && isLineEmpty) count = 0;
        else if (byte === LINE_FEED) isLineEmpty = true;
        else if (byte !== CARRIAGE_RETURN) isLineEmpty = false;
        if (count > most) break;
      }
      if (!isStream) count += chunk.length;
      if (count > most) throw new RangeError(`the server sent a message of more than ${most} bytes`);
      controller.enqueue(chunk);
    },
  });
}
