/** What a terminal would not show, or would act on, but for line breaks and tabs. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text of a model or a server, safe for a terminal. @param {string} text */
export function toVisible(text) {
  return text.replace(HIDDEN, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
