import tseslint from 'typescript-eslint';

/** The arrows of the house: schemas <- core <- {server, client, cli}; webview knows only the message types. */
const room = (files, forbidden, message) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [{ regex: forbidden, message }] },
    ],
  },
});

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/', 'schemas/generated/', '**/*.cjs'] },
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-console': 'error',
      eqeqeq: ['error', 'always'],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  { files: ['scripts/**', 'test/**', 'bench/**', 'cli/**'], rules: { 'no-console': 'off' } },
  room(['schemas/**/*.ts'], '(^|/)(core|server|client|cli|webview)(/|$)|^vscode', 'schemas imports no other room.'),
  room(
    ['core/**/*.ts'],
    '(^|/)\\.\\./(.*/)?(server|client|cli|webview)(/|$)|^vscode(-|$)',
    'core imports only schemas; it never knows an editor.',
  ),
  room(['server/**/*.ts'], '(^|/)\\.\\./(.*/)?(client|cli|webview)(/|$)|^vscode$|^ssh2$', 'server imports core and schemas only.'),
  room(['client/**/*.ts'], '(^|/)\\.\\./(.*/)?(server|cli|webview)(/|$)|^ssh2$', 'client imports core and schemas only.'),
  room(['cli/**/*.ts'], '(^|/)\\.\\./(.*/)?(server|client|webview)(/|$)|^vscode', 'cli imports core and schemas only.'),
  room(
    ['webview/**/*.ts'],
    '(^|/)\\.\\./(.*/)?(server|client|cli|schemas)(/|$)|^node:|^vscode|core/(?!messages/)',
    'webview imports only the message types (core/messages).',
  ),
);
