// See mutants.js.
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutants.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  reporters: ['clear-text'],
  clearTextReporter: { allowColor: false, logTests: false },
  tempDirName: 'data/stryker',
  ignorePatterns: ['/data', '/bench', '/examples'],
  // Texts of messages are read by people.
  mutator: { excludedMutations: ['StringLiteral'] },
  timeoutMS: 30_000,
}
