/** Exit codes of the public contract. */
export const EXIT_OK = 0;
export const EXIT_REJECTED = 1;
export const EXIT_USAGE = 2;
export const EXIT_INCONCLUSIVE = 3;

/** The user asked for something that cannot be done; the message says what, where and what to do. */
export class UsageError extends Error {}
