/** `/robots.txt`: what search engines may read. */
import { text } from '../reply/reply.ts'

const nothing = 'User-agent: *\nDisallow: /\n'

export const createRobots = (configured: string | null) => async (path: string) =>
  path === '/robots.txt' ? text(configured ?? nothing, 'text/plain; charset=utf-8') : null
