/** Whether nginx and PyYAML have to be there: continuous integration installs them, on Linux. Elsewhere tests do without, and say so. */
export const isRequired = Boolean(process.env['CI']) && process.platform === 'linux';
