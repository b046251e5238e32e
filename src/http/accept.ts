import Negotiator from 'negotiator';

/** What the published types leave out: encodings that are as good for the client come in the order of `preferred`. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
}

const ENCODINGS = ['br', 'gzip', 'x-gzip'];

/** Whether a client takes responses of this media type (RFC 9110 section 12.5.1); without the header it takes any. */
export function accepts(header: string | undefined, type: string): boolean {
  return new Negotiator({ headers: { accept: header } }).mediaType([type]) !== undefined;
}

/** Picks `br` or `gzip` by the client's `Accept-Encoding` (RFC 9110 section 12.5.3), `br` first when both are as good. */
export function chooseEncoding(header: string | undefined): 'br' | 'gzip' | undefined {
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const encoding = negotiator.encoding(ENCODINGS, { preferred: ENCODINGS });
  return encoding === 'br' || encoding === undefined ? encoding : 'gzip';
}
