/**
 * The weights of an `Accept` or `Accept-Encoding` header (RFC 9110 sections 12.5.1 and 12.5.3) by name, in lower case. Parameters
 * of a media type are left out.
 */
function readWeights(header: string | string[] | undefined): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (name !== '') weights.set(name, Number(quality) || 0);
  }
  return weights;
}

/** Whether a client takes answers of this media type; without the header it takes any. */
export function accepts(header: string | undefined, type: string): boolean {
  if (header === undefined) return true;
  const weights = readWeights(header);
  return (weights.get(type) ?? weights.get(type.replace(/\/.*/, '/*')) ?? weights.get('*/*') ?? 0) > 0;
}

/** Picks `br` or `gzip` by the client's `Accept-Encoding`, `br` first when both are as good. */
export function chooseEncoding(header: string | string[] | undefined): 'br' | 'gzip' | undefined {
  const weights = readWeights(header);
  const any = weights.get('*') ?? 0;
  const br = weights.get('br') ?? any;
  const zip = weights.get('gzip') ?? weights.get('x-gzip') ?? any;
  if (br === 0 && zip === 0) return undefined;
  return br >= zip ? 'br' : 'gzip';
}
