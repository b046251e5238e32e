/** What is asked of a server, in the order in which it is asked. A group is one test case of a JUnit report. */
export type CheckGroup =
  | 'declaration'
  | 'listing'
  | 'entry'
  | 'get'
  | 'read'
  | 'frontmatter'
  | 'directory'
  | 'lock'
  | 'host';

interface Check {
  readonly severity: 'error' | 'warning';
  readonly group: CheckGroup;
  /** What is wrong, in one line. */
  readonly title: string;
}

/**
 * Every code that `verify` reports, with its severity, its group and what is wrong in one line. A code is never renamed or used for
 * something else within a major version.
 */
export const CHECKS = {
  'extension-missing': error('declaration', 'the server does not declare the Skills extension'),
  'extension-settings': error('declaration', 'the settings of the extension are not what the extension defines'),
  'extension-experimental': warning('declaration', 'the extension is declared under experimental capabilities'),
  'resources-undeclared': error('declaration', 'the server does not declare the resources capability'),
  'era-differs': error('declaration', 'the two protocol revisions disagree'),

  'list-failed': error('listing', 'skills/list was answered with an error'),
  'list-shape': error('listing', 'a result of skills/list does not have the defined form'),
  'no-skills': error('listing', 'fewer skills than expected are listed'),
  'cursor-repeats': error('listing', 'a cursor of a listing repeats'),
  'cursor-endless': error('listing', 'a listing does not end'),
  'cursor-foreign-accepted': error('listing', 'a cursor that the server did not issue is accepted'),
  'page-large': warning('listing', 'a page of skills/list is large'),
  'entry-twice': error('listing', 'a skill is listed twice'),
  'listing-unsorted': warning('listing', 'the listing is not sorted by URI'),
  'result-type': error('listing', 'resultType is missing, wrong, or not part of the revision'),
  'cache-fields': error('listing', 'the cache hints are missing, wrong, or not part of the revision'),
  'cache-scope-differs': error('listing', 'the pages of one listing have different cache scopes'),
  'not-verified': warning('listing', 'something was not verified, because a limit of this run was reached'),

  'entry-shape': error('entry', 'an entry has a missing, wrong or unknown member'),
  'uri-form': error('entry', 'the URI of a skill does not end with its name and /SKILL.md'),
  'name-invalid': error('entry', 'the name breaks the name rule of Agent Skills'),
  'description-invalid': error('entry', 'the description is not a string of 1 to 1,024 characters'),
  'compatibility-length': error('entry', 'compatibility is not a string of 1 to 500 characters'),
  'license-invalid': error('entry', 'the license is not a non-empty string'),
  'allowed-tools-invalid': error('entry', 'allowed-tools is not a space-separated string'),
  'metadata-invalid': error('entry', 'metadata is not a mapping from strings to strings'),
  'metadata-reserved': error('entry', 'a metadata key has the reserved prefix'),
  'resources-empty': error('entry', 'an entry lists no files'),
  'skill-file-missing': error('entry', 'an entry does not list its own SKILL.md'),
  'file-outside': error('entry', 'an entry lists a file that is not below the folder of the skill'),
  'file-twice': error('entry', 'an entry lists a file twice'),
  'file-dot-segment': error('entry', 'the URI of a file has a segment that moves the path'),
  'digest-form': error('entry', 'a digest is not "sha256:" and 64 lowercase hex digits'),
  'size-form': error('entry', 'a size is not a whole number of bytes'),
  'too-many-files': error('entry', 'a skill has more than 512 files'),
  'too-many-bytes': error('entry', 'a skill has more than 16 MiB'),
  'nested-skill': warning('entry', 'a SKILL.md inside a skill'),
  dynamic: warning('entry', 'the content of a skill is dynamic, so it cannot be verified'),

  'get-failed': error('get', 'skills/get did not return a listed skill'),
  'get-differs': error('get', 'skills/get returned another entry than the listing'),
  'get-unlisted': error('get', 'skills/get did not return a skill that is not listed'),
  'get-wrong-uri': error('get', 'skills/get did not refuse a URI that is not a served SKILL.md'),

  'read-failed': error('read', 'a listed file could not be read'),
  'read-count': error('read', 'a read did not return exactly one content item'),
  'read-uri': error('read', 'a read returned the content of another URI'),
  'read-encoding': error('read', 'the content of a file is not encoded so that its bytes can be verified'),
  'read-unstable': error('read', 'two reads of one file differ, and its entry did not change'),
  'read-wrong-uri': error('read', 'a read of something that is not a served file was not refused'),
  'size-differs': error('read', 'a file does not have the size that its entry lists'),
  'digest-differs': error('read', 'a file does not have the digest that its entry lists'),
  'mime-skill-file': warning('read', 'the media type of SKILL.md is not text/markdown'),
  'changed-during-run': warning('read', 'a skill changed while it was verified'),

  'frontmatter-unreadable': error('frontmatter', 'the frontmatter of SKILL.md cannot be parsed'),
  'frontmatter-differs': error('frontmatter', 'the frontmatter of SKILL.md is not that of its entry'),
  'frontmatter-ambiguous': error('frontmatter', 'YAML parsers disagree about the frontmatter of SKILL.md'),

  'directory-failed': error('directory', 'a folder of a skill could not be read'),
  'directory-missing': error('directory', 'a listed file is in no directory'),
  'directory-extra': error('directory', 'a directory has a child that the entry of the skill does not list'),
  'directory-recursive': error('directory', 'a directory has something that is not its direct child'),
  'directory-type': error('directory', 'a folder is not marked as inode/directory, or a file is'),
  'directory-size': error('directory', 'a directory gives another size than the entry of the skill'),
  'directory-wrong-uri': error('directory', 'a directory read of something that is not a folder was not refused'),
  'directory-undeclared-answers': warning('directory', 'directory reads are answered and not declared'),

  'lock-differs': error('lock', 'the server does not serve what the lock file lists'),
  'host-limit': error('host', 'a limit of the host that was asked for is exceeded'),
} as const satisfies Readonly<Record<string, Check>>;

export type CheckCode = keyof typeof CHECKS;

/** One thing that is wrong with a server. */
export interface Fault {
  readonly code: CheckCode;
  readonly message: string;
  /** What the author of the server can do about it, where the code alone does not say. */
  readonly hint?: string;
  /** Where it weighs more than its code says. */
  readonly severity?: 'error';
  /** The URI of the skill that it is about; absent where it is about the server. */
  readonly skill?: string;
  /** The URI of the file that it is about. */
  readonly file?: string;
}

function error<const Group extends CheckGroup>(group: Group, title: string) {
  return { severity: 'error', group, title } as const;
}

function warning<const Group extends CheckGroup>(group: Group, title: string) {
  return { severity: 'warning', group, title } as const;
}
