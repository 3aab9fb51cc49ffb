import StrataStorage

/// The notes of a conversion, and the objects that have got parents.
final class ConversionNotes {
  /// What choices say of it: changed or left out.
  private(set) var settled = ConversionFindings()
  /// What makes the conversion impossible.
  private(set) var refused = ConversionFindings()
  /// By embedded class, the identities of objects that have a parent.
  private var children: [String: RowSet] = [:]

  /// The identity of the object that is being converted; nil between classes.
  var identity: Int64?
  private let didSettle: (@Sendable (ConversionFinding, Int64) -> Void)?

  init(_ didSettle: (@Sendable (ConversionFinding, Int64) -> Void)? = nil) {
    self.didSettle = didSettle
  }

  /// Whether nothing more is to be written.
  private(set) var isRefused = false

  func settle(
    _ kind: ConversionFinding.Kind, _ finding: @autoclosure () -> ConversionFinding
  ) {
    settled.note(kind, finding())
    if let didSettle, let identity { didSettle(finding(), identity) }
  }

  func refuse(
    _ kind: ConversionFinding.Kind, _ finding: @autoclosure () -> ConversionFinding
  ) {
    isRefused = true
    refused.note(kind, finding())
  }

  /// Notes something for which there is a choice.
  ///
  /// - Parameter isSettled: Whether the choice says what becomes of it.
  func note(
    _ kind: ConversionFinding.Kind, isSettled: Bool,
    _ finding: @autoclosure () -> ConversionFinding
  ) {
    if isSettled { settle(kind, finding()) } else { refuse(kind, finding()) }
  }

  /// An object has got a parent.
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
