/** The process of one check of the doctor: `doctor-check.ts <component>` sends the findings to the process that started it. */
import { loadConfig } from '../config/config.ts'
import { type Component, checks } from './doctor-checks.ts'

const findings = await checks[process.argv[2] as Component](loadConfig())
process.send?.(findings)
