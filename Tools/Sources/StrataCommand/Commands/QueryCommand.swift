import ArgumentParser
import Foundation
import GRDB
import Strata
import StrataStudio

struct QueryCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Asks a file for objects, in the language of NSPredicate.",
    discussion: """
      A question is the name of a class, and then, each if it is wanted and in this order: 'where' and a condition, \
      'sort' and properties ('-' in front for descending), 'limit' and a number, 'show' and properties, also behind \
      links. A terminal gets 100 objects unless there is a limit. The exit status is 1 if nothing is found.

      Examples:
        strata query people.sqlite 'Person where age > 3 sort -age limit 10'
        strata query people.sqlite "Person where ANY pets.name == 'Bruno' show fullName, address.city"
        strata query people.sqlite 'Person where age > 3' --count
        strata query people.sqlite Person --ndjson | jq .fullName
      """)

  @Argument(help: .anyFile, completion: .file()) var file: String
  @Argument(help: "The question.") var question: String
  @Flag(help: "Write CSV.") var csv = false
  @Flag(help: "Write an object of JSON in each line.") var ndjson = false
  @Flag(help: "Print how many objects there are.") var count = false
  @Flag(help: "Print the statement in SQL, and how SQLite finds the objects.") var explain = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var paths: [String] { [file] }

  /// The limit in a terminal if the question has none.
  private static let usualLimit = 100

  func validate() throws {
    guard [csv, ndjson, output.json, count, explain].count(where: { $0 }) <= 1 else {
      throw ValidationError(
        "'--csv', '--ndjson', '--json', '--count' and '--explain' exclude each other: give one.")
    }
  }

  func perform() throws -> CommandResult {
    let text = try parsed()
    let asked = try QuestionFile(InputFile(file, keyFile: key.keyFile))
    let question = Question(
      text.className, where: text.condition, sort: text.sort.map(Question.SortKey.init(marked:)))
    do {
      return try asked.read { try answer(question, text, asked.schema, $0) }
    } catch let failure as RequestFailure {
      throw CommandFailure(failure, in: self.question, conditionColumn: text.conditionColumn)
    }
  }

  private func parsed() throws -> QueryText {
    do throws(QueryText.Mistake) {
      return try QueryText(question)
    } catch {
      throw CommandFailure(question, error.message, column: error.column)
    }
  }

  private func answer(
    _ question: Question, _ text: QueryText, _ schema: StudioSchema, _ db: Database
  ) throws -> CommandResult {
    if explain {
      let explanation = try Explanation(question, schema, db)
      return CommandResult([explanation.sql] + explanation.steps.map { "  \($0)" })
    }
    let limit = text.limit ?? (isatty(STDOUT_FILENO) != 0 ? Self.usualLimit : nil)
    if count {
      let number = try Answer(question, schema, db).count(atMost: text.limit)
      return CommandResult(["\(number)"], number == 0 ? .found : .success)
    }
    let answer = try Answer(question, schema, db, showing: text.shown, limit: limit)
    let invalid = InvalidValues(includesEmbedded: true)
    let found =
      if csv {
        try answer.writeText(.csv, noting: invalid) { try write($0) }
      } else if ndjson {
        try answer.writeText(.ndjson, noting: invalid) { try write($0) }
      } else if output.json {
        try answer.writeJSON { try write($0) }
      } else {
        try writeTable(answer)
      }
    invalid.warn()
    return CommandResult([], found == 0 ? .found : .success)
  }

  private func writeTable(_ answer: Answer) throws -> Int {
    var table = AnswerTable(
      [.init("id", .right)]
        + answer.columns.map {
          .init(PlainText.of($0.path), CellText.isNumber($0.property) ? .right : .left)
        })
    var pending = ""
    let found = try answer.forEach { identity, values in
      let cells = zip(values, answer.columns).map { CellText.of($0, $1.property) }
      for line in table.add(["\(identity)"] + cells) { pending += line + "\n" }
      guard pending.utf8.count > Self.pieceLength else { return }
      try write(pending)
      pending = ""
    }
    for line in table.end() { pending += line + "\n" }
    try write(pending)
    return found
  }

  /// The number of bytes to collect before a write: writing one line costs as much as making it.
  private static let pieceLength = 16_384

  private func write(_ text: String) throws {
    try Interruption.check()
    try CommandResult.write(text)
  }
}
