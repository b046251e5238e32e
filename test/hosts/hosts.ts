import { KEY } from './model.ts';

/** Where a host is run. */
export interface Place {
  readonly home: string;
  readonly project: string;
  /** Of the stub, without a path. */
  readonly url: string;
}

export interface HostPlan {
  /** As `config` calls it. */
  readonly id: string;
  readonly title: string;
  /** On npm. */
  readonly package: string;
  /** The command that the package has. */
  readonly program: string;
  /** Where `config` writes: the project, unless the host then waits for a person to trust it. */
  readonly scope: 'project' | 'user';
  /** Its file is written here, because it reads none that `config` writes. */
  readonly isManual?: boolean;
  /** The other settings that let it run alone, by path; `config --write` adds the server to them. */
  readonly files?: (place: Place) => Readonly<Record<string, string>>;
  readonly env?: (place: Place) => Readonly<Record<string, string>>;
  readonly args: (question: string, place: Place) => readonly string[];
}

const MODEL = 'stub';

/** The hosts that are npm packages: their one-shot modes, with every telemetry and update check off that a setting can switch off. */
export const HOSTS: readonly HostPlan[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    program: 'claude',
    scope: 'user',
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    args: (question) => ['-p', question, '--allowedTools', 'mcp__skills,ToolSearch'],
  },
  {
    id: 'codex',
    title: 'Codex',
    package: '@openai/codex',
    program: 'codex',
    scope: 'user',
    files: ({ home, url }) => ({
      [`${home}/.codex/config.toml`]: [
        'model = "gpt-5.5"',
        'model_provider = "stub"',
        'approval_policy = "never"',
        'check_for_update_on_startup = false',
        '',
        '[analytics]',
        'enabled = false',
        '',
        '[model_providers.stub]',
        'name = "stub"',
        `base_url = "${url}/v1"`,
        'env_key = "STUB_KEY"',
        'wire_api = "responses"',
        '',
      ].join('\n'),
    }),
    env: () => ({ STUB_KEY: KEY }),
    args: (question) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', question],
  },
  {
    id: 'opencode',
    title: 'OpenCode',
    package: 'opencode-ai',
    program: 'opencode',
    scope: 'project',
    files: ({ home, url }) => ({
      [`${home}/.config/opencode/opencode.json`]: toJson({
        model: `stub/${MODEL}`,
        small_model: `stub/${MODEL}`,
        autoupdate: false,
        share: 'disabled',
        provider: {
          stub: {
            npm: '@ai-sdk/openai-compatible',
            name: 'stub',
            options: { baseURL: `${url}/v1`, apiKey: KEY },
            models: {
              [MODEL]: {
                name: MODEL,
                tool_call: true,
                attachment: true,
                modalities: { input: ['text', 'image'], output: ['text'] },
                limit: { context: 400_000, output: 8_000 },
              },
            },
          },
        },
      }),
    }),
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_SHARE: '1',
    }),
    args: (question) => ['run', question],
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    package: '@google/gemini-cli',
    program: 'gemini',
    scope: 'project',
    files: ({ project }) => ({
      [`${project}/.gemini/settings.json`]: toJson({
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        security: { auth: { selectedType: 'gemini-api-key' } },
      }),
    }),
    env: ({ url }) => ({
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: KEY,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    args: (question) => ['-p', question, '-m', 'gemini-2.5-pro', '--approval-mode', 'yolo'],
  },
  {
    id: 'qwen',
    title: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    program: 'qwen',
    scope: 'project',
    files: ({ project }) => ({
      [`${project}/.qwen/settings.json`]: toJson({
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      }),
    }),
    env: ({ url }) => ({
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: KEY,
      OPENAI_MODEL: 'gpt-5',
      QWEN_CODE_TRUST_WORKSPACE: 'true',
      QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
    }),
    args: (question) => ['--auth-type', 'openai', '--approval-mode', 'yolo', '-p', question],
  },
  {
    id: 'copilot',
    title: 'Copilot CLI',
    package: '@github/copilot',
    program: 'copilot',
    scope: 'user',
    env: ({ url }) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: 'gpt-5',
      COPILOT_OFFLINE: 'true',
    }),
    args: (question) => [
      '-p',
      question,
      '--allow-all-tools',
      '--disable-builtin-mcps',
      '--disable-client-telemetry',
      '--no-auto-update',
    ],
  },
  {
    id: 'cline',
    title: 'Cline',
    package: 'cline',
    program: 'cline',
    scope: 'user',
    files: ({ home, url }) => ({
      [`${home}/.cline/data/settings/providers.json`]: toJson({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: KEY, baseUrl: `${url}/v1`, model: MODEL },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
      [`${home}/.cline/data/settings/global-settings.json`]: toJson({
        telemetryOptOut: true,
        autoUpdateEnabled: false,
      }),
    }),
    args: (question) => ['-P', 'openai-compatible', '-k', KEY, '-m', MODEL, question],
  },
  {
    id: 'continue',
    title: 'Continue CLI',
    package: '@continuedev/cli',
    program: 'cn',
    scope: 'project',
    isManual: true,
    files: ({ home, url }) => ({
      [`${home}/config.yaml`]: [
        'name: stub',
        'version: 1.0.0',
        'schema: v1',
        'models:',
        `  - name: ${MODEL}`,
        '    provider: openai',
        '    model: gpt-4o',
        `    apiKey: ${KEY}`,
        `    apiBase: ${url}/v1`,
        '    roles: [chat]',
        '    capabilities: [tool_use, image_input]',
        'mcpServers:',
        '  - name: skills',
        '    command: npx',
        '    args: ["-y", "mcp-server-skills", "./skills"]',
        '',
      ].join('\n'),
    }),
    env: () => ({ CONTINUE_METRICS_ENABLED: '0', CONTINUE_CLI_AUTO_UPDATED: '1' }),
    args: (question, { home }) => ['-p', question, '--config', `${home}/config.yaml`, '--auto'],
  },
];

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
