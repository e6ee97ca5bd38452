import type { Statement } from '../../domain/ports/context.ts'

/** Whether the statement can be repeated safely: a query, or one with scans (`../conditions/scans.ts`). */
export const isRead = ({ text }: Pick<Statement, 'text'>): boolean =>
  /^\s*(explain \(format json\) |explain format=json )?(select\b|with s0 as materialized \(select\b)/i.test(text)
