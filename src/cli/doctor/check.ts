/**
 * The process of one check of the doctor: `doctor-check.ts <component>` tells the process that started it that the check
 * has begun, and then its findings.
 */
import { loadConfig } from '../../config/config.ts'
import { type Component, checks } from './checks.ts'

const config = loadConfig()
process.send?.('begun')
process.send?.(await checks[process.argv[2] as Component](config))
