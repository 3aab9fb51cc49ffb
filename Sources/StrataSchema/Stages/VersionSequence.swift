/// The check of the numbers of successive versions.
package enum VersionSequence {
  /// The reason why numbers don't form a sequence of versions.
  package enum Problem: Sendable, Hashable {
    /// There are no versions.
    case empty
    /// A number is less than 0.
    case negative(Int)
    /// A number occurs more than once.
    case twice(Int)
    /// A number is less than the previous one.
    case descending(from: Int, to: Int)
    /// Numbers are missing.
    case gap(after: Int, before: Int)
  }

  /// Returns all problems, in the order of the numbers.
  ///
  /// Each version must be listed, because a file may be at any of them, and a stage leads from each
  /// version to the next.
  package static func problems(in versions: [Int]) -> [Problem] {
    guard !versions.isEmpty else { return [.empty] }
    var problems = versions.filter { $0 < 0 }.map(Problem.negative)
    for (before, after) in zip(versions, versions.dropFirst()) {
      if after == before {
        problems.append(.twice(after))
      } else if after < before {
        problems.append(
          versions.count(where: { $0 == after }) > 1
            ? .twice(after) : .descending(from: before, to: after))
      } else if after > before + 1 {
        problems.append(.gap(after: before, before: after))
      }
    }
    return problems
  }
}

extension VersionSequence.Problem: CustomStringConvertible {
  /// The problem and the repair.
  package var description: String {
    switch self {
    case .empty:
      "It has no versions. List at least the one that the program is at."
    case .negative(let version):
      "Version \(version) is less than 0. Versions begin at 0."
    case .twice(let version):
      "Version \(version) is listed twice. Remove one of the two, or give it a number of its own."
    case .descending(let before, let after):
      "Version \(after) comes after version \(before). List versions in ascending order."
    case .gap(let before, let after) where after == before + 2:
      "Version \(before + 1) is missing between \(before) and \(after). Add it, as classes or frozen, "
        + "or number the versions without gaps."
    case .gap(let before, let after):
      "Versions \(before + 1) to \(after - 1) are missing between \(before) and \(after). Add them, "
        + "as classes or frozen, or number the versions without gaps."
    }
  }
}
