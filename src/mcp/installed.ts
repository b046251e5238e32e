/** What is used of `import.meta`. */
interface Module {
  readonly url: string;
  readonly resolve?: (specifier: string) => string;
}

/**
 * Makes the import of an entry point fail with what to install, where its SDK is missing. An entry point needs nothing of its SDK to
 * run, so without this a missing one would show up later, as something else.
 *
 * @param file - of the importing module, below the package's `dist`. Elsewhere it is part of a bundle: there the SDK is inside, or the
 *   bundler has said that it is missing
 * @throws Error that names the package and the versions that do
 */
export function assertInstalled(module: Module, file: string, specifier: string, name: string, range: string): void {
  if (typeof module.resolve !== 'function') return;
  if (!module.url?.endsWith(`/node_modules/mcp-server-skills/dist/${file}`)) return;
  try {
    module.resolve(specifier);
  } catch (error) {
    const { code } = error as { code?: unknown };
    // any other failure is a loader's that resolves in its own way
    if (code !== 'ERR_MODULE_NOT_FOUND') return;
    throw new Error(
      `this entry point of mcp-server-skills is for servers of ${name}, which is not installed: npm install "${name}@${range}"`,
      { cause: error },
    );
  }
}
