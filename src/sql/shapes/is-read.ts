import type { Statement } from '../../domain/ports/context.ts'

/** Whether the statement can be repeated safely. */
export const isRead = ({ text }: Pick<Statement, 'text'>): boolean =>
  /^\s*(explain \(format json\) |explain format=json )?select\b/i.test(text)
