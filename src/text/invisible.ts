// What people do not see in a text. One list for all: what is reported in SKILL.md, what is escaped in a message, and what is taken out
// of a description before a model reads it.

/**
 * Characters that show nothing by themselves: zero-width characters, bidirectional controls, tag characters and annotation controls.
 * Variation selectors choose how the character before them looks, and are not among them.
 */
export const INVISIBLE = /(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/u;

/** What else moves or breaks the text around it: controls, lone surrogates, line separators, spaces that only look like the plain one. */
const DISRUPTIVE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}]|(?![ \u3000])\p{Zs}/u;

/** What must not be shown as it is; `g`. */
export const HIDDEN = new RegExp(`${INVISIBLE.source}|${DISRUPTIVE.source}`, 'gu');

/** Scripts whose ordinary spelling needs the zero-width joiner or non-joiner after a letter. */
const JOINING = 'Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Mong Tibt'
  .split(' ')
  .map((script) => `\\p{sc=${script}}`)
  .join('');

/**
 * Invisible characters at work, each pattern as a whole: in the flags of England, Scotland and Wales, which are spelled with tag
 * characters; in an emoji; inside a word of a script that is written with joiners.
 */
export const WORKING = new RegExp(
  [
    '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
    `(?<=[${JOINING}\\p{M}])[\\u200c\\u200d](?![^\\p{L}\\p{M}])`,
  ].join('|'),
  'gu',
);

// What Unicode calls a bidirectional control, the marks of a direction among them.
const HIDING = /^[\p{Bidi_Control}\u{e0000}-\u{e007f}]$/u;

/** Whether a character hides or reorders text: a tag character or a bidirectional control. */
export function isHiding(char: string): boolean {
  return HIDING.test(char);
}

/** The text with a blank in the place of each unit of an invisible character that is at work: offsets stay the same. */
export function blankWorking(text: string): string {
  return text.replace(WORKING, (found) => ' '.repeat(found.length));
}
