import StrataQuery
import TestKit
import Testing

@Suite("The words of a full-text search")
struct TextWordsTests {
  private func problem(_ text: String) -> PredicateProblem? {
    do throws(PredicateProblem) {
      _ = try TextWords(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("swift", #"("swift")"#), ("  swift\tis ", #"("swift" AND "is")"#),
    ("swift -java comp*", #"("swift" AND "comp" *) NOT ("java")"#),
    ("-java* -c swift", #"("swift") NOT ("java" * OR "c")"#), ("AND OR", #"("AND" AND "OR")"#),
    ("2024 größe", #"("2024" AND "größe")"#), ("e\u{301}t", "(\"e\u{301}t\")"),
    ("日本語", #"("日本語")"#),
  ])
  func `Words become an expression of FTS5`(text: String, expression: String) throws {
    try expectEqual(TextWords(text).expression, expression)
  }

  @Test(arguments: [
    "c++", "don't", "a\"b", "a-b", "--a", "-", "*", "a**", "*a", "a\0", "\u{301}", "(a)", "name:a",
    "^a",
  ])
  func `What is no word is named, and not logged`(text: String) {
    let problem = problem("swift \(text)")
    expectEqual(
      problem?.message,
      "'\(text)' is no word of a full-text search: a word has letters and numbers only, perhaps "
        + "with '-' before it or '*' behind it. Leave out other signs, or put spaces in their place."
    )
    expectEqual(problem?.loggedMessage.hasPrefix("A part of the text is no word"), true)
  }

  @Test func `A word must be wanted, and not too many`() {
    expectEqual(problem(" ")?.message, "A full-text search needs a word. The text has none.")
    expectEqual(
      problem("-a -b")?.message.hasPrefix("A full-text search needs a word that must occur."), true)
    expectNil(problem(String(repeating: "a ", count: 200)))
    expectEqual(
      problem(String(repeating: "a ", count: 201))?.message.hasPrefix(
        "A full-text search can have 200 words. The text has 201"), true)
  }

  @Test(arguments: [
    ("swift", true), ("swi*", true), ("swi", false), ("swift -java", true), ("swift -is", false),
    ("fast is", true), ("fast slow", false), ("2", true), ("swift -ja*", true),
    ("fast -sw*", false),
  ])
  func `Words are found in a text in memory`(words: String, isFound: Bool) throws {
    try expectEqual(TextWords(words).match("(Swift) is fast, 2!") { $0.lowercased() }, isFound)
  }
}
