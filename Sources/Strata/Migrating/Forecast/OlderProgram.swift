import StrataStorage

extension MigrationForecast.OlderProgram {
  /// Decides for programs with the classes of a schema.
  package init(_ program: Schema, version: UInt64, with file: RecordedFile) {
    let compatibility = Compatibility.of(program: program, version: version, with: file)
    let obstacles = compatibility.obstacles(to: .changing)
    let canRead = compatibility.obstacles(to: .reading).isEmpty
    self.init(
      version: version, use: obstacles.isEmpty ? .writing : canRead ? .reading : .nothing,
      reasons: obstacles.map(\.text),
      refusedAdditions: canRead
        ? compatibility.insertions.mapValues { $0.map(\.text) } : [:])
  }

  /// Decides for programs of all versions before the last one.
  static func all(with file: RecordedFile) -> [MigrationForecast.OlderProgram] {
    file.versions.dropLast().map { older in
      MigrationForecast.OlderProgram(
        older.record.schema, version: older.version, with: file)
    }
  }
}

extension MigrationForecast.OlderProgram: CustomStringConvertible {
  /// A sentence with the use, and the reasons on lines of their own.
  public var description: String {
    let verb =
      switch use {
      case .writing: "may read and write"
      case .reading: "may only read"
      case .nothing: "can't open"
      }
    let additions = refusedAdditions.sorted { $0.key < $1.key }.map { className, reasons in
      "\n- Objects of '\(className)' can't be added: \(reasons.joined(separator: " "))"
    }
    return "Programs of version \(version) \(verb) the file."
      + reasons.map { "\n- \($0)" }.joined() + additions.joined()
  }
}
