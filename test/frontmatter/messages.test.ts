import { describe, expect, test } from 'vitest';
import { readFrontmatter } from '../../src/frontmatter.ts';
import { showProblem } from './show.ts';

/** The lines after a good name and description: the first of them is line 4. */
function wrap(yaml: string): string {
  return `---\nname: x\ndescription: d\n${yaml}\n---\n`;
}

const MESSAGES: readonly (readonly [title: string, file: string, problems: readonly string[]])[] = [
  [
    'yes',
    wrap('k: yes'),
    [
      '4:4+3 error yaml-ambiguous: "yes" is a boolean in YAML 1.1 and a string in YAML 1.2 = write k: true, or quote it: k: "yes"',
    ],
  ],
  [
    'True',
    wrap('k: True'),
    [
      '4:4+4 error yaml-ambiguous: "True" is a boolean for some YAML parsers and a string for others = write k: true, or quote it: k: "True"',
    ],
  ],
  [
    'tilde',
    wrap('k: ~'),
    [
      '4:4+1 error yaml-ambiguous: "~" is null for some YAML parsers and a string for others = write k: null, or quote it: k: "~"',
    ],
  ],
  [
    'date',
    wrap('k: 2026-10-12'),
    [
      '4:4+10 error yaml-ambiguous: "2026-10-12" is a date in YAML 1.1 and a string in YAML 1.2 = quote it: k: "2026-10-12"',
    ],
  ],
  [
    'date and time',
    wrap('k: 2026-10-12 01:02:03'),
    [
      '4:4+19 error yaml-ambiguous: "2026-10-12 01:02:03" is a date and time in YAML 1.1 and a string in YAML 1.2 = quote it: k: "2026-10-12 01:02:03"',
    ],
  ],
  [
    'base 60',
    wrap('k: 12:30:45'),
    [
      '4:4+8 error yaml-ambiguous: "12:30:45" is the number 45045 in YAML 1.1 and a string in YAML 1.2 = quote it: k: "12:30:45"',
    ],
  ],
  [
    'octal',
    wrap('k: 0755'),
    ['4:4+4 error yaml-ambiguous: "0755" is the number 493 in YAML 1.1 and 755 in YAML 1.2 = quote it: k: "0755"'],
  ],
  [
    'leading zero',
    wrap('k: 08'),
    ['4:4+2 error yaml-ambiguous: "08" is a string in YAML 1.1 and the number 8 in YAML 1.2 = quote it: k: "08"'],
  ],
  [
    'YAML 1.2 octal',
    wrap('k: 0o17'),
    [
      '4:4+4 error yaml-ambiguous: "0o17" is a string in YAML 1.1 and an octal number in YAML 1.2 = quote it: k: "0o17"',
    ],
  ],
  [
    'hexadecimal',
    wrap('k: 0x1F'),
    [
      '4:4+4 error yaml-ambiguous: "0x1F" is a hexadecimal number for some YAML parsers and a string for others = quote it: k: "0x1F"',
    ],
  ],
  [
    'binary',
    wrap('k: 0b11'),
    [
      '4:4+4 error yaml-ambiguous: "0b11" is a binary number in YAML 1.1 and a string in YAML 1.2 = quote it: k: "0b11"',
    ],
  ],
  [
    'underscore',
    wrap('k: 1_000'),
    [
      '4:4+5 error yaml-ambiguous: "1_000" is a number for some YAML parsers and a string for others = quote it: k: "1_000"',
    ],
  ],
  [
    'comma',
    wrap('k: 1,000'),
    [
      '4:4+5 error yaml-ambiguous: "1,000" is a number for some YAML parsers and a string for others = quote it: k: "1,000"',
    ],
  ],
  [
    'plus',
    wrap('k: +7'),
    ['4:4+2 error yaml-ambiguous: "+7" is a number that some YAML parsers read as a string = quote it: k: "+7"'],
  ],
  [
    'exponent',
    wrap('k: 1e3'),
    ['4:4+3 error yaml-ambiguous: "1e3" is a string in YAML 1.1 and a number in YAML 1.2 = quote it: k: "1e3"'],
  ],
  [
    'no leading digit',
    wrap('k: .5'),
    ['4:4+2 error yaml-ambiguous: ".5" is a number for some YAML parsers and a string for others = quote it: k: ".5"'],
  ],
  [
    'negative zero',
    wrap('k: -0'),
    ['4:4+2 error yaml-ambiguous: "-0" is zero for some YAML parsers and negative zero for others = quote it: k: "-0"'],
  ],
  [
    'symbol',
    wrap('k: :a'),
    [
      '4:4+2 error yaml-ambiguous: ":a" begins with a colon, which is a symbol in Ruby and a string elsewhere = quote it: k: ":a"',
    ],
  ],
  [
    'default value',
    wrap('k: ='),
    ['4:4+1 error yaml-ambiguous: "=" is a default value in YAML 1.1 and a string in YAML 1.2 = quote it: k: "="'],
  ],
  [
    'merge',
    wrap('k: <<'),
    ['4:4+2 error yaml-ambiguous: "<<" merges mappings in YAML 1.1 and is a string in YAML 1.2 = quote it: k: "<<"'],
  ],
  [
    'infinity word',
    wrap('k: inf'),
    [
      '4:4+3 error yaml-ambiguous: "inf" is a number for some YAML parsers and a string for others = quote it: k: "inf"',
    ],
  ],
  [
    'underscores that Go drops',
    wrap('k: 1._5'),
    [
      '4:4+4 error yaml-ambiguous: "1._5" is a number for some YAML parsers and a string for others = quote it: k: "1._5"',
    ],
  ],
  [
    'infinite',
    wrap('k: .inf'),
    ['4:4+4 error number-range: ".inf" is not a number that JSON can contain = quote it: k: ".inf"'],
  ],
  [
    'not a number',
    wrap('k: .nan'),
    ['4:4+4 error number-range: ".nan" is not a number that JSON can contain = quote it: k: ".nan"'],
  ],
  [
    'past 2^53',
    wrap('k: 9007199254740993'),
    [
      '4:4+16 error number-range: "9007199254740993" is a number that some parsers do not keep exactly = quote it: k: "9007199254740993"',
    ],
  ],
  [
    '16 digits',
    wrap('k: 0.1234567890123456'),
    [
      '4:4+18 error number-range: "0.1234567890123456" has more digits than some parsers keep = quote it: k: "0.1234567890123456"',
    ],
  ],
  [
    'in a list',
    wrap('k:\n  - yes\n  - a'),
    [
      '5:5+3 error yaml-ambiguous: "yes" is a boolean in YAML 1.1 and a string in YAML 1.2 = write - true, or quote it: - "yes"',
    ],
  ],
  [
    'in brackets',
    wrap('k: [a, off]'),
    [
      '4:8+3 error yaml-ambiguous: "off" is a boolean in YAML 1.1 and a string in YAML 1.2 = write false, or quote it: "off"',
    ],
  ],
  [
    'a key that is a word',
    wrap('on: 1'),
    ['4:1+2 error yaml-ambiguous: the key "on" is a boolean in YAML 1.1 and a string in YAML 1.2 = quote it: "on":'],
  ],
  [
    'a key that is a number',
    wrap('1: a'),
    ['4:1+1 error non-string-key: the key "1" is a number, not a string = quote it: "1":'],
  ],
  [
    'a key that is null',
    wrap('null: a'),
    ['4:1+4 error non-string-key: the key "null" is null, not a string = quote it: "null":'],
  ],
  [
    'a key that is missing',
    wrap(': a'),
    ['4:1+1 error non-string-key: a key is missing before the colon = write key: value'],
  ],
  [
    'a key that is a list',
    wrap('[a]: b'),
    ['4:1+3 error non-string-key: a list is used where a key is needed = write key: value'],
  ],
  [
    'a key that is a block',
    wrap('? |\n  a\n: b'),
    [
      '4:1+1 error yaml-unportable: a key that begins with "? " is refused by some YAML parsers = write key: value',
      '4:3+1 error non-string-key: a "|" or ">" block is used where a key is needed = write key: value',
    ],
  ],
  [
    'a tab inside',
    wrap('k: a\tb'),
    [
      '4:4+3 error yaml-ambiguous: a tab in unquoted text is kept, dropped or refused, depending on the YAML parser = quote it: k: "a\\tb"',
    ],
  ],
  [
    'a tab inside double quotes',
    wrap('k: "a\tb"\nz: w'),
    [
      '4:6+1 error yaml-unportable: a tab inside double quotes hides what follows from some YAML parsers = write \\t, or use spaces',
    ],
  ],
  [
    'a key that ends with "<<"',
    wrap('a <<: v'),
    [
      '4:1+4 error yaml-unportable: the key "a <<" ends with "<<", which merges mappings for some YAML parsers = quote it: "a <<":',
    ],
  ],
  [
    'keys that count up from 0',
    wrap("k: {'0': a, '1': b}"),
    [
      '4:5+3 error yaml-ambiguous: a mapping whose keys count up from "0" is a list for some YAML parsers = write a list, or rename the keys',
    ],
  ],
  [
    'a colon in a list inside braces',
    wrap('k: {a: [b:c]}'),
    [
      '4:9+3 error yaml-ambiguous: a colon in unquoted text of a list inside braces splits it for some YAML parsers = quote it: "b:c"',
    ],
  ],
  [
    'text of lines that begin with "#", last',
    wrap('k: |-\n  # a'),
    [
      '4:4+2 error yaml-ambiguous: a block that ends the frontmatter and starts every line with "#" is a comment for some YAML parsers = write k: "# a"',
    ],
  ],
  [
    'several lines that begin with "#", last',
    wrap('k: |-\n  # a\n  # b'),
    [
      '4:4+2 error yaml-ambiguous: a block that ends the frontmatter and starts every line with "#" is a comment for some YAML parsers = begin it with another character, or move the field up',
    ],
  ],
  [
    'a tab beside',
    wrap('k:\ta'),
    ['4:3+1 error yaml-unportable: a tab beside a value is refused by some YAML parsers = use spaces'],
  ],
  [
    'a blank at the edge',
    wrap('k: a\u00a0'),
    [
      '4:4+2 error yaml-ambiguous: a space character other than U+0020 at the start or end of unquoted text is dropped by some YAML parsers = quote it: k: "a\u00a0"',
    ],
  ],
  [
    'question mark in brackets',
    wrap('k: [a?b]'),
    [
      '4:5+3 error yaml-unportable: a "?" in unquoted text inside brackets is refused by some YAML parsers = quote it: "a?b"',
    ],
  ],
  [
    'two spaces in brackets',
    wrap('k: [a  b]'),
    [
      '4:5+4 error yaml-ambiguous: two spaces in unquoted text inside brackets are one for some YAML parsers = quote it: "a  b"',
    ],
  ],
  [
    'a colon before a quote',
    wrap('k: [a:"b"]'),
    [
      '4:5+5 error yaml-ambiguous: a colon before a quote in unquoted text inside brackets splits it for some YAML parsers = quote it: \'a:"b"\'',
    ],
  ],
  [
    'a backslash in brackets',
    wrap('k: [a\\b]'),
    [
      "4:5+3 error yaml-ambiguous: a backslash in unquoted text inside brackets is read differently by YAML parsers = quote it: 'a\\b'",
    ],
  ],
  [
    'a key with blanks in braces',
    wrap('k: {a b: c}'),
    [
      '4:5+3 error yaml-ambiguous: an unquoted key inside braces that contains spaces, colons or quotes is cut by some YAML parsers = quote it: "a b":',
    ],
  ],
  [
    'no value in braces',
    wrap('k: {a}'),
    [
      '4:5+1 error yaml-ambiguous: the key "a" inside braces has no value, which YAML parsers read differently = write a: null, or put the whole text in quotes: "{a}"',
    ],
  ],
  [
    'no blank after a colon in braces',
    wrap('k: {a:b}\nl: {a:yes}'),
    [
      '4:5+3 error yaml-ambiguous: the key "a:b" inside braces has no value, which YAML parsers read differently = write a: b',
      '5:5+5 error yaml-ambiguous: the key "a:yes" inside braces has no value, which YAML parsers read differently = write a: "yes"',
    ],
  ],
  [
    'a comma in braces',
    wrap('k: {a: 1,000}\nl: {a: x, yes}'),
    [
      '4:10+3 error yaml-ambiguous: the key "000" inside braces has no value, which YAML parsers read differently = write a: "1,000" if the comma belongs to the text, or "000": null',
      '5:11+3 error yaml-ambiguous: the key "yes" inside braces has no value, which YAML parsers read differently = write a: "x, yes" if the comma belongs to the text, or "yes": null',
    ],
  ],
  [
    'a date for a key in braces',
    wrap('k: {2026-10-12, draft: v}'),
    [
      '4:5+10 error yaml-ambiguous: the key "2026-10-12" inside braces has no value, which YAML parsers read differently = write "2026-10-12": null, or put the whole text in quotes',
    ],
  ],
  [
    'keys that count up from 0',
    wrap('k:\n  0: v\n  "1": w\n1: b'),
    [
      '5:3+1 error yaml-ambiguous: a mapping whose keys count up from "0" is a list for some YAML parsers = write a list, or rename the keys',
      '7:1+1 error non-string-key: the key "1" is a number, not a string = quote it: "1":',
    ],
  ],
  [
    'a key that is another in quotes',
    wrap('true: 1\n"true": 2'),
    [
      '4:1+4 error non-string-key: the key "true" is a boolean, not a string = quote it: "true":',
      '5:1+6 error duplicate-key: the key "true" is a duplicate: it is on line 4 and on line 5 = remove one of the two',
    ],
  ],
  [
    'a dash below a list',
    wrap('k:\n- 0\n-a: x'),
    [
      '6:1+2 error yaml-unportable: the key "-a" begins with "-" below a list that is not indented deeper, which some YAML parsers refuse = quote it: "-a":',
    ],
  ],
  [
    'last block that holds a number',
    wrap('k: |\n  1'),
    [
      '4:4+1 error yaml-ambiguous: this "|" block ends the frontmatter: whether its value ends with a line break depends on how a host extracts the frontmatter = write k: "1"',
    ],
  ],
  [
    'no space in braces',
    wrap('k: {a:b: c}'),
    [
      '4:5+3 error yaml-ambiguous: an unquoted key inside braces that contains spaces, colons or quotes is cut by some YAML parsers = quote it: "a:b":',
    ],
  ],
  [
    'a pair in brackets',
    wrap('k: [a: b]'),
    [
      '4:5+4 error yaml-unportable: a "key: value" pair inside brackets is refused by some YAML parsers = quote it: "a: b", or write {a: b}',
    ],
  ],
  [
    'a list over lines',
    wrap('k: [a,\n  b]'),
    [
      '4:4+3 error yaml-unportable: a list in brackets over several lines is refused by some YAML parsers = write it on one line, or each item on a line of its own after - ',
    ],
  ],
  [
    'a mapping over lines',
    wrap('k: {a: b,\n  c: d}'),
    [
      '4:4+6 error yaml-unportable: a mapping in braces over several lines is refused by some YAML parsers = write it on one line, or each key on a line of its own',
    ],
  ],
  [
    'a dash first on a line',
    wrap('k: a\n  - b\n  c'),
    [
      '4:4+1 error yaml-ambiguous: a line of unquoted text that begins with "-", "?" or ":" is read differently by YAML parsers = write k: >- and the text indented below it',
    ],
  ],
  [
    'an empty line',
    wrap('k: a\n\n  b'),
    [
      '4:4+1 error yaml-ambiguous: empty lines in unquoted text are read differently by YAML parsers = write k: >- and the text indented below it',
    ],
  ],
  [
    'a backslash at the edge',
    wrap('k: a\\\n  b'),
    [
      '4:4+2 error yaml-ambiguous: a backslash at the edge of a line of unquoted text is dropped by some YAML parsers = write k: >- and the text indented below it',
    ],
  ],
  [
    'a marker below the key',
    wrap('k:\n  ---x'),
    [
      '5:3+3 warning fence-in-value: "---" inside the frontmatter ends it for hosts that only look for three dashes = write one or two dashes instead',
      '5:3+4 error yaml-ambiguous: unquoted text that begins like a document marker is read as one by some YAML parsers = quote it: k: "---x"',
    ],
  ],
  [
    'question mark in a list',
    wrap('k:\n  - ?a'),
    [
      '5:5+2 error yaml-unportable: unquoted text that begins with "?" is a key for some YAML parsers = quote it: - "?a"',
    ],
  ],
  [
    'a dash and a wide blank',
    wrap('k: -\u00a0a'),
    [
      '4:4+3 error yaml-ambiguous: text that begins with "-" and a space is an indicator for some YAML parsers = quote it: k: "-\u00a0a"',
    ],
  ],
  [
    'a dash key below nothing',
    wrap('k:\n-a: b'),
    [
      '5:1+2 error yaml-ambiguous: the key "-a" begins with "-" below a key without a value, and is a list item for some YAML parsers = quote it: "-a":',
    ],
  ],
  [
    'quotes over lines',
    wrap('k: "a\n  b"'),
    [
      '4:4+2 error yaml-unportable: quoted text over several lines is refused by some YAML parsers, and others keep different spaces in it = write k: >- and the text indented below it',
    ],
  ],
  [
    'a blank after a quoted key',
    wrap('"k" : a'),
    [
      '4:1+3 error yaml-unportable: spaces between a quoted key and its colon are refused by some YAML parsers = write "k":',
    ],
  ],
  [
    'a tab in a quoted key',
    wrap('"k\tx": a'),
    ['4:1+5 error yaml-ambiguous: a key with a tab in it is read differently by YAML parsers = use spaces'],
  ],
  [
    'a half',
    wrap('k: "\\ud800"'),
    [
      '4:5+6 error non-json-value: "\\ud800" is half a character (a lone surrogate), which JSON cannot contain = write the character itself',
    ],
  ],
  [
    'escaped slash',
    wrap('k: "a\\/b"'),
    ['4:6+2 error yaml-unportable: the escape "\\/" is refused by some YAML parsers = write / without the backslash'],
  ],
  [
    'escaped tab',
    wrap('k: "a\\\tb"'),
    ['4:6+2 error yaml-unportable: a backslash before a tab is refused by some YAML parsers = write \\t'],
  ],
  [
    'escaped control that a terminal acts on',
    wrap('k: "a\\x9bb\\n"'),
    [
      '4:4+10 warning invisible-character: the escaped character U+009B is a control character, which terminals act on = remove it',
    ],
  ],
  [
    'escaped control that hides',
    wrap('k: "a\\u202eb"'),
    ['4:4+10 error hidden-text: the escaped character U+202E hides or reorders text = remove it'],
  ],
  [
    'an empty block',
    wrap('k: |\nz: a'),
    [
      '4:4+1 error yaml-ambiguous: an empty "|" block is null for some YAML parsers and a string for others = write k: ""',
    ],
  ],
  [
    'a tab in a block',
    wrap('k: |-\n  a\tb'),
    ['4:4+2 error yaml-ambiguous: a tab in a "|" or ">" block is read differently by YAML parsers = use spaces'],
  ],
  [
    'blanks on an empty line',
    wrap('k: |-\n  a\n     \n  b'),
    [
      '6:1+5 error yaml-ambiguous: spaces on an empty line of a "|" or ">" block are read differently by YAML parsers = remove the spaces',
    ],
  ],
  [
    'blanks at the end of a block',
    wrap('k: |-\n  a \nz: b'),
    [
      '5:4+1 error yaml-ambiguous: spaces at the end of the last line of a "|" or ">" block are kept only by some YAML parsers = remove the spaces',
    ],
  ],
  [
    'indentation number',
    wrap('k: |2\n   a\nz: b'),
    [
      '4:4+2 error yaml-unportable: an indentation number after "|" or ">" is refused by some YAML parsers = write k: |- and begin the text with a word',
    ],
  ],
  [
    'deeper lines and empty lines',
    wrap('k: >-\n  a\n\n    b\n  c'),
    [
      '4:4+2 error yaml-ambiguous: lines indented deeper in a ">" block that has empty lines are folded differently by YAML parsers = write k: |-',
    ],
  ],
  [
    'a block that looks like a number',
    wrap('k: |-\n  12'),
    [
      '4:4+2 error yaml-ambiguous: a "|-" block that looks like a number, a boolean, a date or null is read as one by some YAML parsers = write k: "12"',
    ],
  ],
  [
    'a wide blank in a block',
    wrap('k: |-\n  a\u00a0'),
    [
      '4:4+2 error yaml-ambiguous: a space character other than U+0020 at the start or end of a line is dropped by some YAML parsers = remove it, or use U+0020',
    ],
  ],
  [
    'last block',
    wrap('k: |\n  a'),
    [
      '4:4+1 error yaml-ambiguous: this "|" block ends the frontmatter: whether its value ends with a line break depends on how a host extracts the frontmatter = write k: |-',
    ],
  ],
  [
    'last block, folded',
    wrap('k: >\n  a'),
    [
      '4:4+1 error yaml-ambiguous: this ">" block ends the frontmatter: whether its value ends with a line break depends on how a host extracts the frontmatter = write k: >-',
    ],
  ],
  [
    'last block, kept',
    wrap('k: |+\n  a'),
    [
      '4:4+2 error yaml-ambiguous: this "|+" block ends the frontmatter: whether its value ends with a line break depends on how a host extracts the frontmatter = write k: |-',
    ],
  ],
  [
    'a block at the end of an item',
    wrap('k:\n  - a: |\n      b\n  - c'),
    [
      '5:8+1 error yaml-ambiguous: this "|" block ends a list or mapping inside another: some YAML parsers drop its last line break = write a: |-',
    ],
  ],
  [
    'an empty item',
    wrap('k:\n  - # c\n  - a'),
    ['5:3+1 error yaml-ambiguous: an empty list item is read differently by YAML parsers = write - null or - ""'],
  ],
  [
    'an item below a comment',
    wrap('k:\n  - # c\n    a'),
    [
      '5:3+1 error yaml-ambiguous: a list item that begins below an empty line or a comment after its dash is read differently by YAML parsers = begin it on the line of the dash',
    ],
  ],
  [
    'an anchor',
    wrap('k: &a b'),
    [
      '4:4+2 error yaml-unportable: "&a" is an anchor, which some YAML parsers refuse = write the value itself at each place, or quote it if it is text: "&a b"',
    ],
  ],
  [
    'an alias',
    wrap('k: &a b\nl: [*a, c]'),
    [
      '4:4+2 error yaml-unportable: "&a" is an anchor, which some YAML parsers refuse = write the value itself at each place, or quote it if it is text: "&a b"',
      '5:5+2 error yaml-unportable: "*a" is an alias, which some YAML parsers refuse = write the value itself at each place, or quote it if it is text: "*a"',
    ],
  ],
  [
    'a tag',
    wrap('k: !!str b'),
    [
      '4:4+5 error yaml-unportable: "!!str" is a tag, which YAML parsers refuse or read differently = remove it, or quote it if it is text: "!!str b"',
    ],
  ],
  [
    'an explicit key',
    wrap('? a\n: b'),
    [
      '4:1+1 error yaml-unportable: a key that begins with "? " is refused by some YAML parsers = write key: value',
      '4:3+1 error yaml-unportable: a key whose colon is on another line is refused by most YAML parsers = write a: on one line',
    ],
  ],
  [
    'a document end',
    wrap('k: a\n...'),
    [
      '5:1+3 error yaml-unportable: "..." is a YAML document marker, which is not allowed inside the frontmatter = remove the line',
    ],
  ],
  [
    'a colon on another line',
    wrap('k\n  : a'),
    [
      '4:1+1 error yaml-unportable: a key whose colon is on another line is refused by most YAML parsers = write k: on one line',
    ],
  ],
  [
    'a comment below a nested block',
    wrap('m:\n  k: |-\n    a\n   # c\nz: b'),
    [
      '7:4+3 error yaml-ambiguous: a comment that is indented differently from the next line is part of the text for some YAML parsers = begin the comment in the first column, or remove it',
    ],
  ],
  [
    'proto',
    wrap('__proto__: a'),
    ['4:1+9 error yaml-unportable: the key "__proto__" is refused by some YAML parsers = rename it'],
  ],
  [
    'merge key',
    wrap('"<<": a\nk:\n  <<: {team: core}'),
    [
      '4:1+4 error yaml-ambiguous: the key "<<" merges mappings in YAML 1.1 and is a string in YAML 1.2 = write the fields that it would merge in its place, or rename it',
      '6:3+2 error yaml-ambiguous: the key "<<" merges mappings in YAML 1.1 and is a string in YAML 1.2 = write the fields that it would merge in its place, or rename it',
    ],
  ],
  [
    'a long key',
    wrap(`k${'y'.repeat(1030)}: a`),
    [
      '4:1+1031 error yaml-unportable: a key of more than 1024 characters is refused by many YAML parsers = write a shorter key',
    ],
  ],
  [
    'a long key of other letters',
    wrap(`${'\u00e9'.repeat(600)}: a`),
    [
      '4:1+600 error yaml-unportable: a key of more than 1024 bytes is refused by many YAML parsers = write a shorter key',
    ],
  ],
  ['tab indentation', wrap('k:\n\ta: b'), ['5:1+1 error yaml-syntax: a tab cannot indent a line = indent with spaces']],
  [
    'no colon',
    wrap('just text'),
    [
      '4:1+9 error yaml-syntax: something is missing, such as a colon or a closing quote or bracket = write each field as key: value',
    ],
  ],
  [
    'unclosed quote',
    wrap('k: "abc'),
    ['4:4+4 error yaml-syntax: ""abc" begins with a quote that is never closed = close the quote: k: "abc"'],
  ],
  [
    'unclosed quote with a backslash',
    wrap('k: "a\\b'),
    ['4:4+4 error yaml-syntax: ""a\\b" begins with a quote that is never closed = close the quote: k: \'a\\b\''],
  ],
  [
    'list item on the line of its key',
    wrap('k: - a'),
    [
      '4:4+3 error yaml-syntax: "- a" begins with "-", which starts a list item in YAML = quote it: k: "- a", or begin the list on the line below',
    ],
  ],
  [
    'lone dash in a list',
    wrap('k:\n  - a: -'),
    [
      '5:8+1 error yaml-syntax: "-" begins with "-", which starts a list item in YAML = quote it: a: "-", or begin the list on the line below',
    ],
  ],
  [
    'question mark',
    wrap('k: ? a'),
    ['4:4+3 error yaml-syntax: "? a" begins with "?", which starts a key in YAML = quote it: k: "? a"'],
  ],
  ...[']', '}', ','].map(
    (mark) =>
      [
        `begins with ${mark}`,
        wrap(`k: ${mark}`),
        [
          `4:4+1 error yaml-syntax: "${mark}" begins with "${mark}", which is ${mark === ']' ? 'the end of a list' : mark === '}' ? 'the end of a mapping' : 'a separator'} in YAML: a value must not start with * & ! % @ | > ] } , or \` unless quoted = quote it: k: "${mark}"`,
        ],
      ] as const,
  ),
  [
    'bracket on a line of its own',
    wrap(']'),
    [
      '4:1+1 error yaml-syntax: "]" is not allowed here = write each field as key: value on a line of its own, and put text with other punctuation in quotes',
    ],
  ],
  [
    'text behind a placeholder',
    '---\nname: x\ndescription: {{x}}: y\n---\n',
    ['3:14+8 error yaml-syntax: "{{x}}: y" begins with "{" but is not a mapping = quote it: description: "{{x}}: y"'],
  ],
  [
    'no key before a colon',
    wrap('k:\n  : y'),
    [
      '5:3+1 error non-string-key: a key is missing before the colon = write key: value',
      '5:5+1 error yaml-ambiguous: "y" is a boolean in YAML 1.1 and a string in YAML 1.2 = write true, or quote it: "y"',
    ],
  ],
  [
    'after a quote',
    wrap('k: "a" b'),
    ['4:7+2 error yaml-syntax: ""a" b" continues after its closing quote = put the whole text in quotes: k: \'"a" b\''],
  ],
  [
    'after a bracket',
    wrap('k: [a] b'),
    ['4:4+5 error yaml-syntax: "[a] b" begins with "[" but is not a list = quote it: k: "[a] b"'],
  ],
  [
    'unclosed bracket before a field',
    wrap('k: [a\nl: yes'),
    [
      '4:4+2 error yaml-syntax: "[a" begins with "[" but is not a list = quote it: k: "[a"',
      '5:4+3 error yaml-ambiguous: "yes" is a boolean in YAML 1.1 and a string in YAML 1.2 = write l: true, or quote it: l: "yes"',
    ],
  ],
  [
    'a control character in a line that is no YAML',
    wrap('k: a: b\u0007c'),
    [
      '4:4+6 error yaml-syntax: the unquoted text "a: b\ufffdc" contains ": ", which starts a new key in YAML = first remove the control character',
      '4:8+1 error yaml-unportable: the control character U+0007 is refused by many YAML parsers = remove it',
    ],
  ],
  [
    'unclosed bracket',
    wrap('k: [a'),
    ['4:4+2 error yaml-syntax: "[a" begins with "[" but is not a list = quote it: k: "[a"'],
  ],
  [
    'at sign',
    wrap('k: @a'),
    [
      '4:4+2 error yaml-syntax: "@a" begins with "@", which is a reserved character in YAML: a value must not start with * & ! % @ | > ] } , or ` unless quoted = quote it: k: "@a"',
    ],
  ],
  [
    'unknown escape',
    wrap('k: "\\q"'),
    ['4:5+1 error yaml-syntax: an escape that YAML does not know = write the backslash twice, or use single quotes'],
  ],
  [
    'bad indentation',
    wrap('k:\n    a: 1\n  b: 2'),
    [
      '6:1+1 error yaml-syntax: the line is not indented like the lines around it = indent all fields of a mapping by the same number of spaces',
    ],
  ],
  [
    'name twice',
    wrap('k: a\nk: b'),
    ['5:1+1 error duplicate-key: the key "k" is a duplicate: it is on line 4 and on line 5 = remove one of the two'],
  ],
  [
    'typo',
    wrap('allowed_tools: Read'),
    [
      '4:1+13 warning field-typo: the field "allowed_tools" is not in the specification; "allowed-tools" is = write allowed-tools: if that is meant',
    ],
  ],
  [
    'typo',
    wrap('licence: MIT'),
    [
      '4:1+7 warning field-typo: the field "licence" is not in the specification; "license" is = write license: if that is meant',
    ],
  ],
  [
    'typo',
    wrap('Description: d'),
    ['4:1+11 warning field-typo: the field "Description" is not in the specification; "description" is = leave it out'],
  ],
  [
    'fence in a value',
    wrap('k: a --- b'),
    [
      '4:6+3 warning fence-in-value: "---" inside the frontmatter ends it for hosts that only look for three dashes = write one or two dashes instead',
    ],
  ],
  [
    'version 1.0',
    wrap('version: 1.0'),
    ['4:10+3 warning number-shape: 1.0 is published as 1 = quote it if its digits matter: version: "1.0"'],
  ],
  [
    'version 5.',
    wrap('version: [5.]'),
    ['4:11+2 warning number-shape: 5. is published as 5 = quote it if its digits matter: "5."'],
  ],
  [
    'comments behind nested values',
    wrap('k:\n  a: Post to the #deploys channel\nl:\n  - b # c\n  - "d" # e'),
    [
      '5:18+16 warning comment-swallowed: " #" begins a comment: the value ends before it, as "Post to the" = quote it if it belongs to the value: a: "Post to the #deploys channel"',
      '7:7+3 warning comment-swallowed: " #" begins a comment: the value ends before it, as "b" = quote it if it belongs to the value: - "b # c"',
    ],
  ],
  [
    'quotes inside of quotes',
    wrap('k: \'it\'s\' # c\nl: "say "hi""\nm: "a" or "b"'),
    [
      '4:8+2 error yaml-syntax: "\'it\'s\'" continues after its closing quote = put the whole text in quotes: k: "it\'s"; what follows " #" is a comment',
      '5:10+4 error yaml-syntax: ""say "hi""" continues after its closing quote = put the whole text in quotes: l: \'say "hi"\'',
      '6:7+7 error yaml-syntax: ""a" or "b"" continues after its closing quote = put the whole text in quotes: m: \'"a" or "b"\'',
    ],
  ],
  [
    'a comment behind what is to be quoted',
    wrap('license: MIT: x # short\nk: a: b #c'),
    [
      '4:10+6 error yaml-syntax: the unquoted text "MIT: x" contains ": ", which starts a new key in YAML = quote it: license: "MIT: x"; what follows " #" is a comment',
      '5:4+7 error yaml-syntax: the unquoted text "a: b #c" contains ": ", which starts a new key in YAML = quote it: k: "a: b #c"',
    ],
  ],
  [
    'prose with a colon in its second line',
    wrap('k: Sorts imports. Use it when the user asks\n  about tools: eslint or biome'),
    [
      '5:3+11 error yaml-syntax: the key "about tools" is indented below a field that has a value already = write k: >- and all of the text indented below it',
    ],
  ],
  [
    'several quoted texts',
    wrap('k: "sort imports", "tidy imports"'),
    [
      '4:18+16 error yaml-syntax: ""sort imports", "tidy imports"" continues after its closing quote = put the whole text in quotes: k: \'"sort imports", "tidy imports"\'',
    ],
  ],
  [
    'alias in a list over several lines',
    wrap('k: [\n  *a,\n  b]'),
    [
      '4:4+1 error yaml-unportable: a list in brackets over several lines is refused by some YAML parsers = write it on one line, or each item on a line of its own after - ',
      '5:3+2 error yaml-unportable: "*a" is an alias, which some YAML parsers refuse = write the value itself at each place, or quote it if it is text',
    ],
  ],
  [
    'text in front of a comment',
    wrap('k: foo: # bar'),
    [
      '4:4+4 error yaml-syntax: the unquoted text "foo:" contains ": ", which starts a new key in YAML = quote it: k: "foo:"; what follows " #" is a comment',
    ],
  ],
  [
    'fields indented below a value',
    wrap('  k: a\nm:\n  k: v\n    l: b\n    n: c'),
    [
      '4:3+1 error yaml-syntax: the key "k" is indented below a field that has a value already = begin it in the first column',
      '7:5+1 error yaml-syntax: the key "l" is indented below a field that has a value already = begin it in column 3',
      '8:5+1 error yaml-syntax: the key "n" is indented below a field that has a value already = begin it in column 3',
    ],
  ],
  [
    'numbers that a double holds as less',
    wrap(`k: 0.${'0'.repeat(400)}1\nl: -0.${'0'.repeat(70)}25`),
    [
      `4:4+403 error number-range: "0.${'0'.repeat(55)}..." has more digits than some parsers keep = put it in quotes`,
      `5:4+75 error number-range: "-0.${'0'.repeat(54)}..." has more digits than some parsers keep = quote it: l: "-0.${'0'.repeat(70)}25"`,
    ],
  ],
  [
    'exponents that every reader reads as a number',
    wrap('k: 1.5e+10\nl: 0.0e+1\nm: 1_2.5e+3'),
    [
      '4:4+7 error yaml-ambiguous: "1.5e+10" is a number that YAML parsers keep or print differently = quote it: k: "1.5e+10"',
      '5:4+6 error yaml-ambiguous: "0.0e+1" is a number that YAML parsers keep or print differently = quote it: l: "0.0e+1"',
      '6:4+8 error yaml-ambiguous: "1_2.5e+3" is a number for some YAML parsers and a string for others = quote it: m: "1_2.5e+3"',
    ],
  ],
  [
    'a date with a sign',
    wrap('k: -2026-01-01\nl: -2026-01-01 1:2:3'),
    [
      '4:4+11 error yaml-ambiguous: "-2026-01-01" is a date for some YAML parsers and a string for others = quote it: k: "-2026-01-01"',
      '5:4+17 error yaml-ambiguous: "-2026-01-01 1:2:3" is a date for some YAML parsers and a string for others = quote it: l: "-2026-01-01 1:2:3"',
    ],
  ],
  [
    'zeros',
    wrap('000: a\nk: 07'),
    [
      '4:1+3 error yaml-ambiguous: the key "000" is a number for some YAML parsers and a string for others = quote it: "000":',
      '5:4+2 error yaml-ambiguous: "07" is a number for some YAML parsers and a string for others = quote it: k: "07"',
    ],
  ],
  [
    'marks of a direction',
    wrap('k: a\u200e \u200f \u061cb'),
    [
      '4:5+1 error hidden-text: the bidirectional control U+200E is invisible = remove it',
      '4:7+1 error hidden-text: the bidirectional control U+200F is invisible = remove it',
      '4:9+1 error hidden-text: the bidirectional control U+061C is invisible = remove it',
    ],
  ],
  [
    'escapes that nobody sees',
    wrap('k: "a\\u200b\\u200e"\nl: "\u200b\\n"'),
    [
      '4:4+15 error hidden-text: the escaped character U+200E hides or reorders text = remove it',
      '4:4+15 warning invisible-character: the escaped character U+200B is invisible = remove it',
      '5:5+1 warning invisible-character: the zero-width space U+200B is invisible = remove it',
    ],
  ],
  ['one letter of four makes another word', wrap('game: x'), []],
  [
    'a slip in a short field',
    wrap('nmae: x'),
    ['4:1+4 warning field-typo: the field "nmae" is not in the specification; "name" is = leave it out'],
  ],
  [
    'license null',
    wrap('license:'),
    [
      '4:1+7 error license-invalid: the license is null, not a string = write license: and its name, such as license: MIT',
    ],
  ],
  [
    'license list',
    wrap('license: [MIT]'),
    [
      '4:10+5 error license-invalid: the license is a list, not a string = write license: and its name, such as license: MIT',
    ],
  ],
  [
    'compatibility number',
    wrap('compatibility: 3'),
    ['4:16+1 error compatibility-length: the compatibility is a number, not a string = quote it: compatibility: "3"'],
  ],
  [
    'license number',
    wrap('license: 2.0'),
    ['4:10+3 error license-invalid: the license is a number, not a string = quote it: license: "2.0"'],
  ],
  [
    'name null',
    '---\nname: null\ndescription: d\n---\n',
    ["2:7+4 error name-missing: the name is null, not a string = write name: and the folder's name"],
  ],
  [
    'compatibility empty',
    wrap('compatibility: ""'),
    [
      '4:16+2 error compatibility-length: the compatibility is empty, not a string = write compatibility: and a string of 1 to 500 characters',
    ],
  ],
  [
    'compatibility long',
    wrap(`compatibility: ${'c'.repeat(501)}`),
    [
      '4:16+501 error compatibility-length: the compatibility has 501 characters, 1 more than the 500 allowed = write compatibility: and a string of 1 to 500 characters',
    ],
  ],
  [
    'tools list',
    wrap('allowed-tools: [Read, Bash(git *)]'),
    [
      '4:16+19 error allowed-tools-invalid: allowed-tools is a list, not a space-separated string = write allowed-tools: "Read Bash(git *)"',
    ],
  ],
  [
    'tools lines',
    wrap('allowed-tools:\n  - Read\n  - Grep'),
    [
      '5:3+6 error allowed-tools-invalid: allowed-tools is a list, not a space-separated string = write allowed-tools: "Read Grep"',
    ],
  ],
  [
    'tools empty',
    wrap('allowed-tools: ""'),
    [
      '4:16+2 error allowed-tools-invalid: allowed-tools is empty, not a space-separated string = write allowed-tools: and the tools in one line, such as allowed-tools: Read Grep',
    ],
  ],
  [
    'tools of other kinds',
    wrap('allowed-tools: [a b, {c: d}]'),
    [
      '4:16+13 error allowed-tools-invalid: allowed-tools is a list, not a space-separated string = write allowed-tools: and the tools in one line, such as allowed-tools: Read Grep',
    ],
  ],
  [
    'metadata text',
    wrap('metadata: a'),
    [
      '4:11+1 error metadata-invalid: metadata is a string, not a mapping = write each entry on a line of its own, indented: key: "value"',
    ],
  ],
  [
    'metadata null',
    wrap('metadata:'),
    [
      '4:1+8 error metadata-invalid: metadata is null, not a mapping = write each entry on a line of its own, indented: key: "value"',
    ],
  ],
  [
    'metadata number',
    wrap('metadata:\n  version: 1.0'),
    [
      '5:12+3 error metadata-invalid: metadata.version is a number, and metadata can contain only strings = quote it: version: "1.0"',
    ],
  ],
  [
    'metadata boolean',
    wrap('metadata: {a: true}'),
    [
      '4:15+4 error metadata-invalid: metadata.a is a boolean, and metadata can contain only strings = quote it: a: "true"',
    ],
  ],
  [
    'metadata null entry',
    wrap('metadata:\n  a:'),
    [
      '5:3+1 error metadata-invalid: metadata.a is null, and metadata can contain only strings = write a: and a string in quotes, or remove it',
    ],
  ],
  [
    'metadata list',
    wrap('metadata:\n  tags:\n    - a\n    - b'),
    [
      '6:5+3 error metadata-invalid: metadata.tags is a list, and metadata can contain only strings = join it into one string, or write it as a JSON string: tags: \'["a","b"]\'',
    ],
  ],
  [
    'metadata reserved',
    wrap('metadata:\n  io.modelcontextprotocol/x: a'),
    [
      '5:3+25 error metadata-reserved: the metadata key "io.modelcontextprotocol/x" begins with "io.modelcontextprotocol/", which is reserved = use a prefix of your own',
    ],
  ],
  [
    'no fields',
    '---\n---\n',
    [
      '1:1+3 error frontmatter-not-mapping: the frontmatter is empty, not fields written as key: value = write name: and description:, each on a line of its own',
    ],
  ],
  [
    'a list',
    '---\n- a\n---\n',
    [
      '2:1+3 error frontmatter-not-mapping: the frontmatter is a list, not fields written as key: value = write name: and description:, each on a line of its own',
    ],
  ],
  [
    'text',
    '---\nabc\n---\n',
    [
      '2:1+3 error frontmatter-not-mapping: the frontmatter is text, not fields written as key: value = write name: and description:, each on a line of its own',
    ],
  ],
  [
    'braces',
    '---\n{name: x, description: d}\n---\n',
    [
      '2:1+25 error yaml-unportable: the frontmatter is in braces, which some YAML parsers refuse = write each field on a line of its own: key: value',
    ],
  ],
  [
    'indented',
    '---\n name: x\n description: d\n---\n',
    [
      '2:1+1 error yaml-unportable: the fields are indented, which some YAML parsers refuse = begin each field in the first column',
    ],
  ],
  [
    'name with a colon',
    '---\nname: flow:sync\ndescription: d\n---\n',
    [
      '2:7+9 error name-invalid: the name "flow:sync" is not made of a-z, 0-9 and single hyphens between them = write name: flow-sync',
    ],
  ],
  [
    'long name',
    `---\nname: ${'a'.repeat(65)}\ndescription: d\n---\n`,
    [
      '2:7+65 error name-invalid: the name has 65 characters, more than 64 = write name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    ],
  ],
  [
    'name of other letters',
    '---\nname: \u4e2d\ndescription: d\n---\n',
    [
      '2:7+1 error name-invalid: the name "\u4e2d" is not made of a-z, 0-9 and single hyphens between them = write a name of 1 to 64 characters of a-z, 0-9 and single hyphens',
    ],
  ],
  [
    'number for a name',
    '---\nname: 12\ndescription: d\n---\n',
    ['2:7+2 error name-invalid: the name must be a string, not a number = quote it: name: "12"'],
  ],
  [
    'null name',
    '---\nname:\ndescription: d\n---\n',
    [
      "2:1+4 error name-missing: the name is null: there is nothing after the colon = write name: and the folder's name",
    ],
  ],
  [
    'no name',
    '---\ndescription: d\n---\n',
    ["1:1+3 error name-missing: the name is missing = write name: and the folder's name"],
  ],
  [
    'empty file',
    '',
    [
      '1:1+1 error frontmatter-missing: the file is empty = start the file with a line ---, then name: and description:, then a line ---',
    ],
  ],
  [
    'empty first line',
    '\n',
    [
      '1:1+1 error frontmatter-missing: the first line is empty, not "---" = start the file with a line ---, then name: and description:, then a line ---',
    ],
  ],
  [
    'only a fence',
    '---',
    [
      '1:1+3 error frontmatter-unclosed: the frontmatter is never closed: no later line is exactly "---" = write --- on a line of its own after the last field',
    ],
  ],
  [
    'only a fence line',
    '---\n',
    [
      '1:1+3 error frontmatter-unclosed: the frontmatter is never closed: no later line is exactly "---" = write --- on a line of its own after the last field',
    ],
  ],
  [
    'never closed',
    '---\nname: x\n',
    [
      '1:1+3 error frontmatter-unclosed: the frontmatter is never closed: no later line is exactly "---" = write --- on a line of its own after the last field',
    ],
  ],
  [
    'NEL',
    '---\nname: x\ndescription: "a\u0085b"\n---\n',
    [
      '3:16+1 error yaml-ambiguous: U+0085 ends the line in YAML 1.1 and is an ordinary character in YAML 1.2 = remove it, or write \\N inside double quotes',
    ],
  ],
  [
    'line separator',
    '---\nname: x\ndescription: "a\u2028b"\n---\n',
    [
      '3:16+1 error yaml-ambiguous: U+2028 ends the line in YAML 1.1 and is an ordinary character in YAML 1.2 = remove it, or write \\L inside double quotes',
    ],
  ],
  [
    'lone CR',
    '---\nname: x\ndescription: a\rb\n---\n',
    [
      '3:15+1 error yaml-ambiguous: a carriage return (U+000D) without a line feed ends the line for some YAML parsers only = end lines with LF or CRLF',
    ],
  ],
  [
    'inner BOM',
    '---\nname: x\ndescription: a\ufeffb\n---\n',
    [
      '3:15+1 error yaml-unportable: a byte order mark (U+FEFF) inside the frontmatter is refused by some YAML parsers = remove it',
    ],
  ],
  [
    'lone surrogate',
    '---\nname: x\ndescription: a\ud800b\n---\n',
    ['3:15+1 error not-utf8: the lone surrogate U+D800 at offset 26 is not UTF-8 = save the file as UTF-8'],
  ],
  [
    'one blank too many before a field',
    '---\ndescription: d\n name: q\n---\n',
    [
      '3:2+4 error yaml-syntax: the key "name" is indented below a field that has a value already = begin it in the first column',
    ],
  ],
  [
    'a blank that is none before a field',
    '---\n\u00a0name: q\ndescription: d\n---\n',
    [
      '2:1+5 error yaml-ambiguous: a space character other than U+0020 at the start or end of unquoted text is dropped by some YAML parsers = write name: without it',
    ],
  ],
  [
    'a field without its colon, first',
    '---\nname q\ndescription: d\n---\n',
    ['2:1+6 error yaml-syntax: the field "name" has no colon = write name: q'],
  ],
  [
    'a field without its colon, last',
    '---\ndescription: d\nname q\n---\n',
    ['3:1+6 error yaml-syntax: the field "name" has no colon = write name: q'],
  ],
  [
    'a field without a blank after its colon',
    '---\ndescription: d\nname:q\nlicense: MIT\n---\n',
    ['3:1+6 error yaml-syntax: the field "name" has no space after its colon = write name: q'],
  ],
  [
    'a misspelled field beside the field',
    '---\nname: x\nName: z\ndescription: d\n---\n',
    ['3:1+4 warning field-typo: the field "Name" is not in the specification; "name" is = leave it out'],
  ],
  [
    'a misspelled field alone',
    '---\nName: x\ndescription: d\n---\n',
    ['2:1+4 error name-missing: the name is missing: the field is spelled "Name" = write name: in its place'],
  ],
  [
    'a quote that is never closed',
    '---\nname: x\ndescription: "Ships it\nlicense: MIT\n---\n',
    [
      '3:14+9 error yaml-syntax: ""Ships it" begins with a quote that is never closed = close the quote: description: "Ships it"',
    ],
  ],
  [
    'a quote that is never closed, and a later one',
    '---\nname: x\ndescription: "Ships it\nlicense: "MIT"\nday: 2026-01-01\n---\n',
    [
      '3:14+9 error yaml-syntax: ""Ships it" begins with a quote that is never closed = close the quote: description: "Ships it"',
      '5:6+10 error yaml-ambiguous: "2026-01-01" is a date in YAML 1.1 and a string in YAML 1.2 = quote it: day: "2026-01-01"',
    ],
  ],
  [
    'a quote over lines that is never closed',
    "---\nname: x\ndescription: 'Ships it\n  and more\nlicense: MIT\n---\n",
    [
      '3:14+9 error yaml-syntax: "\'Ships it" begins with a quote that is never closed = write description: >- and all of the text indented below it, without the quote',
    ],
  ],
  [
    'an apostrophe for a closing quote',
    "---\nname: x\ndescription: 'Don't use: this\nlicense: MIT\n---\n",
    [
      '3:14+16 error yaml-syntax: "\'Don\'t use: this" begins with a quote that is never closed = close the quote: description: "Don\'t use: this"',
    ],
  ],
  [
    'text that is not indented below a header',
    '---\nname: x\ndescription: >-\nDoes things: use it.\nMore text.\nlicense: MIT\n---\n',
    [
      '3:14+2 error yaml-syntax: the lines below ">-" are not indented, so they do not belong to it = indent them by two spaces',
    ],
  ],
  [
    'text that is not indented below its key',
    '---\nname: x\ndescription:\nDoes things. Use it.\nlicense: MIT\n---\n',
    [
      '3:1+12 error yaml-syntax: the lines below "description:" are not indented, so they do not belong to it = write description: >- and indent them by two spaces',
    ],
  ],
  [
    'an empty block for the description',
    '---\nname: x\ndescription: >-\nlicense: MIT\n---\n',
    [
      '3:14+2 error yaml-ambiguous: an empty ">" block is null for some YAML parsers and a string for others = write the text of the description indented below it',
    ],
  ],
  [
    'prose over lines with a colon',
    '---\nname: x\ndescription: Use when: a b\n  c d\n  - e\nlicense: MIT\n---\n',
    [
      '3:14+13 error yaml-syntax: the unquoted text "Use when: a b" contains ": ", which starts a new key in YAML = write description: >- and all of the text indented below it',
    ],
  ],
  [
    'a field on the line of the fence',
    '---name: x\ndescription: d\n---\n',
    [
      '1:1+10 error frontmatter-missing: the first line is "---name: x", not "---": a field follows the dashes = put a line break after ---',
    ],
  ],
  [
    'fields without an opening fence',
    'name: x\ndescription: d\n---\nText.\n',
    [
      '1:1+7 error frontmatter-missing: the first line is "name: x", not "---": the frontmatter has no opening fence = add a line --- above it',
    ],
  ],
  [
    'too many dashes at the end',
    '---\nname: x\ndescription: d\n-----\nText.\n',
    [
      '4:1+5 error frontmatter-unclosed: the frontmatter is not closed: "-----" begins with "---", but a fence is exactly "---" = write --- as the whole line',
    ],
  ],
  [
    'two carriage returns',
    '---\r\r\nname: x\r\r\ndescription: d\r\r\n---\r\r\n',
    [
      '1:4+1 error frontmatter-missing: lines end with two carriage returns (U+000D) and a line feed, so the first line is not exactly "---" = end every line with a line feed (U+000A) alone',
    ],
  ],
  [
    'carriage returns alone',
    '---\rname: x\rdescription: d\r---\r',
    [
      '1:4+1 error frontmatter-missing: lines end with a carriage return (U+000D) alone, which ends no line for most hosts = end every line with a line feed (U+000A) alone',
    ],
  ],
  [
    'errors of the YAML and of the fields at once',
    '---\nname: A B\ndescription: ""\nlicense: 2.0\nk: a: b\nl: [x] y\nupdated: 2026-01-01\n---\n',
    [
      '2:7+3 error name-invalid: the name "A B" is not made of a-z, 0-9 and single hyphens between them = write name: a-b',
      '3:14+2 error description-missing: the description is empty = write description: and a sentence that says what the skill does and when to use it',
      '4:10+3 error license-invalid: the license is a number, not a string = quote it: license: "2.0"',
      '5:4+4 error yaml-syntax: the unquoted text "a: b" contains ": ", which starts a new key in YAML = quote it: k: "a: b"',
      '6:4+5 error yaml-syntax: "[x] y" begins with "[" but is not a list = quote it: l: "[x] y"',
      '7:10+10 error yaml-ambiguous: "2026-01-01" is a date in YAML 1.1 and a string in YAML 1.2 = quote it: updated: "2026-01-01"',
    ],
  ],
];

describe('what is said, where, and what to write instead', () => {
  test.each(MESSAGES)('%s', (_, file, problems) => {
    expect(readFrontmatter(file).problems.map(showProblem)).toEqual(problems);
  });
});
