import Foundation
import GRDB
import StrataQuery
import StrataSchema

extension StatementArguments {
  init(_ values: [StoredValue]) {
    self.init(values.map(\.databaseValue))
  }
}

extension StoredValue {
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }
}

extension QuerySQL {
  /// The parameters as GRDB binds them.
  var arguments: StatementArguments { StatementArguments(parameters) }

  /// How many rows there are.
  func count(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: aggregate("count(*)"), arguments: arguments) ?? 0
  }
}
