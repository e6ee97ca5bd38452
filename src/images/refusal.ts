/** The request cannot be fulfilled. The message is shown to the client. */
export class Refusal extends Error {}
