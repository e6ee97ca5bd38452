import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest, from their paths' ends; begun last, one of them would keep a single worker busy at the end. */
const longest = [
  'contract-tests/fuzz.test.ts',
  'contract-tests/shares.test.ts',
  'contract-tests/contract.test.ts',
  'contract-tests/mock.test.ts',
  'src/current/sync/schema-sync-property.test.ts',
  'src/projects/cached-answers.test.ts',
  'contract-tests/live-modes.test.ts',
  'contract-tests/provider-replicas.test.ts',
  'contract-tests/saml-logout.test.ts',
  'contract-tests/legacy-clients.test.ts',
  'contract-tests/legacy-levels.test.ts',
  'contract-tests/bucket-faults.test.ts',
  'verify/sockets.test.ts',
  // Programs.
  'src/cli/project/configuration.test.ts',
  'contract-tests/guide/guide.test.ts',
  'src/deletion.test.ts',
  'verify/mutants.test.ts',
  'verify/program.test.ts',
  'src/cli/project/killed-push.test.ts',
  'src/cli/version-eight/odd.test.ts',
  'src/cli/import/import.test.ts',
  'src/cli/killed.test.ts',
]

const isLong = ({ moduleId }: TestSpecification): boolean => longest.some((path) => moduleId.endsWith(path))

/** Vitest's order, but with the longest files at the beginning: a fresh checkout knows no durations of former runs. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of Vitest, which returns a new array
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((each) => !isLong(each))]
  }
}
