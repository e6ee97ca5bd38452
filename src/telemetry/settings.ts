/** Settings of metrics, traces and slow statements. */
export type TelemetrySettings = {
  /** Null = no metrics. */
  readonly metrics: MetricsSettings | null
  /** Null = no traces. */
  readonly traces: { readonly comments: boolean } | null
  /** Milliseconds from which on a statement is logged; null = none is. */
  readonly slow: number | null
  /** Whether the plans of slow reads are logged, too. */
  readonly plans: boolean
}

export type MetricsSettings = {
  /** Null = the main server answers. */
  readonly listen: { readonly host: string; readonly port: number } | null
  /** Null = everybody who reaches the port may read them. */
  readonly token: string | null
}
