/** Positions in the log of a Postgres server, such as `0/16B3748`: how far a write has come, and a replica. */

/** The position as a number that can be compared; null for text that is none. */
export function toPosition(text: string | null | undefined): bigint | null {
  const match = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text ?? '')
  if (match === null) return null
  return (BigInt(`0x${match[1]}`) << 32n) | BigInt(`0x${match[2]}`)
}

/** The position of everything that is committed now. */
export const currentPosition = {
  task: 'readPosition',
  text: 'select pg_current_wal_insert_lsn()::text as position',
  values: [],
}

/** How far a replica has come; null on a server that is none. */
export const replayedPosition = {
  task: 'readReplayedPosition',
  text: 'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position',
  values: [],
}
