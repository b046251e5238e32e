/** The fields that the Agent Skills specification knows. */
export const FIELDS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'] as const;
