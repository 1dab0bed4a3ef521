/**
 * Where fuzzing begins. Fixed, so that a red run can be repeated; `FUZZ_SEED=random` or a number explores elsewhere, and
 * fast-check prints the seed of a failure.
 */
export const seed: number =
  process.env.FUZZ_SEED === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(process.env.FUZZ_SEED ?? 20261129)
