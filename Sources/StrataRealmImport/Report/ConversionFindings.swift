/// The findings of each kind: how many, and where the first ones are.
public struct ConversionFindings: Sendable, Hashable {
  /// How many findings of a kind are listed.
  public static let mostListed = 100

  /// The findings, the first hundred of each kind, in the order in which they were found.
  public private(set) var listed: [ConversionFinding] = []
  /// How many there are of each kind, listed or not.
  public private(set) var counts: [ConversionFinding.Kind: Int] = [:]

  package init() {}

  /// Whether nothing was found.
  public var isEmpty: Bool { counts.isEmpty }

  /// How many there are.
  public var count: Int { counts.values.reduce(0, +) }

  /// The listed findings of a kind.
  public subscript(kind: ConversionFinding.Kind) -> [ConversionFinding] {
    listed.filter { $0.kind == kind }
  }

  /// Notes a finding, which is described if it is to be listed.
  package mutating func note(
    _ kind: ConversionFinding.Kind, _ finding: @autoclosure () -> ConversionFinding
  ) {
    let count = counts[kind, default: 0]
    counts[kind] = count + 1
    if count < Self.mostListed { listed.append(finding()) }
  }
}
