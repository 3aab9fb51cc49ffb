import TestKit
import Testing

@testable import StrataSchema

@Suite struct LookAlikeTests {
  private let person = model(
    "Person", property("name", .string), property("age"), property("tags", .string, .list))

  @Test func `A class with another name looks like the missing one`() {
    let human = model(
      "Human", property("name", .string), property("age"), property("tags", .string, .list))
    expectEqual(found([person], [human]), [LookAlike(old: "Person", new: "Human")])
  }

  @Test func `Half of the properties are enough and fewer are not`() {
    let half = model(
      "Human", property("name", .string), property("age"), property("a"), property("b"))
    let third = model(
      "Human", property("name", .string), property("age", .double), property("tags", .string))
    expectEqual(found([person], [half]), [LookAlike(old: "Person", new: "Human")])
    expectEqual(found([person], [third]), [])
  }

  @Test func `Classes that both sides have are not look-alikes`() {
    let human = model("Human", property("name", .string), property("age"))
    expectEqual(found([person, human], [human]), [])
    expectEqual(found([person], [person, human]), [])
  }

  @Test func `An embedded class doesn't look like a top-level one`() {
    let human = model("Human", embedded: true, property("name", .string), property("age"))
    expectEqual(found([person], [human]), [])
  }

  @Test func `The class that has most in common is chosen`() {
    let worker = model("Worker", property("name", .string), property("age"), property("firm"))
    let human = model("Human", property("name", .string), property("age"), property("firm"))
    expectEqual(found([person, worker], [human]), [LookAlike(old: "Worker", new: "Human")])
  }

  @Test func `Classes without properties look like nothing`() {
    expectEqual(found([model("A")], [model("B")]), [])
  }

  private func found(_ old: [ObjectSchema], _ new: [ObjectSchema]) -> [LookAlike] {
    LookAlike.all(from: Schema(old), to: Schema(new))
  }
}
