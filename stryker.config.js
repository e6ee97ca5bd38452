// See mutants.js.
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutants.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // Mutants of values that are made at the start would each run all tests.
  ignoreStatic: true,
  concurrency: 1,
  reporters: ['clear-text'],
  clearTextReporter: { allowColor: false, logTests: false },
  tempDirName: 'data/stryker',
  ignorePatterns: ['/data', '/bench', '/examples'],
  // Texts of messages are read by people.
  mutator: { excludedMutations: ['StringLiteral'] },
  timeoutMS: 30_000,
}
