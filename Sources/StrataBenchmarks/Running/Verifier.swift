/// Finds out whether the contestants of a case do the same work.
struct Verifier {
  private let workspace: Workspace
  private static let rows = 1_000

  init(_ workspace: Workspace) {
    self.workspace = workspace
  }

  func check(_ item: Case) throws {
    let expected = try result(of: item.contestants[0], item)
    for contestant in item.contestants.dropFirst() where contestant.role != .fewRows {
      let found = try result(of: contestant, item)
      guard found != expected else { continue }
      let ours = Set(expected)
      let others = Set(found)
      throw Unexpected(
        """
        '\(item.name)': \(contestant.role.title) doesn't do the same work. Among what differs:
        Strata: \(expected.first { !others.contains($0) } ?? "nothing more")
        \(contestant.role.title): \(found.first { !ours.contains($0) } ?? "nothing more")
        """)
    }
  }

  private func result(of contestant: Contestant, _ item: Case) throws -> [String] {
    let trial = try workspace.run(contestant, of: item, rows: Self.rows)
    return ["answer \(trial.answer)"] + (try DatabaseContents.lines(of: trial.file))
  }
}
