/** Limit server 2: Express 5; the database builds the response as one JSON text. */
import express from 'express'
import { Pool } from 'pg'
import { readBody, workloadOf } from './limit.ts'

const pool = new Pool({
  connectionString: process.env.DB_CONNECTION_STRING ?? '',
  max: 8,
  application_name: 'limit-json',
})
const app = express()
app.disable('etag')
app.disable('x-powered-by')

app.all('/{*path}', async (request, response) => {
  const { workload, parameters } = workloadOf(request.url)
  const values = [...(workload.method === 'GET' ? parameters : await readBody(request))]
  const result = await pool.query<{ data: string }>({ name: workload.name, text: workload.asJson, values })
  let meta = ''
  if (workload.counts !== undefined) {
    const counts = await pool.query({ name: `${workload.name} counts`, text: workload.counts.text, values })
    meta = `"meta":${JSON.stringify(counts.rows[0])},`
  }
  const bytes = Buffer.from(`{${meta}"data":${result.rows[0]?.data}}`)
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length })
  response.end(bytes)
})

const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('SIGTERM', () => process.exit(0))
