import StrataStorage

extension MigrationForecast: CustomStringConvertible {
  /// A table for a person, with what has to be decided.
  public var description: String {
    ([headline] + stages.map(\.description)).joined(separator: "\n\n")
  }

  private var headline: String {
    if let realmFilePath {
      return "'\(path)' is made of the file of Realm '\(realmFilePath)'. It \(whole)"
    }
    guard let seedPath else { return "'\(path)' \(whole)" }
    return "'\(path)' begins as a copy of the seed '\(seedPath)'. It \(whole)"
  }

  /// What becomes of the file as a whole.
  private var whole: String {
    switch outcome {
    case .nothing: "is at schema version \(to), and needs nothing."
    case .create: "is created at schema version \(to)."
    case .freeChanges:
      "stays at schema version \(to), and gets what needs no higher one."
    case .startOver: "begins again at schema version \(to), empty."
    case .migrate:
      "is migrated from schema version \(from ?? 0) to \(to): "
        + "\(stages.count) \(stages.count == 1 ? "stage" : "stages"), \(rows.grouped) rows besides "
        + "closures, \(obstacles.isEmpty ? "no obstacles" : "\(obstacles.count) \(obstacles.count == 1 ? "obstacle" : "obstacles")")."
    }
  }

  static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1_024: return "\(bytes) B"
    case ..<1_048_576: return "\(bytes / 1_024) KB"
    default:
      let tenths = bytes / 104_858
      return "\(tenths / 10).\(tenths % 10) MB"
    }
  }
}

extension MigrationForecast.Stage: CustomStringConvertible {
  public var description: String {
    let versions = from.map { "Version \($0) to \(to)" } ?? "Version \(to)"
    let rows = operations.map {
      [
        $0.text, $0.rows == 0 ? "" : $0.rows.grouped,
        $0.bytes.map(MigrationForecast.size) ?? "",
      ]
    }
    var lines = ["\(versions)\(runsClosure ? ", with a closure" : ""):"]
    if !rows.isEmpty {
      let numbers = [""] + rows.indices.map { "\($0 + 1)" }
      let width = String(rows.count).count
      let table = AlignedColumns.lines([["what", "rows", "size"]] + rows)
      lines += zip(numbers, table).map { number, line in
        "  \(String(repeating: " ", count: width - number.count))\(number)  \(line)"
      }
    } else if findings.isEmpty, !runsClosure {
      lines.append("     nothing")
    }
    lines += findings.map { "  \($0.sign)  \($0)" }
    return lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    .joined(separator: "\n")
  }
}

extension MigrationForecast.Finding: CustomStringConvertible {
  /// `!` for what fails, `?` for what depends on closures or earlier changes, `-` for what happens.
  fileprivate var sign: String {
    switch consequence {
    case .happens: "-"
    case .fails: "!"
    case .dependsOnClosure, .dependsOnEarlierChanges: "?"
    }
  }

  /// What it is, and what comes of it.
  public var description: String {
    func count(_ value: Int, _ noun: String) -> String {
      "\(value.grouped) \(noun)\(value == 1 ? "" : "s")"
    }
    let text =
      switch kind {
      case .lostValues(let property, let rows):
        "'\(property)' loses its values in \(count(rows, "row"))"
      case .nilInRequired(let property, let rows):
        "'\(property)' becomes required, and is nil in \(count(rows, "row")), which get the default"
      case .duplicateKeys(let property, let values, let rows, let examples):
        "'\(property)' becomes the primary key, and \(count(values, "value")) "
          + "\(values == 1 ? "is" : "are") in more than one of \(count(rows, "row")) "
          + "(\(examples.joined(separator: ", ")))"
      case .orphans(let className, let objects):
        "'\(className)' becomes embedded, and \(count(objects, "object")) "
          + "\(objects == 1 ? "has" : "have") no parent"
      case .sharedObjects(let className, let objects):
        "'\(className)' becomes embedded, and \(count(objects, "object")) "
          + "\(objects == 1 ? "has" : "have") several parents"
      case .heldByAnyValue(let className, let property):
        "'\(className)' becomes embedded, and the AnyRealmValue '\(property)' holds objects of it"
      case .droppedClass(let className, let objects):
        "'\(className)' is dropped, with \(count(objects, "object"))"
      case .looksRenamed(let old, let new, let objects):
        "'\(new)' is new and looks like '\(old)', whose \(count(objects, "object")) "
          + "\(objects == 1 ? "stays" : "stay") in a table that the program doesn't know"
      case .danglingReferences(let table, let references):
        "\(count(references, "reference")) of '\(table)' \(references == 1 ? "already points" : "already point") "
          + "to \(references == 1 ? "a missing row" : "missing rows")"
      }
    switch consequence {
    case .happens: return text + "."
    case .fails: return text + ": the migration fails."
    case .dependsOnClosure: return text + ", unless the closure handles it."
    case .dependsOnEarlierChanges: return text + ", unless that has changed by then."
    }
  }
}
