/** The time limit of writes on MySQL, whose own limit, `max_execution_time`, ends reads only. */
import type { Rendered } from './render.ts'

type Plan = readonly Pick<Rendered, 'sql'>[]

const isWrite = /^\s*(insert|update|delete|replace)\b/i

/** The limit that the plan sets for later statements of its session, in milliseconds; 0 = without a limit. */
export function limitOf(plan: Plan): number | null {
  const time = plan.map(({ sql }) => /^set session .*max_execution_time = (\d+)/is.exec(sql)?.[1]).find(Boolean)
  return time === undefined ? null : Number(time)
}

type Limits = { readonly time: number; readonly cancel: () => Promise<void> }

/** Cancels the statements of a plan that writes once the time is over. The connection is free only after that. */
export async function limitWrites<T>(plan: Plan, { time, cancel }: Limits, work: () => Promise<T>): Promise<T> {
  if (time === 0 || !plan.some(({ sql }) => isWrite.test(sql))) return work()
  let cancellation: Promise<void> | undefined
  // It is cancelled again and again: a cancellation between two statements ends neither.
  const timer = setInterval(() => {
    cancellation = cancel()
  }, time)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await cancellation
  }
}
