/** A Galera cluster of MariaDB that a test starts, and whose nodes it kills, from the binaries of the machine. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { askServer, call, createProcess, installMariaDb, serverCommand, serverUser } from './mariadb-server.ts'
import { createFolder, findFreePort } from './postgres-cluster.ts'

const providers = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so']

/** The library by which nodes replicate. */
function findProvider(): string {
  const found = providers.find((path) => existsSync(path))
  if (found === undefined) throw new Error(`Expected one of ${providers.join(', ')}: install galera-4`)
  return found
}

export type GaleraNode = {
  readonly port: number
  readonly url: string
  readonly query: (text: string) => Promise<readonly Record<string, unknown>[]>
  /** Ends it without a chance to write anything. */
  readonly kill: () => Promise<void>
  /** Starts it again. It takes what it has missed from the others. */
  readonly start: () => Promise<void>
}

export type GaleraCluster = { readonly nodes: readonly GaleraNode[]; readonly close: () => Promise<void> }

type Ports = { readonly sql: number; readonly group: number; readonly state: number }

/** Starts a new cluster with an empty database `test`. */
export async function startGalera(size: number): Promise<GaleraCluster> {
  const folder = createFolder(serverUser)
  const provider = findProvider()
  const data = (at: number): string => join(folder, `node${at}`)
  await installMariaDb(data(0))
  const ports: Ports[] = []
  for (let at = 0; at < size; at += 1)
    ports.push({ sql: await findFreePort(), group: await findFreePort(), state: await findFreePort() })
  const group = ports.map((each) => `127.0.0.1:${each.group}`).join(',')
  const nodes = ports.map((each, at) => nodeOf({ folder: data(at), provider, ports: each, group }))
  const [first, ...others] = nodes as [StartedNode, ...StartedNode[]]
  // All nodes begin with the files of the first one, so that none has to be sent them.
  await first.found()
  await first.query('create database test character set utf8mb4 collate utf8mb4_bin')
  await first.stop()
  for (let at = 1; at < size; at += 1) await call('cp', '-a', data(0), data(at))
  await first.found()
  for (const node of others) await node.join()
  return {
    nodes,
    async close() {
      for (const node of nodes) await node.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type NodeOptions = {
  readonly folder: string
  readonly provider: string
  readonly ports: Ports
  readonly group: string
}

type StartedNode = GaleraNode & {
  /** Starts it as the first node of a cluster. */
  readonly found: () => Promise<void>
  /** Starts it beside the others, with what its files say that it has. */
  readonly join: () => Promise<void>
  readonly stop: () => Promise<void>
}

function nodeOf({ folder, provider, ports, group }: NodeOptions): StartedNode {
  const command = [
    ...serverCommand(folder, ports.sql),
    `--user=${serverUser}`,
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    // Each write is on the others before it is acknowledged; the own disk may come later.
    '--innodb-flush-log-at-trx-commit=0',
    '--wsrep-on=ON',
    `--wsrep-provider=${provider}`,
    `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${ports.group};ist.recv_addr=127.0.0.1:${ports.state};evs.keepalive_period=PT0.3S;evs.suspect_timeout=PT1S;evs.inactive_timeout=PT3S;evs.install_timeout=PT3S;gcache.size=32M`,
    '--wsrep-cluster-name=tandem',
    '--wsrep-node-address=127.0.0.1',
    '--wsrep-sst-method=rsync',
  ]
  const query: GaleraNode['query'] = (text) => askServer(ports.sql, text)
  const others = `--wsrep-cluster-address=gcomm://${group}`
  /** What the node has of the cluster's writes, as its own log says. */
  const recovered = async (): Promise<string> => {
    const { stderr } = await call(...command, others, '--wsrep-recover')
    return /Recovered position: (\S+)/.exec(stderr)?.[1] ?? '00000000-0000-0000-0000-000000000000:-1'
  }
  const { start, end } = createProcess(command, `${folder}.log`, async () => {
    const [row] = await query(`show status like 'wsrep_local_state_comment'`)
    return row?.['Value'] === 'Synced'
  })
  return {
    port: ports.sql,
    url: `mysql://root@127.0.0.1:${ports.sql}/test`,
    query,
    found: () => start('--wsrep-new-cluster', '--wsrep-cluster-address=gcomm://'),
    join: () => start(others),
    start: async () => start(others, `--wsrep-start-position=${await recovered()}`),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}
