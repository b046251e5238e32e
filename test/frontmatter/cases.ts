import type { JsonObject } from '../../src/text/jsonvalue.ts';

/** What people report of other tools (the number is a label only), as a file, and what is said of it here. */
export interface Case {
  readonly number: number;
  readonly title: string;
  readonly file: string;
  readonly frontmatter?: JsonObject;
  /** `line:column+length severity code: message = hint` */
  readonly problems: readonly string[];
}

export const CASES: readonly Case[] = [
  {
    number: 1,
    title: 'a colon in unquoted text',
    file: '---\nname: tidy-imports\ndescription: Sort imports in two passes: local first, then packages.\n---\n# Tidy\n',
    problems: [
      '3:14+55 error yaml-syntax: the unquoted text "Sort imports in two passes: local first, then packages." contains ": ", which starts a new key in YAML = quote it: description: "Sort imports in two passes: local first, then packages."',
    ],
  },
  {
    number: 2,
    title: 'a digest says nothing about the YAML',
    file: '---\nname: demo\ndescription: Use when building flows: clips, captions\n---\n',
    problems: [
      '3:14+40 error yaml-syntax: the unquoted text "Use when building flows: clips, captions" contains ": ", which starts a new key in YAML = quote it: description: "Use when building flows: clips, captions"',
    ],
  },
  {
    number: 4,
    title: 'what lenient hosts repair is refused',
    file: '---\nname: two-readings\ndescription: Trigger words: a, b\nlicense: MIT # short\n---\n',
    problems: [
      '3:14+19 error yaml-syntax: the unquoted text "Trigger words: a, b" contains ": ", which starts a new key in YAML = quote it: description: "Trigger words: a, b"',
      '4:14+7 warning comment-swallowed: " #" begins a comment: the value ends before it, as "MIT" = quote it if it belongs to the value: license: "MIT # short"',
    ],
  },
  {
    number: 5,
    title: 'a comment swallows text',
    file: '---\nname: announce\ndescription: Post a note to the #deploys channel when main changes\n---\n',
    frontmatter: { name: 'announce', description: 'Post a note to the' },
    problems: [
      '3:33+34 warning comment-swallowed: " #" begins a comment: the value ends before it, as "Post a note to the" = quote it if it belongs to the value: description: "Post a note to the #deploys channel when main changes"',
    ],
  },
  {
    number: 7,
    title: 'a description that begins with bold text',
    file: '---\nname: bold\ndescription: **Purpose** reads files\n---\n',
    problems: [
      '3:14+23 error yaml-syntax: "**Purpose** reads files" begins with "*", which is an alias in YAML: a value must not start with * & ! % @ | > ] } , or ` unless quoted = quote it: description: "**Purpose** reads files"',
    ],
  },
  {
    number: 8,
    title: 'a folded description',
    file: '---\nname: folded\ndescription: >-\n  First line\n  second line.\n---\n',
    frontmatter: { name: 'folded', description: 'First line second line.' },
    problems: [],
  },
  {
    number: 10,
    title: 'values of other types',
    file: '---\nname: typed\ndescription: d\nversion: 1.10\nenabled: yes\nday: 2026-03-05\n---\n',
    problems: [
      '4:10+4 warning number-shape: 1.10 is published as 1.1 = quote it if its digits matter: version: "1.10"',
      '5:10+3 error yaml-ambiguous: "yes" is a boolean in YAML 1.1 and a string in YAML 1.2 = write enabled: true, or quote it: enabled: "yes"',
      '6:6+10 error yaml-ambiguous: "2026-03-05" is a date in YAML 1.1 and a string in YAML 1.2 = quote it: day: "2026-03-05"',
    ],
  },
  {
    number: 11,
    title: 'a date in metadata',
    file: '---\nname: dated\ndescription: d\nmetadata:\n  updated: 2026-03-05\n---\n',
    problems: [
      '5:12+10 error yaml-ambiguous: "2026-03-05" is a date in YAML 1.1 and a string in YAML 1.2 = quote it: updated: "2026-03-05"',
    ],
  },
  {
    number: 13,
    title: 'a skill named yes',
    file: '---\nname: yes\ndescription: d\nuser-invocable: off\n---\n',
    problems: [
      '2:7+3 error yaml-ambiguous: "yes" is a boolean in YAML 1.1 and a string in YAML 1.2 = quote it: name: "yes"',
      '4:17+3 error yaml-ambiguous: "off" is a boolean in YAML 1.1 and a string in YAML 1.2 = write user-invocable: false, or quote it: user-invocable: "off"',
    ],
  },
  {
    number: 14,
    title: 'a key twice',
    file: '---\nname: dup\ndescription: first\ndescription: second\n---\n',
    problems: [
      '4:1+11 error duplicate-key: the key "description" is a duplicate: it is on line 3 and on line 4 = remove one of the two',
    ],
  },
  {
    number: 14,
    title: 'a key twice, quoted once, below the top',
    file: '---\nname: dup\ndescription: d\nhooks:\n  a: b\n  "a": c\n---\n',
    problems: [
      '6:3+3 error duplicate-key: the key "a" is a duplicate: it is on line 5 and on line 6 = remove one of the two',
    ],
  },
  {
    number: 16,
    title: 'nested metadata',
    file: '---\nname: nested-meta\ndescription: d\nmetadata:\n  toolx:\n    tags: [a, b]\n---\n',
    frontmatter: { name: 'nested-meta', description: 'd', metadata: { toolx: { tags: ['a', 'b'] } } },
    problems: [
      '6:5+12 error metadata-invalid: metadata.toolx is a mapping, and metadata can contain only strings = flatten it into keys such as toolx-tags, or write it as a JSON string: toolx: \'{"tags":["a","b"]}\'',
    ],
  },
  {
    number: 17,
    title: 'a metadata value that is no text',
    file: '---\nname: bad\ndescription: d\nmetadata: {internal: true}\n---\n',
    frontmatter: { name: 'bad', description: 'd', metadata: { internal: true } },
    problems: [
      '4:22+4 error metadata-invalid: metadata.internal is a boolean, and metadata can contain only strings = quote it: internal: "true"',
    ],
  },
  {
    number: 19,
    title: 'brackets make a list',
    file: '---\nname: hint\ndescription: d\nargument-hint: [path]\n---\n',
    frontmatter: { name: 'hint', description: 'd', 'argument-hint': ['path'] },
    problems: [],
  },
  {
    number: 20,
    title: 'a colon inside brackets',
    file: '---\nname: flow\ndescription: d\nskill: [plugin:name]\n---\n',
    frontmatter: { name: 'flow', description: 'd', skill: ['plugin:name'] },
    problems: [],
  },
  {
    number: 22,
    title: 'an emoji as a pair of escapes',
    file: '---\nname: emoji\ndescription: "Ship it \\ud83d\\ude80"\n---\n',
    problems: [
      '3:23+12 error yaml-ambiguous: "\\ud83d\\ude80" is one character for some YAML parsers, two halves for others, and refused by the rest = write the character itself (\ud83d\ude80) or \\U0001F680',
    ],
  },
  {
    number: 23,
    title: 'placeholders of a template',
    file: '---\nname: {{SKILL_NAME}}\ndescription: [what it does]\n---\n',
    problems: [
      "2:7+14 error name-invalid: the name must be a string, not a mapping = write name: and the folder's name",
      '2:7+14 error non-string-key: "{{SKILL_NAME}}" is a mapping whose key is a mapping, not a string: a template placeholder was left unquoted = fill the placeholder in, or quote it: "{{SKILL_NAME}}"',
      '3:14+14 error description-missing: the description must be a string, not a list = quote it: description: "[what it does]"',
    ],
  },
  {
    number: 25,
    title: 'a hundred thousand blanks in a key',
    file: `---\nname: slow\nk${' '.repeat(100_000)}: v\ndescription: d\n---\n`,
    problems: [
      '1:1+3 error yaml-unportable: the frontmatter has 100031 bytes, more than the 65536 that are read = move long values into the text below the frontmatter',
    ],
  },
  {
    number: 25,
    title: 'fifty thousand blanks in a key',
    file: `---\nname: slow\nk${' '.repeat(50_000)}: v\ndescription: d\n---\n`,
    problems: [
      '3:1+1 error yaml-unportable: a key of more than 1024 characters is refused by many YAML parsers = write a shorter key',
    ],
  },
  {
    number: 26,
    title: 'a byte order mark',
    file: '\ufeff---\nname: bom\ndescription: d\n---\n',
    problems: ['1:1+1 error bom: the file starts with a byte order mark = save the file as UTF-8 without BOM'],
  },
  {
    number: 28,
    title: 'a blank after the opening fence',
    file: '--- \nname: blank\ndescription: d\n---\n',
    problems: [
      '1:1+4 error frontmatter-missing: the first line is "--- ", not "---": there are spaces around the dashes = write --- as the whole first line',
    ],
  },
  {
    number: 28,
    title: 'a blank after the closing fence',
    file: '---\nname: blank\ndescription: d\n--- \n',
    problems: [
      '4:1+4 error frontmatter-unclosed: the closing fence is "--- ", not "---": there are spaces after the dashes = write --- as the whole line',
    ],
  },
  {
    number: 29,
    title: 'a comment before the fence',
    file: '<!-- generated -->\n---\nname: late\ndescription: d\n---\n',
    problems: [
      '1:1+18 error frontmatter-missing: the frontmatter does not start on the first line, but after "<!-- generated -->" = move --- to the very start of the file',
    ],
  },
  {
    number: 29,
    title: 'an empty line before the fence',
    file: '\n---\nname: late\ndescription: d\n---\n',
    problems: [
      '1:1+1 error frontmatter-missing: the frontmatter does not start on the first line, but after an empty line = move --- to the very start of the file',
    ],
  },
  {
    number: 31,
    title: 'the closing fence glued to a heading',
    file: '---\nname: glued\ndescription: d\n---# Title\n',
    problems: [
      '4:1+10 error frontmatter-unclosed: the frontmatter is not closed: "---# Title" begins with "---", but a fence is exactly "---" = write --- on a line of its own, and the text on the next line',
    ],
  },
  {
    number: 32,
    title: 'the whole file in a code fence',
    file: '```markdown\n---\nname: wrapped\ndescription: d\n---\n```\n',
    problems: [
      '1:1+11 error frontmatter-missing: the frontmatter does not start on the first line, but after the code fence "```markdown" = move --- to the very start of the file',
    ],
  },
  {
    number: 32,
    title: 'no frontmatter at all',
    file: '# Title\n\nText\n',
    problems: [
      '1:1+7 error frontmatter-missing: the first line is "# Title", not "---" = start the file with a line ---, then name: and description:, then a line ---',
    ],
  },
  {
    number: 34,
    title: 'UTF-8 beyond Latin',
    file: '---\nname: clock\ndescription: Wait \u23f3 for it\n---\n',
    frontmatter: { name: 'clock', description: 'Wait \u23f3 for it' },
    problems: [],
  },
  {
    number: 35,
    title: 'tag characters',
    file: '---\nname: clean\ndescription: "Formats JSON\udb40\udc69\udb40\udc67"\n---\n',
    frontmatter: { name: 'clean', description: 'Formats JSON\udb40\udc69\udb40\udc67' },
    problems: ['3:27+2 error hidden-text: the tag character U+E0069 is invisible, 2 times = remove it'],
  },
  {
    number: 35,
    title: 'bidirectional controls and zero-width spaces',
    file: '---\nname: clean\ndescription: a\u200bb \u202ec\n---\nText\u202e\n',
    frontmatter: { name: 'clean', description: 'a\u200bb \u202ec' },
    problems: [
      '3:15+1 warning invisible-character: the zero-width space U+200B is invisible = remove it',
      '3:18+1 error hidden-text: the bidirectional control U+202E is invisible = remove it',
      '5:5+1 warning invisible-character: the bidirectional control U+202E is invisible = remove it',
    ],
  },
  {
    number: 35,
    title: 'emoji joined by a joiner',
    file: '---\nname: clean\ndescription: A \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 family\n---\n',
    frontmatter: { name: 'clean', description: 'A \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 family' },
    problems: [],
  },
  {
    number: 35,
    title: 'NUL and other controls',
    file: '---\nname: clean\ndescription: a\u0000b\u0007\n---\n',
    problems: [
      '3:15+1 error yaml-unportable: the control character U+0000 is refused by many YAML parsers = remove it',
      '3:17+1 error yaml-unportable: the control character U+0007 is refused by many YAML parsers = remove it',
    ],
  },
  {
    number: 37,
    title: '342 characters of three bytes',
    file: `---\nname: long\ndescription: ${'\u4e2d'.repeat(342)}\n---\n`,
    frontmatter: { name: 'long', description: '\u4e2d'.repeat(342) },
    problems: [],
  },
  {
    number: 37,
    title: '1,024 characters of two units',
    file: `---\nname: long\ndescription: ${'\u{1f600}'.repeat(1024)}\n---\n`,
    frontmatter: { name: 'long', description: '\u{1f600}'.repeat(1024) },
    problems: [],
  },
  {
    number: 37,
    title: '1,025 characters',
    file: `---\nname: long\ndescription: ${'\u{1f600}'.repeat(1025)}\n---\n`,
    frontmatter: { name: 'long', description: '\u{1f600}'.repeat(1025) },
    problems: [
      '3:14+2050 error description-length: the description has 1,025 characters, 1 more than the 1,024 allowed = shorten it: move what is needed only when the skill runs into the text below the frontmatter',
    ],
  },
  {
    number: 37,
    title: '1,025 characters in a block whose end parsers cut differently',
    file: `---\nname: long\ndescription: |\n  ${'a'.repeat(1025)}\n---\n`,
    problems: [
      '3:14+1 error description-length: the description has 1,025 characters, 1 more than the 1,024 allowed = shorten it: move what is needed only when the skill runs into the text below the frontmatter',
      '3:14+1 error yaml-ambiguous: this "|" block ends the frontmatter: whether its value ends with a line break depends on how a host extracts the frontmatter = write description: |-',
    ],
  },
  {
    number: 38,
    title: 'a description that is a comment',
    file: '---\nname: nul\ndescription: ## Role overview\n---\n',
    frontmatter: { name: 'nul', description: null },
    problems: [
      '3:1+11 error description-missing: the description is null (a # starts a comment) = quote it: description: "## Role overview"',
    ],
  },
  {
    number: 38,
    title: 'no description',
    file: '---\nname: nul\n---\n',
    frontmatter: { name: 'nul' },
    problems: [
      '1:1+3 error description-missing: the description is missing = write description: and a sentence that says what the skill does and when to use it',
    ],
  },
  {
    number: 38,
    title: 'an empty description',
    file: '---\nname: nul\ndescription: ""\n---\n',
    frontmatter: { name: 'nul', description: '' },
    problems: [
      '3:14+2 error description-missing: the description is empty = write description: and a sentence that says what the skill does and when to use it',
    ],
  },
  {
    number: 40,
    title: 'markup in the description',
    file: '---\nname: vt\ndescription: Guide to <ViewTransition>\n---\n',
    frontmatter: { name: 'vt', description: 'Guide to <ViewTransition>' },
    problems: [
      '3:14+25 warning markup-in-description: the description contains "<ViewTransition>", and some hosts refuse markup in descriptions = write it without angle brackets',
    ],
  },
  {
    number: 41,
    title: 'fields of other vendors',
    file: '---\nname: ext\ndescription: d\nuser-invocable: true\nversion: "1.0"\n---\n',
    frontmatter: { name: 'ext', description: 'd', 'user-invocable': true, version: '1.0' },
    problems: [],
  },
];
