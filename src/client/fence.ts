import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { escapeText } from '../text/escape.ts';

/** 64 bits: too many to guess. */
const NONCE_DIGITS = 16;

/**
 * Makes fences that content cannot close. Their names have a part that is made with a key of this session: it is the same for the same
 * content, so that a model's provider can cache a prompt, and no author can know it.
 */
export class Fencer {
  #key: Uint8Array | undefined;

  /**
   * Puts content between two tags.
   *
   * @param tag - the name of the tags, before the part that is made
   * @param subject - what the content is, such as its fingerprint and its URI
   * @param attributes - shown in the first tag; values are escaped
   */
  fence(tag: string, subject: string, attributes: Readonly<Record<string, string>>, content: string): string {
    const name = `${tag}-${this.#createNonce(subject, content)}`;
    const shown = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`);
    return `<${name}${shown.join('')}>\n${content}${content.endsWith('\n') ? '' : '\n'}</${name}>`;
  }

  #createNonce(subject: string, content: string): string {
    const lower = content.toLowerCase();
    for (let attempt = 0; ; attempt++) {
      // made at the first use: some runtimes have no randomness before the first request
      this.#key ??= crypto.getRandomValues(new Uint8Array(32));
      const made = bytesToHex(hmac(sha256, this.#key, utf8ToBytes(`${attempt}\n${subject}`)));
      const nonce = made.slice(0, NONCE_DIGITS);
      if (!lower.includes(nonce)) return nonce;
    }
  }
}

/** A value between quotation marks, on one line, with nothing that ends it or begins a tag. */
function escapeAttribute(value: string): string {
  return escapeText(value)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
