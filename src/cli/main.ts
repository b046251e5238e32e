import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander';
import { HOST_IDS } from '../config/ids.ts';
import type { Side } from '../judge/repairs.ts';
import { PROFILES } from '../lint/importers.ts';
import { TOOL_PREFIX } from '../mcp/naming.ts';
import { countEdits } from '../text/distance.ts';
import { escapeLines } from '../text/escape.ts';
import { addDiff, addLock } from './approvals.ts';
import { addPolicyExplain } from './callers.ts';
import type { CheckOptions } from './check.ts';
import { findCode, isSide } from './codes.ts';
import type { ConfigOptions } from './config.ts';
import type { WrapFlags } from './flags.ts';
import type { FolderOptions } from './folders.ts';
import type { ListOptions } from './list.ts';
import { toPlacedFlag } from './placed.ts';
import { addPull } from './pull.ts';
import type { AddScriptOptions } from './runpolicy.ts';
import { addScriptOptions } from './scriptoptions.ts';
import type { ServeOptions } from './serve.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';
import { collect, DAY, toWholeNumber } from './values.ts';
import { addVerify } from './verify.ts';
import type { SiteFlags } from './writesite.ts';

/**
 * Runs one command.
 *
 * @param args - without the program's own name
 * @returns the exit status: 0 no errors, 1 problems that are errors, 2 wrong usage, 3 any other failure
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  let status: number = EXIT.well;
  const program = createProgram(args, terminal, (code) => {
    status = code;
  });
  try {
    await program.parseAsync(markValues(args, terminal.version), { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.well : EXIT.usage;
    if (error instanceof CommandError) {
      terminal.error.write(`mcp-server-skills: ${escapeLines(error.message)}\n`);
      return error.status;
    }
    throw error;
  }
}

function createProgram(args: readonly string[], terminal: Terminal, exit: (status: number) => void): Command {
  const program = new Command('mcp-server-skills')
    .description('Publish a folder of Agent Skills over MCP: every skill checked, pinned, and readable by every host.')
    .version(terminal.version, '-v, --version')
    .helpOption('-h, --help')
    .showHelpAfterError('(--help shows commands and options)')
    .exitOverride()
    .configureHelp({
      // An optional value is taken after an equals sign only, and an empty list is no default worth showing.
      optionTerm: ({ flags }) => flags.replace(' [', '[='),
      optionDescription: (option) =>
        Array.isArray(option.defaultValue) ? option.description : new Help().optionDescription(option),
    })
    .configureOutput({
      writeOut: (text) => terminal.output.write(text),
      writeErr: (text) => terminal.error.write(escapeLines(text)),
    })
    .addHelpText('after', EPILOGUE);

  addServe(program.command('serve', { isDefault: true })).action(
    async (roots: string[], options: ServeOptions & WrapFlags, command: Command) => {
      if (!args.includes('serve')) requireNoCommand(roots, program, terminal);
      const wrapped = findWrapped(args, roots, options);
      if (wrapped !== undefined) {
        const { runWrap } = await import('./wrapcommand.ts');
        exit(await runWrap(wrapped.roots, wrapped.command, options, terminal));
        return;
      }
      const { runServe } = await import('./serve.ts');
      exit(await runServe(roots, options, toFlags(command), terminal));
    },
  );

  addRoots(program.command('check'))
    .description('check skills without publishing them')
    .addOption(
      new Option('--format <format>', 'output format').choices(['pretty', 'json', 'sarif', 'github']).default('pretty'),
    )
    .option('--strict', 'count warnings as errors')
    .addOption(
      new Option(
        '--fix [sides]',
        'repair problems that have one safe repair; name or folder: also change that one where the two differ; metadata: also write nested values as JSON strings; combine as --fix=name,metadata',
      ).argParser(toSides),
    )
    .option('--dry-run', 'with --fix: print the repairs as a unified diff, and change nothing')
    .addOption(new Option('--host <host>', 'also report what this host would not take').choices(Object.keys(PROFILES)))
    .addOption(toCodesOption('--select <code>', 'report only this code (repeatable)'))
    .addOption(
      toCodesOption(
        '--ignore <code>',
        'do not report this code, unless it keeps a skill from being published (repeatable)',
      ),
    )
    .option(
      '--max <n>',
      'print N problems at most (default: 200 for pretty and github, otherwise all)',
      toWholeNumber(1),
    )
    .option('--files', 'also list the files of each skill')
    .option('--explain <code>', 'explain a code and its repair, and check nothing', toCode)
    .action(async (roots: string[], options: CheckOptions) => {
      const { runCheck } = await import('./check.ts');
      exit(await runCheck(roots, options, terminal));
    });

  addRoots(program.command('list'))
    .description('print what would be published')
    .addOption(toInvalidOption().default('fail'))
    .option('--json', 'print the digest and the entries of skills/list, as JSON')
    .option('--bytes', "also print every file's content in base64 (implies --json)")
    .action(async (roots: string[], options: ListOptions) => {
      const { runList } = await import('./list.ts');
      exit(await runList(roots, options, terminal));
    });

  addRoots(program.command('site'))
    .description('write a static site that shows what would be published')
    .requiredOption('--out <dir>', 'the folder to write: new, empty, or written by an earlier run')
    .addOption(toInvalidOption().default('fail'))
    .option('--title <title>', 'the title of the site', 'Agent Skills')
    .option('--base-url <url>', 'the address where the site will be')
    .option('--server <url>', 'the address of the MCP server that hosts connect to')
    .option(
      '--since <what>',
      'also show what changed since a revision of git, a lock, what "list --json" printed, or another root',
    )
    .action(async (roots: string[], options: SiteFlags) => {
      const { runSite } = await import('./writesite.ts');
      exit(await runSite(roots, options, terminal));
    });

  addLock(addRoots(program.command('lock')), terminal, exit);
  addDiff(addFolders(program.command('diff')), terminal, exit);
  const policy = program.command('policy').description('explain who sees which skills');
  addPolicyExplain(addRoots(policy.command('explain')), terminal, exit);
  const runPolicy = program.command('run-policy').description('grant scripts of skills for serve --run');
  addScriptOptions(addRoots(runPolicy.command('add').argument('<skill>').argument('<script>'))).action(
    async (skill: string, script: string, roots: string[], options: AddScriptOptions) => {
      const { addScript } = await import('./runpolicy.ts');
      exit(await addScript([skill, script, ...roots], options, terminal));
    },
  );
  addVerify(program.command('verify'), args, terminal, exit);
  addPull(program.command('pull'), args, terminal, exit);

  program
    .command('config')
    .description('print the configuration that a host needs, or write it into its file')
    .argument('<host>', `one of ${HOST_IDS.join(', ')}`)
    .argument('[root...]', 'folders of skills, single skills, or globs; or prefix=root; after "--", options of serve')
    .addOption(new Option('--scope <scope>', 'the file of this project, or of this user').choices(['project', 'user']))
    .option('--name <name>', 'the name of the server in the host', 'skills')
    .option('--pin [version]', 'pin the version that npx starts; without a value, this version')
    .option('--url <url>', 'connect the host to this server over HTTP, instead of starting one')
    .option('--header <header>', "with --url: send this header, 'Name: value' (repeatable)", collect, [])
    .option('--windows', 'write the form that Windows needs (the default on Windows)')
    .option('--node', 'start this installation with node instead of npx: faster, and without the network')
    .option('--file <file>', 'use this file instead of the one that the host reads')
    .option('--write', 'merge the entry into the file, and keep everything else in it')
    .option('--force', 'replace an entry of the same name that starts another server')
    .action(async (host: string, operands: string[], options: Omit<ConfigOptions, 'host' | 'roots' | 'extra'>) => {
      const { runConfig } = await import('./config.ts');
      const at = args.indexOf('--');
      const typed = at === -1 ? [] : args.slice(at + 1);
      // what follows another "--" is the command of a server that is wrapped
      const own = typed.includes('--') ? typed.indexOf('--') : typed.length;
      const extra = typed.map((each, place) => (place < own ? toPlacedFlag(each, terminal.cwd) : each));
      const served = await judgeExtra(addServe(new Command('serve').copyInheritedSettings(program)), extra);
      const roots = operands.slice(0, operands.length - extra.length);
      const { output: stdout, error: stderr, platform, userHome, cwd, env, execPath, uid, home, version } = terminal;
      const bin = join(home, 'bin', 'mcp-server-skills.js');
      const list = (folder: string) => readdir(folder).catch(() => []);
      const context = { stdout, stderr, platform, home: userHome, cwd, env, execPath, uid, bin, version, list };
      exit(await runConfig({ ...options, ...served, host, roots, extra }, context));
    });

  return program;
}

/** What `serve` understands. */
function addServe(command: Command): Command {
  return addRoots(command)
    .description('publish over stdio, or over HTTP (the default command)')
    .addOption(toInvalidOption('skip on stdio, fail over HTTP and with --strict'))
    .option('--strict', 'count warnings as errors')
    .option(
      '--ttl <seconds>',
      'cache hint in responses: how long a client can keep them (default: 300; 60 where changes are followed)',
      toWholeNumber(0),
    )
    .addOption(
      new Option('--cache-scope <scope>', 'cache hint in responses: who can keep them')
        .choices(['private', 'public'])
        .default('private'),
    )
    .option('--page-size <n>', 'entries per page of a listing', toWholeNumber(1), 100)
    .addOption(
      new Option('--tools <when>', 'list tools for hosts without the extension; auto: unless the client declares it')
        .choices(['auto', 'always', 'never'])
        .default('auto'),
    )
    .option('--prompts', 'one prompt for each skill', true)
    .option('--no-prompts', 'no prompts')
    .option('--max-prompts <n>', 'for more than N skills, a single prompt for all', toWholeNumber(0), 100)
    .option('--instructions', 'the names of the skills in the instructions', true)
    .option('--no-instructions', 'no instructions')
    .option('--no-resources', 'no SKILL.md files in the list of resources; every file stays readable')
    .option(
      '--tool-prefix <name>',
      'begin the names of the tools with this name, for several servers in one host',
      toPrefix,
    )
    .option(
      '--unlisted <glob>',
      'keep matching skills out of all listings, and serve them by URI, path or name; globs as for --exclude (repeatable)',
      collect,
      [],
    )
    .option(
      '--locked [file]',
      'serve nothing unless the skills are those of this lock, mcp-skills.lock.json by default (--locked=file)',
    )
    .option('--legacy-index', 'skill://index.json, for clients of the superseded draft')
    .addOption(
      new Option(
        '--watch [how]',
        'serve changes on disk without a restart, once they have no error; by events of the system, or by polling (default: on stdio, for local folders)',
      ).choices(['auto', 'events', 'poll']),
    )
    .option('--no-watch', 'serve what was read at the start')
    .option(
      '--watch-interval <seconds>',
      'with --watch: seconds between two looks at the folders (default: 2 for poll, 60 beside events)',
      toWholeNumber(1, DAY),
    )
    .option(
      '--run <policy>',
      'let hosts run the scripts that this policy grants, after confirmation; stdio on Linux only',
    )
    .option('--wrap', 'publish beside another server on stdio: its command follows "--"')
    .option('--wrap-prompts', 'with --wrap: also one prompt for each skill')
    .optionsGroup('Over HTTP:')
    .option('--http <address>', 'Streamable HTTP at /mcp instead of stdio: [HOST:]PORT; HOST is 127.0.0.1 by default')
    .option('--allow-host <name>', 'a host name by which clients reach this server (repeatable)', collect, [])
    .option('--allow-origin <origin>', 'the origin of a web page that can send requests (repeatable)', collect, [])
    .option('--token-file <file>', 'accepted tokens, one name:token or name:sha256:… per line; also $MCP_SKILLS_TOKEN')
    .option('--oauth-issuer <url>', 'the issuer of accepted access tokens')
    .option('--oauth-audience <url>', 'the public URL of this server, the audience of accepted tokens')
    .option('--oauth-scope <scope>', 'a scope that accepted tokens must have (repeatable)', collect, [])
    .option('--no-auth', 'no authentication: anyone who can reach the port can read')
    .option('--trust-proxy', "read a client's address from X-Forwarded-For")
    .addOption(
      new Option('--log <format>', 'format of the request log on stderr (default: text)').choices(['text', 'json']),
    )
    .option('--rate <n>', 'sustained requests per second for each client (default: 100)', toWholeNumber(1))
    .option('--metrics', 'Prometheus counters at /metrics')
    .option('--policy <file>', 'who sees which skills, in YAML or JSON')
    .option('--page', 'pages for people at /, for the same tokens')
    .option(
      '--grace <seconds>',
      'seconds to let open responses finish on shutdown (default: 10)',
      toWholeNumber(0, DAY),
    );
}

