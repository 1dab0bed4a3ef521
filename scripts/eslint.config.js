// Lint rules, given to eslint by path (`npm run check`). Formatting belongs to prettier.
import { fileURLToPath } from 'node:url'
import tseslint from 'typescript-eslint'

const root = fileURLToPath(new URL('..', import.meta.url))

export default tseslint.config(
  { ignores: ['**/dist/**', '**/generated/**', 'golden/**', '**/node_modules/**', '**/local/**'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: {
      parserOptions: {
        project: [`${root}tsconfig.json`, `${root}src/studio-page/tsconfig.json`],
        tsconfigRootDir: root,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // stdout belongs to the protocol, and a text encoding on stdin would destroy its bytes.
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.property.name='setEncoding'][callee.object.property.name='stdin']",
          message: 'stdin is read as bytes.',
        },
      ],
      eqeqeq: ['error', 'always'],
    },
  },
  { files: ['src/**/*.ts'], rules: { 'no-console': 'error' } },
)
