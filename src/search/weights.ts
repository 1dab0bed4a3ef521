/**
 * The numbers of the ranking. They were set by coarse steps on halves of labelled requests, each on one half and judged on the
 * other, and they are flat: half or double of most of them changes one answer in a hundred (`npm run bench -- search`).
 */
export const weights = {
  // A word in each field, and the length in words at which the weight stands as it is.
  name: 6,
  namePivot: 3,
  title: 3.5,
  titlePivot: 3,
  useWhen: 3,
  useWhenPivot: 4,
  lead: 2,
  leadPivot: 9,
  text: 0.7,
  textPivot: 25,
  input: 1,
  inputPivot: 6,
  inputText: 0.35,
  inputTextPivot: 30,
  /** How much longer fields count less, 0 to 1, and how soon more weight of one word adds little. */
  lengthShare: 0.5,
  saturation: 2,

  // What another form keeps of a word's weight.
  form: 0.97,
  derived: 0.7,
  same: 0.9,
  near: 0.65,
  far: 0.35,
  translation: 0.85,
  oneTypo: 0.9,
  twoTypos: 0.7,
  prefix: 0.6,
  part: 0.85,

  // What a word counts by its role in the request.
  weak: 0.25,
  value: 0.25,
  negated: 0.1,
  unknown: 0.5,
  entity: 0.5,
  pair: 0.5,
  characters: 0.6,
  negation: 1.2,
  /** A server's name in the tools' own scores, and an action outside of names: descriptions mention many. */
  serverName: 0.4,
  actionInText: 0.5,

  // The whole.
  coverage: 0.65,
  nameCoverage: 0.35,
  missingThing: 0.1,
  actionAgrees: 0.1,
  actionConflicts: 0.3,
  server: 1.2,
  serverTag: 0.5,
  serverUseWhen: 0.3,
  serverDescription: 0.3,
  serverKind: 0.4,
}
