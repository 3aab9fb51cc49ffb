/// The undo and redo steps.
struct EditHistory: Sendable {
  /// The changes that undo or redo one request.
  struct Step: Sendable {
    let title: String
    let edits: [Edit]
  }

  var undo: [Step] = []
  var redo: [Step] = []

  private static let maxSteps = 100
  /// The maximum size of the kept values in memory, approximately, in bytes.
  private static let maxBytes = 64 << 20

  /// Records a request. A request that can't be undone is nil: it clears the history, because
  /// undoing earlier steps would be out of order.
  mutating func record(_ step: Step?) {
    redo = []
    guard let step else {
      undo = []
      return
    }
    undo.append(step)
    trim()
  }

  private mutating func trim() {
    if undo.count > Self.maxSteps { undo.removeFirst(undo.count - Self.maxSteps) }
    var bytes = 0
    let kept = undo.reversed().prefix { step in
      bytes += step.edits.reduce(0) { $0 + $1.byteCount }
      return bytes <= Self.maxBytes
    }
    if kept.count < undo.count { undo = Array(kept.reversed()) }
  }
}

extension EditHistory.Step {
  /// The title of some changes, for people: `Set Person.age of 3 objects`.
  static func title(of edits: [Edit]) -> String {
    let titles = edits.map(\.title)
    guard let first = titles.first,
      titles.allSatisfy({ $0.verb == first.verb && $0.subject == first.subject })
    else { return edits.count == 1 ? "1 change" : "\(edits.count) changes" }
    let subject = PlainText.of(first.subject)
    guard first.object != nil else { return "\(first.verb) \(edits.count) \(subject)" }
    let count = Set(titles.compactMap(\.object)).count
    return "\(first.verb) \(subject) of \(count) \(count == 1 ? "object" : "objects")"
  }
}
