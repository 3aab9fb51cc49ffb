import Strata
import StrataSchema

/// The import of files, each into one class, inside of a transaction. Objects are created first.
/// Links to objects that came later in the input are set at the end.
struct Importer {
  private let parts: [ImportPart]
  private var classes: [ClassImporter]
  private let keys = ImportedKeys()
  /// The problems that are found only at the end of the input, by row number, for each part.
  private(set) var known: [[Int: [ImportReport.Problem]]]
  private let isCancelled: Cancellation?

  /// The error for such problems. The caller starts again without these rows.
  struct MistakesAtEnd: Error {}

  /// - Parameter known: The problems that an earlier attempt found at the end.
  /// - Throws: ``RequestFailure`` with status 404 or 422 for an invalid input or mapping.
  init(
    _ parts: [ImportPart], _ wish: ImportWish, _ schema: StudioSchema,
    known: [[Int: [ImportReport.Problem]]]? = nil
  ) throws(RequestFailure) {
    self.parts = parts
    isCancelled = wish.cancellation
    self.known = known ?? parts.map { _ in [:] }
    classes = []
    for (index, part) in parts.enumerated() {
      classes.append(
        try ClassImporter(part, wish, schema, keys, known: self.known[index]))
    }
  }

  var reports: [ImportReport] { classes.map(\.report) }

  /// Imports all valid objects.
  ///
  /// - Returns: The changes that undo the import, in the order in which they must be applied.
  /// - Throws: ``MistakesAtEnd``; ``ClassImporter/NoProperty``.
  mutating func perform(_ run: inout EditRun) throws -> [Edit] {
    let links = try ImportLinks(run.schema, run.realm, into: Set(parts.map(\.className)))
    for (part, importer) in zip(parts, classes) {
      if let hasIdentities = importer.hasIdentities {
        links.recordIdentities(of: part.className, hasIdentities)
      }
    }
    let values = ImportValues(schema: run.schema, keys: keys, links: links)
    var opposites: [Edit] = []
    for index in classes.indices {
      try classes[index].perform(&run, values, links, &opposites)
    }
    links.isComplete = true
    try finish(&run, values, links, &opposites)
    return opposites
  }

  /// Sets the deferred values, if all of them are valid.
  private mutating func finish(
    _ run: inout EditRun, _ values: ImportValues, _ links: ImportLinks, _ opposites: inout [Edit]
  ) throws {
    var areAllRight = true
    for index in classes.indices {
      for pending in classes[index].pending {
        try isCancelled?.check()
        let (draft, mistakes) = try classes[index].read(pending, values)
        if mistakes.isEmpty, areAllRight {
          try classes[index].finish(pending, draft, &run, &opposites)
        } else if !mistakes.isEmpty {
          areAllRight = false
          leaveOut(pending, mistakes, index, links)
        }
      }
    }
    guard !areAllRight else { return }
    // An object that links to a skipped object is skipped, too.
    while try leaveOutMore(values, links) {}
    for part in parts where !part.input.isLasting { throw unreadable() }
    throw MistakesAtEnd()
  }

  private mutating func leaveOutMore(_ values: ImportValues, _ links: ImportLinks) throws -> Bool {
    var isMore = false
    for index in classes.indices {
      for pending in classes[index].pending where known[index][pending.row] == nil {
        let mistakes = try classes[index].read(pending, values).mistakes
        guard !mistakes.isEmpty else { continue }
        isMore = true
        leaveOut(pending, mistakes, index, links)
      }
    }
    return isMore
  }

  private mutating func leaveOut(
    _ pending: ClassImporter.Pending, _ mistakes: [ImportReport.Problem], _ part: Int,
    _ links: ImportLinks
  ) {
    known[part][pending.row] = mistakes
    links.gone.insert(pending.link)
  }

  /// The failure of an input that can't be read again, such as a pipe.
  private func unreadable() -> RequestFailure {
    let first = known.lazy.flatMap(\.values).flatMap(\.self).min { $0.line < $1.line }
    let place = first.map { problem in
      "Line \(problem.line)\(problem.column.map { ", \(PlainText.of($0))" } ?? ""): \(problem.message) "
    }
    return .invalid(
      "\(place ?? "")A pipe can't be read again without this row. Write the input into a file "
        + "first.")
  }
}
