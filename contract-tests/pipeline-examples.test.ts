/** The pipelines of `docs/ci` for GitHub and GitLab: their keys, and the syntax of their scripts. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

type Json = { readonly [key: string]: unknown }

const read = (name: string): Json =>
  parse(readFileSync(join(import.meta.dirname, '../docs/ci', name), 'utf8'), { strict: true, uniqueKeys: true }) as Json

/** Keys that a job of GitLab may have (https://docs.gitlab.com/ci/yaml/), of those that a plan can need. */
const jobKeys = new Set(['image', 'variables', 'rules', 'script', 'before_script', 'stage', 'needs', 'artifacts'])
const ruleKeys = new Set(['if', 'changes', 'exists', 'when', 'allow_failure', 'variables'])

/** What is wrong with a file of GitLab. */
function faultsOf(file: Json): readonly string[] {
  return Object.entries(file).flatMap(([name, given]) => {
    const { script, rules = [], variables = {}, ...job } = given as Json
    const isScript = Array.isArray(script) && script.length > 0 && script.every((line) => typeof line === 'string')
    return [
      ...(isScript ? [] : [`${name}: script is no list of texts`]),
      ...Object.keys(job)
        .filter((key) => !jobKeys.has(key))
        .map((key) => `${name}: ${key}`),
      ...(rules as readonly Json[]).flatMap((rule) =>
        Object.keys(rule)
          .filter((key) => !ruleKeys.has(key))
          .map((key) => `${name}: rules: ${key}`),
      ),
      ...Object.entries(variables as Json)
        .filter(([, value]) => typeof value !== 'string')
        .map(([key]) => `${name}: ${key}`),
    ]
  })
}

const syntaxOf = (script: string): string => spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).stderr

test('the file of GitLab has jobs, and scripts that a shell reads', () => {
  const file = read('gitlab-plan.yml')
  expect(faultsOf(file)).toEqual([])
  const { script } = file['plan'] as { readonly script: readonly string[] }
  expect(script.map(syntaxOf)).toEqual(script.map(() => ''))
})

test.each([
  [{ plan: {} }, 'plan: script is no list of texts'],
  [{ plan: { script: [{ code: 0 }] } }, 'plan: script is no list of texts'],
  [{ plan: { script: ['a'], scripts: [] } }, 'plan: scripts'],
  [{ plan: { script: ['a'], rules: [{ iff: '' }] } }, 'plan: rules: iff'],
  [{ plan: { script: ['a'], variables: { A: ['b'] } } }, 'plan: A'],
])('%j is no file of GitLab', (file, fault) => {
  expect(faultsOf(file)).toEqual([fault])
})

test('the file of GitHub has steps that run something, and scripts that a shell reads', () => {
  const { on, jobs } = read('github-plan.yml') as {
    readonly on: Json
    readonly jobs: { readonly [name: string]: Json }
  }
  expect(Object.keys(on)).toEqual(['pull_request'])
  const steps = Object.values(jobs).flatMap((job) => job['steps'] as readonly { uses?: string; run?: string }[])
  expect(steps.filter(({ uses, run }) => (uses === undefined) === (run === undefined))).toEqual([])
  expect(steps.filter(({ uses }) => uses !== undefined && !/^[\w-]+\/[\w-]+@v\d+$/.test(uses))).toEqual([])
  // Expressions are replaced before the shell reads the text.
  const scripts = steps.flatMap(({ run }) => (run === undefined ? [] : [run.replaceAll(/\$\{\{.*?\}\}/g, 'x')]))
  expect(scripts.map(syntaxOf)).toEqual(scripts.map(() => ''))
})
