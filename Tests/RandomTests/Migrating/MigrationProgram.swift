/// The statements of a random migration block, as a value: it can be run again, and shortened.
struct MigrationProgram: CustomStringConvertible {
  var statements: [Statement] = []

  indirect enum Statement {
    case loop(String, [RowStep], catchesErrors: Bool)
    case create(String, seed: UInt64)
    case deleteData(String)
    case rename(String, from: String, to: String)
    case embed(String, orphans: Bool, shared: Bool)
    /// Does something with an object that a loop or a creation kept.
    case kept(Int, Operation)
  }

  /// An operation of a closure on some of the rows.
  struct RowStep {
    var rows: Rows
    var operation: Operation
  }

  enum Rows {
    case all
    case every(Int, offset: Int)
    case only(Int)
    case from(Int)

    func contains(_ index: Int) -> Bool {
      switch self {
      case .all: true
      case .every(let stage, let offset): index % stage == offset
      case .only(let row): index == row
      case .from(let row): index >= row
      }
    }
  }

  /// An operation. Numbers of properties are taken modulo the number of suitable properties.
  indirect enum Operation {
    case readOld(Int, typed: Bool)
    case readNew(Int, typed: Bool)
    case readAll
    case set(Int, seed: UInt64, typed: Bool)
    case copy(Int)
    case changeCollection(Int, seed: UInt64)
    case follow(Int, Operation)
    case keepOld
    case keepNew
    case kept(Int, Operation)
    case create(String, seed: UInt64)
    case deleteThis
    case delete(String, seed: UInt64)
    case deleteKept(Int)
    case deleteData(String)
    case rename(String, from: String, to: String)
    case loop(String, [RowStep])
    case fail
    case mistake(Int)
  }

  var description: String { statements.map { "\n    \($0)" }.joined() }
}

extension MigrationProgram {
  /// The same program without one of its parts, in every possible way.
  var shorter: [MigrationProgram] {
    statements.indices.flatMap { index -> [MigrationProgram] in
      var without = self
      without.statements.remove(at: index)
      guard case .loop(let name, let stages, let catches) = statements[index] else {
        return [without]
      }
      return [without]
        + Self.shorter(stages).map { stages in
          var copy = self
          copy.statements[index] = .loop(name, stages, catchesErrors: catches)
          return copy
        }
    }
  }

  private static func shorter(_ stages: [RowStep]) -> [[RowStep]] {
    stages.indices.flatMap { index -> [[RowStep]] in
      var without = stages
      without.remove(at: index)
      let changed = shorter(stages[index].operation).map { operation in
        var copy = stages
        copy[index].operation = operation
        return copy
      }
      return [without] + changed
    }
  }

  private static func shorter(_ operation: Operation) -> [Operation] {
    switch operation {
    case .loop(let name, let stages): shorter(stages).map { .loop(name, $0) }
    case .follow(_, let inner): [inner]
    case .kept(_, let inner): [inner]
    default: []
    }
  }
}
