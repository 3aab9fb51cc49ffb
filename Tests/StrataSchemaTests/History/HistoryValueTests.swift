import TestKit
import Testing

@testable import StrataSchema

@Suite struct HistoryGroupTests {
  @Test func `Groups are JSON, and back`() {
    let groups = [
      HistoryGroup("Order", .inserted, [1...100_000]),
      HistoryGroup("Order", .updated(["status", "it's \"x\""]), [7...7, 9...9, 12...15]),
      HistoryGroup("Person", .deleted, [Int64.min...Int64.min, 3...3, Int64.max...Int64.max]),
      HistoryGroup("Draft", .deletedAll(count: 412)),
    ]
    let text = HistoryGroup.text(groups)
    expectEqual(
      text,
      """
      [["Order","i",[[1,100000]]],["Order","u",["status","it's \\"x\\""],[7,9,[12,15]]],\
      ["Person","d",[-9223372036854775808,3,9223372036854775807]],["Draft","x",412]]
      """)
    expectEqual(HistoryGroup.groups(in: text), groups)
  }

  @Test(arguments: [
    "", "{}", "[1]", #"[["A"]]"#, #"[["A","q",[1]]]"#, #"[["A","i",[[3,1]]]]"#,
    #"[["A","i",["1"]]]"#, #"[["A","u",[1],[1]]]"#, #"[["A","x","1"]]"#,
  ])
  func `Other texts are none`(text: String) {
    expectNil(HistoryGroup.groups(in: text))
  }

  @Test func `Runs are identities that follow each other`() {
    expectEqual(HistoryGroup.runs([]), [])
    expectEqual(HistoryGroup.runs([1, 2, 3, 5, 7, 8]), [1...3, 5...5, 7...8])
    expectEqual(HistoryGroup.runs([.max - 1, .max]), [(.max - 1)...Int64.max])
  }
}

/// The properties with some numbers.
private func some(_ numbers: [UInt16]) -> PropertySet {
  PropertySet(numbers.map { _PropertySlot(number: $0) })
}

@Suite struct NetChangeTests {
  private func effect(_ kinds: [HistoryNote.Kind], _ properties: PropertySet = some([1]))
    -> NetChange?
  {
    NetChange.effects(
      of: kinds.map {
        HistoryNote(
          $0, row: 5,
          properties: [.updated, .elements].contains($0) ? properties : PropertySet())
      }
    ).first
  }

  @Test(
    arguments: [
      ([.inserted], .inserted), ([.inserted, .updated], .inserted),
      ([.inserted, .deleted, .inserted], .inserted), ([.updated], .updated),
      ([.deleted], .deleted), ([.updated, .deleted], .deleted),
      ([.deleted, .inserted, .deleted], .deleted), ([.deleted, .inserted], .updated),
      ([.deleted, .inserted, .updated], .updated),
      ([.inserted, .deleted], nil), ([.inserted, .updated, .deleted], nil),
      ([.elements], .updated), ([.elements, .inserted], .inserted),
      ([.deleted, .elements], .deleted), ([.elements, .inserted, .deleted, .elements], nil),
    ] as [([HistoryNote.Kind], NetChange.Kind?)])
  func `The effect of all changes`(_ kinds: [HistoryNote.Kind], _ kind: NetChange.Kind?) {
    expectEqual(effect(kinds)?.kind, kind)
  }

  @Test func `An update of no property has none, and one after a deletion has all`() {
    expectNil(effect([.updated], PropertySet()))
    expectEqual(effect([.updated, .updated])?.properties, some([1]))
    expectEqual(effect([.deleted, .inserted])?.properties.isAll, true)
  }

  @Test func `Notes of many rows are sorted, those of one keep their order`() {
    let notes = [
      HistoryNote(.inserted, row: 3), HistoryNote(.updated, row: 1, properties: some([0])),
      HistoryNote(.deleted, row: 3), HistoryNote(.updated, row: 1, properties: some([2])),
      HistoryNote(.inserted, row: 2),
    ]
    expectEqual(
      NetChange.effects(of: notes),
      [
        NetChange(row: 1, kind: .updated, properties: some([0, 2])),
        NetChange(row: 2, kind: .inserted),
      ])
  }
}

@Suite struct HistoryTextTests {
  @Test func `Settings are text, and back`() {
    var settings = HistorySettings()
    settings.notesOtherPrograms = false
    settings.kept = ["Person": ["name", "e-mail"]]
    settings.classesWithOldValues = ["B", "A"]
    settings.retention = .init(age: 1.5, count: 7, consumerAge: 86_400)
    expectEqual(HistorySettings(settings.text), settings)
    expectEqual(HistorySettings(HistorySettings().text), HistorySettings())
    expectNil(HistorySettings("{}"))
    expectNil(HistorySettings("nothing"))
  }

