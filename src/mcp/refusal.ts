/** Why a call is not answered, and what to do next: told to whoever called, as an error of the tool. */
export class Refusal extends Error {}