/** The roots of `--wrap`, and the command that follows "--"; undefined without it. */
function findWrapped(
  args: readonly string[],
  operands: readonly string[],
  { wrap = false, wrapPrompts = false }: WrapFlags,
): { roots: readonly string[]; command: readonly string[] } | undefined {
  if (!wrap && wrapPrompts) throw new CommandError(EXIT.usage, '--wrap-prompts needs --wrap');
  if (!wrap) return undefined;
  const at = args.indexOf('--');
  const command = at === -1 ? [] : args.slice(at + 1);
  return { roots: operands.slice(0, operands.length - command.length), command };
}

/** Refuses a first root that is not there and nearly the name of a command: the default command takes all words for roots. */
function requireNoCommand([first = '']: readonly string[], program: Command, { cwd }: Terminal): void {
  const typed = first.toLowerCase();
  const isNear = (name: string) => countEdits(typed, name) <= (name.length > 4 ? 2 : 1);
  const command = /^[a-z]{3,}$/.test(typed) ? program.commands.map((each) => each.name()).find(isNear) : undefined;
  if (command === undefined || existsSync(resolve(cwd, first))) return;
  throw new CommandError(EXIT.usage, `there is no folder "${first}": did you mean the command ${command}?`);
}

/**
 * Refuses what `serve` would not start with, or not on stdio: the host would only say that the server is gone. Gives what it is to
 * know of the roots.
 */
