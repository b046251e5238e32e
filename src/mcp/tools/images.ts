const SIGNATURES: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
};

/**
 * Whether a model can be shown a file as an image: a type that models read, and bytes that begin as it does. Anything else that is
 * sent as an image ends a conversation with an error at many hosts.
 */
export function isShownImage(mimeType: string, bytes: Uint8Array): boolean {
  const signature = SIGNATURES[mimeType];
  return signature?.test(String.fromCharCode(...bytes.subarray(0, 16))) === true;
}