  @Test func `Kept values are text, and back`() {
    var kept = KeptValues()
    expectNil(kept.text)
    kept.keep(.text("Ada"), "name", of: 3, in: "Person")
    kept.keep(.blob([0, 255]), "$data", of: 3, in: "Person")
    kept.keep(.real(.infinity), "size", of: -1, in: "Person")
    kept.keep(.real(3), "x", of: 3, in: "$Dog")
    kept.keep(.null, "x", of: 4, in: "$Dog")
    expectEqual(kept.text.flatMap(KeptValues.init), kept)
    expectNil(KeptValues(#"{"A":{"x":{}}}"#))
  }

  @Test func `Changes of other programs are SQL`() {
    let deleted = OtherProgramChange("'it''s','d',-7,'a',NULL,'b',X'00FF','c',2.5,'d','x,''y'")
    expectEqual(deleted?.className, "it's")
    expectEqual(deleted?.row, -7)
    expectEqual(
      deleted?.kept,
      [
        "a": .null, "b": .blob([0, 255]), "c": .real(2.5), "d": .text("x,'y"),
      ])
    expectEqual(OtherProgramChange("'A','u',1,'x','y'")?.columns, ["x", "y"])
    expectEqual(OtherProgramChange("'A','i',1")?.kind, .inserted)
    for text in ["", "'A'", "'A','q',1", "'A','i','1'", "'A','d',1,'x'", "'A','u',1,2", "'A"] {
      expectNil(OtherProgramChange(text))
    }
  }

  @Test func `Long expressions are balanced`() {
    let terms = (0..<5_000).map { "t\($0)" }
    let sql = HistoryTriggers.balanced(terms, "OR")
    expectEqual(sql.split(separator: " ").filter { $0 == "OR" }.count, 4_999)
    var depth = 0
    var deepest = 0
    for character in sql {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      deepest = max(deepest, depth)
    }
    expectTrue(deepest < 10)
  }
}

@Suite struct HistoryNamesTests {
  private let names: HistoryNames = {
    var first = HistoryMigration(from: 1, to: 2)
    first.classes = ["Person": "Human"]
    first.properties = ["Human": ["age": "years", "a": "b", "b": "a"]]
    first.removedProperties = ["Human": ["nick"]]
    var second = HistoryMigration(from: 2, to: 3)
    second.classes = ["Human": "Being"]
    second.properties = ["Being": ["years": "age"]]
    second.removedClasses = ["Dog"]
    return HistoryNames([(5, first), (9, second)])
  }()

  @Test func `Names are those of today`() {
    expectEqual(names.className("Person", at: 1), "Being")
    expectEqual(names.className("Human", at: 5), "Being")
    expectEqual(names.className("Person", at: 9), "Person")
    expectEqual(names.className("Dog", at: 1), "Dog")
    expectEqual(names.column("age", of: "Person", at: 1), "age")
    expectEqual(names.column("years", of: "Human", at: 6), "age")
    expectNil(names.column("nick", of: "Person", at: 1))
    expectEqual(names.column("a", of: "Person", at: 1), "b")
    expectEqual(names.column("b", of: "Person", at: 1), "a")
  }

  @Test func `A migration is text, and back`() {
    var migration = HistoryMigration(from: 1, to: 2)
    migration.classes = ["Person": "Human"]
    migration.properties = ["Human": ["age": "years"]]
    migration.removedClasses = ["Dog"]
    migration.removedProperties = ["Human": ["nick"]]
    migration.rewritten = ["Human": 100_000]
    expectEqual(HistoryMigration(migration.text), migration)
    expectNil(HistoryMigration("[]"))
  }

  @Test func `What went is found by comparing schemas`() {
    let before = Schema([
      model("Person", property("age"), property("nick", .string)), model("Dog", property("x")),
    ])
    let after = Schema([model("Human", property("years"))])
    var changed = ChangedNames()
    changed.renameProperty("age", of: "Person", to: "years")
    changed.renameClass("Person", to: "Human")
    let migration = HistoryMigration(
      from: 1, to: 2, before: before, after: after, names: changed)
    expectEqual(migration.classes, ["Person": "Human"])
    expectEqual(migration.properties, ["Human": ["age": "years"]])
    expectEqual(migration.removedClasses, ["Dog"])
    expectEqual(migration.removedProperties, ["Human": ["nick"]])
  }

  @Test func `What has the name of something that went isn't that`() {
    let before = Schema([
      model("Person", property("age"), property("nick", .string)), model("Dog", property("x")),
    ])
    let after = Schema([model("Dog", property("age", .string))])
    var changed = ChangedNames()
    changed.renameClass("Person", to: "Dog")
    changed.renameProperty("nick", of: "Dog", to: "age")
    let migration = HistoryMigration(
      from: 1, to: 2, before: before, after: after, names: changed)
    expectEqual(migration.removedClasses, ["Dog"])
    expectEqual(migration.removedProperties, ["Dog": ["age"]])
    let names = HistoryNames([(5, migration)])
    expectEqual(names.className("Person", at: 1), "Dog")
    expectFalse(names.isGone("Person", at: 1))
    expectTrue(names.isGone("Dog", at: 1))
    expectFalse(names.isGone("Dog", at: 5))
    expectNil(names.column("age", of: "Person", at: 1))
    expectEqual(names.column("nick", of: "Person", at: 1), "age")
    expectEqual(names.column("x", of: "Dog", at: 1), "x")
  }

  @Test func `Names that classes give each other are followed`() {
    var changed = ChangedNames()
    changed.renameProperty("a", of: "A", to: "b")
    changed.renameClass("A", to: "C")
    changed.renameClass("B", to: "A")
    changed.renameProperty("x", of: "A", to: "y")
    changed.renameClass("C", to: "B")
    changed.renameProperty("b", of: "B", to: "c")
    expectEqual(changed.classes, ["A": "B", "B": "A"])
    expectEqual(changed.properties, ["A": ["x": "y"], "B": ["a": "c"]])
  }
}