async function judgeExtra(serve: Command, extra: readonly string[]): Promise<FolderOptions> {
  serve.parse(markValues(extra, ''), { from: 'user' });
  const options = serve.opts<ServeOptions & WrapFlags>();
  const wrapped = findWrapped(extra, serve.args, options);
  const [root] = wrapped?.roots ?? serve.args;
  if (root !== undefined) throw new CommandError(EXIT.usage, `"${root}" is not an option: write roots before "--"`);
  if (wrapped !== undefined) (await import('./wrapcommand.ts')).judgeWrap(wrapped.command, options);
  const { findHttpFlag } = await import('./flags.ts');
  const flag = options.http === undefined ? findHttpFlag(options) : '--http';
  const { exclude, strict: isStrict = false, invalid, nested, pathFrom } = options;
  const folders = { exclude, isStrict, ...(nested && { nested }), ...(pathFrom && { pathFrom }) };
  // a default is not what somebody asked for: it is that of HTTP
  const isChosen = serve.getOptionValueSource('invalid') === 'cli';
  if (flag === undefined) return { ...folders, invalid: isChosen ? invalid : isStrict ? 'fail' : 'skip' };
  throw new CommandError(EXIT.usage, `${flag} is for HTTP, and a host starts this on stdio: leave it out`);
}

