import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The tests that `mutants.js` has chosen, in one project. */
const { test: { projects: _, ...test } = {}, ...rest } = base
export default mergeConfig(
  { ...rest, test },
  defineConfig({ test: { include: JSON.parse(process.env.MUTANTS_TESTS ?? '[]') } }),
)
