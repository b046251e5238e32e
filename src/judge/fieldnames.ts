/** The fields that the Agent Skills specification knows. Each holds a string or, `metadata`, only strings. */
export const FIELDS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'] as const;
