/** What is used of `import.meta`. */
interface Module {
  readonly url: string;
  readonly resolve?: (specifier: string) => string;
}

/**
 * Makes the import of an entry point fail with what to install, where its SDK is missing. An entry point needs nothing of its SDK to
 * run, so without this a missing one would show up later, as something else.
 *
 * @param entry - the entry point of the importing module. Where that is found elsewhere, the module is part of a bundle: there the SDK
 *   is inside, or the bundler has said that it is missing
 * @throws Error that names the package and the versions that do
 */
export function assertInstalled(module: Module, entry: string, specifier: string, name: string, range: string): void {
  if (typeof module.resolve !== 'function' || !isInstalled(module, entry)) return;
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

function isInstalled({ url, resolve }: Module, entry: string): boolean {
  // a package that is linked from elsewhere does not see what is installed where it is used
  if (!url?.includes('/node_modules/')) return false;
  try {
    // whatever name a package is installed under, it finds itself by its own
    return resolve?.(entry) === url;
  } catch {
    return false;
  }
}
