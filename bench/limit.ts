/** Code shared by the limit servers: finds the workload and the parameters of a request. */
import type { IncomingMessage } from 'node:http'
import type { Workload } from './workload.ts'
import { workloads } from './workloads.ts'

const byName = new Map(workloads.map((workload) => [workload.name, workload]))

/** Parses `/<workload name>?[parameters]`; both are URI-encoded, and parameters are a JSON list. */
export function workloadOf(url: string): { workload: Workload; parameters: readonly (string | number)[] } {
  const cut = url.indexOf('?')
  const workload = byName.get(decodeURIComponent(url.slice(1, cut)))
  if (workload === undefined) throw new Error(`unknown workload in ${url}`)
  return { workload, parameters: JSON.parse(decodeURIComponent(url.slice(cut + 1))) as (string | number)[] }
}

/** Parses the JSON body: a list of parameters. */
export async function readBody(request: IncomingMessage): Promise<readonly (string | number)[]> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as (string | number)[]
}
