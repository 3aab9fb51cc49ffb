/// How long a contestant took.
struct ContestantReport: Encodable {
  let role: Role
  let seconds: Samples
}