const EPILOGUE = `
A root is a folder of skills, a single skill, a glob in quotes ('plugins/*/skills'), git:PATH[#REF][:FOLDER], git+https://… or
git+ssh://… in the same form, npm:PACKAGE, or an archive (.zip, .tgz). prefix=root serves its skills below skill://prefix/…. Without a root: $SKILLS_DIR (split like PATH); without that, serve takes the skills that come with this package, and
check, list and lock take the first of skills, .agents/skills and .claude/skills that exists.

Exit status: 0 no errors, 1 problems that are errors, 2 wrong usage, 3 a root could not be read or another failure.`;

function addRoots(command: Command): Command {
  return addFolders(
    command.argument(
      '[root...]',
      'folders of skills, single skills, globs, repositories, packages or archives; or prefix=root',
    ),
  );
}

/** How folders become skills. */
function addFolders(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--nested <what>',
        'how to treat a SKILL.md below a skill; refuse: an error; files: a file of the outer skill',
      )
        .choices(['refuse', 'files'])
        .default('refuse'),
    )
    .addOption(
      new Option(
        '--path-from <what>',
        'where the last part of a URI comes from; name: the name in SKILL.md, where that is valid',
      )
        .choices(['folder', 'name'])
        .default('folder'),
    )
    .option(
      '--exclude <glob>',
      'leave matching files out: relative to the root, or at any depth without a "/" (repeatable)',
      collect,
      [],
    );
}

