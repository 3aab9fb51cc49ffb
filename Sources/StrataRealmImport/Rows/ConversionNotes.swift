import StrataStorage

/// The findings of a conversion, and the embedded objects that have a parent.
final class ConversionNotes {
  /// Findings that a choice changes or omits.
  private(set) var settled = ConversionFindings()
  /// Findings that make the conversion impossible.
  private(set) var refused = ConversionFindings()
  /// The identities of objects that have a parent, by embedded class.
  private var children: [String: RowSet] = [:]

  /// The identity of the object that is being converted; nil between classes.
  var identity: Int64?
  private let didSettle: (@Sendable (ConversionFinding, Int64) -> Void)?

  init(_ didSettle: (@Sendable (ConversionFinding, Int64) -> Void)? = nil) {
    self.didSettle = didSettle
  }

  /// Whether nothing more is written.
  private(set) var isRefused = false

  func settle(
    _ kind: ConversionFinding.Kind, _ finding: @autoclosure () -> ConversionFinding
  ) {
    settled.record(kind, finding())
    if let didSettle, let identity { didSettle(finding(), identity) }
  }

  func refuse(
    _ kind: ConversionFinding.Kind, _ finding: @autoclosure () -> ConversionFinding
  ) {
    isRefused = true
    refused.record(kind, finding())
  }

  /// Records a finding for which there may be a choice.
  ///
  /// - Parameter isSettled: Whether a choice was made.
  func record(
    _ kind: ConversionFinding.Kind, isSettled: Bool,
    _ finding: @autoclosure () -> ConversionFinding
  ) {
    if isSettled { settle(kind, finding()) } else { refuse(kind, finding()) }
  }

  /// Records that an object has a parent.
  ///
  /// - Returns: False if it had one already.
  func adopt(_ className: String, _ identity: Int64) -> Bool {
    children[className, default: RowSet()].insert(identity)
  }

  func children(of className: String) -> RowSet { children[className] ?? RowSet() }
}

/// The context that the converters of all classes of a file share.
struct ConversionContext {
  let choices: ConversionChoices
  let notes: ConversionNotes
  /// The objects of each class that links can lead to.
  var keys: [String: ObjectKeys] = [:]
  /// The classes of embedded objects.
  let embedded: Set<String>
}
