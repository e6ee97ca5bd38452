/** Limit server 1: node:http with prepared statements, row objects and JSON.stringify. */
import { createServer } from 'node:http'
import { Pool } from 'pg'
import { readBody, workloadOf } from './limit.ts'

const pool = new Pool({
  connectionString: process.env.DB_CONNECTION_STRING ?? '',
  max: 8,
  application_name: 'limit-rows',
})

const server = createServer((request, response) => {
  answer(request.url ?? '/', request).then(
    (body) => {
      const bytes = Buffer.from(body)
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length })
      response.end(bytes)
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

async function answer(url: string, request: Parameters<typeof readBody>[0]): Promise<string> {
  const { workload, parameters } = workloadOf(url)
  const values = workload.method === 'GET' ? parameters : await readBody(request)
  const result = await pool.query({ name: workload.name, text: workload.asRows, values: [...values] })
  const data: unknown = workload.answer === 'one' ? result.rows[0] : result.rows
  if (workload.counts === undefined) return JSON.stringify({ data })
  const counts = await pool.query({ name: `${workload.name} counts`, text: workload.counts.text, values: [...values] })
  return JSON.stringify({ meta: counts.rows[0] as unknown, data })
}

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('SIGTERM', () => process.exit(0))