/** What of the options of a command is not at its default, as it is typed. */
function toFlags(command: Command): string[] {
  return command.options.flatMap((option) => {
    const { long = '', negate, defaultValue, optional } = option;
    const value: unknown = command.getOptionValue(option.attributeName());
    if (value === undefined || value === defaultValue) return [];
    if (typeof value === 'boolean') return value === negate ? [] : [long];
    if (negate) return [];
    if (optional) return [`${long}${value === '' ? '' : `=${String(value)}`}`];
    return [value].flat().flatMap((each) => [long, String(each)]);
  });
}

/** @param otherwise - what the help says of the default, where it depends on other options */
function toInvalidOption(otherwise?: string): Option {
  const what = 'fail: publish nothing if there is an error; skip: leave out skills with errors';
  return new Option('--invalid <what>', otherwise === undefined ? what : `${what} (default: ${otherwise})`).choices([
    'fail',
    'skip',
  ]);
}

/** A version as npx takes it; another tag can be written behind an equals sign. */
const VERSION = /^(?:v?\d+(?:\.\d+)*(?:[-+.][\w.+-]+)?|latest|next)$/;

/**
 * An option takes the next argument for its optional value, which would be a root: only `--fix=sides` names sides, only `--watch=how` a
 * way, only `--locked=file` a lock, and `--pin` a version where one follows.
 */
function markValues(args: readonly string[], version: string): string[] {
  const end = args.indexOf('--');
  return args.map((arg, at) => {
    if (end !== -1 && at >= end) return arg;
    if (arg === '--watch') return '--watch=auto';
    if (arg === '--fix' || arg === '--locked') return `${arg}=`;
    return arg === '--pin' && !VERSION.test(args[at + 1] ?? '') ? `--pin=${version}` : arg;
  });
}

function toSides(text: string, before: readonly Side[] = []): readonly Side[] {
  const sides = new Set(before);
  for (const side of text === '' ? [] : text.split(',')) {
    if (!isSide(side))
      throw new InvalidArgumentError('It must be --fix, or --fix= with name or folder, metadata, or both.');
    sides.add(side);
  }
  if (sides.has('name') && sides.has('folder')) {
    throw new InvalidArgumentError('Of name and folder, only one can give way.');
  }
  return [...sides];
}

function toCodesOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(collectCode).default([]);
}

function collectCode(text: string, codes: readonly string[]): string[] {
  return [...codes, toCode(text)];
}

function toCode(text: string): string {
  const found = findCode(text);
  if ('code' in found) return found.code;
  throw new InvalidArgumentError(
    found.nearest.length === 0 ? 'There is no such code.' : `Did you mean ${found.nearest.join(' or ')}?`,
  );
}

function toPrefix(text: string): string {
  if (TOOL_PREFIX.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 32 letters, digits, "_" or "-".');
}
