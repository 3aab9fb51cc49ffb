import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The check of every file at the end of its test.
@Suite("Checking files") struct FileCheckTests {
  private func filled() throws -> TestFile {
    let file = try TestFile(isDamaged: true)
    try file.write([One<List<Int>>.Item.self, Pets.Dog.self]) { realm in
      for number in 0..<500 {
        realm.create(One<List<Int>>.Item.self, value: ["value": [number]])
      }
    }
    return file
  }

  @Test func `A sound file has no problems`() throws {
    let file = try filled()
    let problems = try FileCheck.problems(in: file.folder)
    expectTrue(problems.isEmpty)
    withExtendedLifetime(file) {}
  }

  @Test func `A damaged file has problems`() throws {
    let file = try filled()
    var bytes = try Data(contentsOf: file.url)
    for index in bytes.count / 2..<bytes.count { bytes[index] = 0xAA }
    try bytes.write(to: file.url)
    let problems = try FileCheck.problems(in: file.folder)
    expectFalse(problems.isEmpty)
    withExtendedLifetime(file) {}
  }
}
