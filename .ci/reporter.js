// A reporter of vitest: writes what each test file came to, as JSON, to the path in TEST_REPORT.
import { writeFileSync } from 'node:fs'

const linesOfError = 3

const textOf = ({ message = '', stack = '' }) => {
  const place = stack.split('\n').find((line) => /^\s+at .*\.ts:\d+/.test(line) && !line.includes('node_modules'))
  return [...message.split('\n').slice(0, linesOfError), ...(place === undefined ? [] : [place.trim()])]
}

const failuresOf = (module) => [
  ...module.errors().map((error) => ({ name: 'the file', error: textOf(error) })),
  ...[...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map((error) => ({ name: suite.fullName, error: textOf(error) })),
  ),
  ...[...module.children.allTests()].flatMap((test) => {
    const { state, errors = [] } = test.result()
    if (state === 'passed') return []
    return [{ name: test.fullName, error: state === 'failed' ? errors.flatMap(textOf) : [`The test is ${state}`] }]
  }),
]

export default class {
  #files = []

  onTestRunStart(specifications) {
    this.#files = [...new Set(specifications.map(({ moduleId }) => moduleId))]
  }

  onTestRunEnd(modules, unhandled) {
    const loose = unhandled.map((error) => ({
      file: error.VITEST_TEST_PATH ?? null,
      name: 'outside of tests',
      error: textOf(error),
    }))
    const files = this.#files.map((file) => {
      const module = modules.find(({ moduleId }) => moduleId === file)
      const hasEnded = module !== undefined && ['passed', 'failed', 'skipped'].includes(module.state())
      const own = hasEnded ? failuresOf(module) : [{ name: 'the file', error: ['The file did not run to its end'] }]
      const tests = module === undefined ? [] : [...module.children.allTests()]
      const passed = tests.filter((test) => test.result().state === 'passed').length
      const seconds = module === undefined ? 0 : module.diagnostic().duration / 1000
      return { file, passed, seconds, hasEnded, failures: [...own, ...loose.filter((each) => each.file === file)] }
    })
    // The end of a process is an error of the pool, and told already by the file that it interrupted.
    const isTold = ({ error }) => error[0].startsWith('[vitest-pool]') && files.some(({ hasEnded }) => !hasEnded)
    const homeless = loose.filter((each) => !this.#files.includes(each.file) && !isTold(each))
    if (homeless.length > 0) files.push({ file: null, passed: 0, failures: homeless })
    writeFileSync(process.env.TEST_REPORT, JSON.stringify(files))
  }
}
