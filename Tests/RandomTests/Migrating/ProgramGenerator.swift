import StrataSchema
import TestKit

/// Makes random programs for the change from one schema to another.
struct ProgramGenerator {
  var random: SplitMix64
  let old: Schema
  let new: Schema
  /// Loops in loops over many rows would never end.
  let isLarge: Bool

  private var names: [String] {
    Set((old.objectSchema + new.objectSchema).map(\.className)).sorted()
  }

  private mutating func percent(_ chance: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < chance
  }

  private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func seed() -> UInt64 { random.next() }

  private mutating func className() -> String {
    percent(2) ? "Nobody" : names.randomElement(using: &random) ?? "A"
  }

  mutating func program() -> MigrationProgram {
    var program = MigrationProgram()
    for _ in 0..<Int.random(in: 1...7, using: &random) { program.statements.append(statement()) }
    for schema in new.objectSchema where schema.isEmbedded {
      guard old[schema.className]?.isEmbedded == false, percent(85) else { continue }
      program.statements.append(
        .embed(schema.className, orphans: percent(90), shared: percent(90)))
    }
    return program
  }

  private mutating func statement() -> MigrationProgram.Statement {
    switch number(100) {
    case 0..<62:
      return .loop(className(), stages(depth: 0), catchesErrors: percent(60))
    case 62..<72: return .create(className(), seed: seed())
    case 72..<76: return .deleteData(className())
    case 76..<90:
      let (name, from, to) = rename()
      return .rename(name, from: from, to: to)
    case 90: return .embed(className(), orphans: percent(50), shared: percent(50))
    default: return .kept(number(8), operation(depth: 1))
    }
  }

  /// Most of the time one that is allowed.
  private mutating func rename() -> (String, String, String) {
    var possible: [(String, String, String)] = []
    for after in new.stored.objectSchema {
      guard let before = old[after.className] else { continue }
      let gone = before.properties.filter { after.property(column: $0.columnName) == nil }
      for from in gone {
        for to in after.properties
        where to.typeName == from.typeName && (to.isNullable || !from.isNullable) {
          possible.append((after.className, from.columnName, to.columnName))
        }
      }
    }
    if let choice = possible.randomElement(using: &random), !percent(3) { return choice }
    guard percent(4) else { return ("Nobody", "x", "y") }
    return (className(), "p\(number(9))", percent(80) ? "p\(number(9))" : "temporary")
  }

  private mutating func stages(depth: Int) -> [MigrationProgram.RowStep] {
    (0..<Int.random(in: 1...(depth == 0 ? 6 : 3), using: &random)).map { _ in
      MigrationProgram.RowStep(rows: rows(depth), operation: operation(depth: depth))
    }
  }

  private mutating func rows(_ depth: Int) -> MigrationProgram.Rows {
    switch number(10) {
    case 0..<4: return .all
    case 4..<7:
      let stage = Int.random(in: 2...5, using: &random)
      return .every(stage, offset: number(stage))
    case 7: return .from(number(isLarge ? 1_500 : 5))
    default: return .only(number(isLarge ? (percent(50) ? 1_200 : 100) : 5))
    }
  }

  private mutating func operation(depth: Int) -> MigrationProgram.Operation {
    switch number(100) {
    case 0..<9: return .readOld(number(20), typed: percent(25))
    case 9..<19: return .readNew(number(20), typed: percent(25))
    case 19..<21: return .readAll
    case 21..<46: return .set(number(20), seed: seed(), typed: percent(30))
    case 46..<54: return .copy(number(20))
    case 54..<62: return .changeCollection(number(20), seed: seed())
    case 62..<67: return depth < 3 ? .follow(number(20), operation(depth: depth + 1)) : .readAll
    case 67..<70: return .keepNew
    case 70..<72: return .keepOld
    case 72..<77: return depth < 3 ? .kept(number(8), operation(depth: depth + 1)) : .readAll
    case 77..<83: return .create(className(), seed: seed())
    case 83..<87: return .deleteThis
    case 87..<90: return .delete(className(), seed: seed())
    case 90: return .deleteKept(number(8))
    case 91: return percent(30) ? .deleteData(className()) : .readAll
    case 92..<94:
      guard percent(40) else { return .readAll }
      let (name, from, to) = rename()
      return .rename(name, from: from, to: to)
    case 94..<97:
      return depth == 0 && !isLarge ? .loop(className(), stages(depth: 1)) : .readAll
    case 97: return .fail
    case 98: return percent(15) ? .mistake(number(5)) : .readAll
    default: return .readAll
    }
  }
}
