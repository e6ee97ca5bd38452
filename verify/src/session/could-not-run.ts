/** The deployment cannot be verified: not reachable, no administrator, or the set-up was refused. */
export class CouldNotRun extends Error {}
