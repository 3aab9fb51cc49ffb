import Foundation
import TestKit
import Testing

@testable import StrataStorage

@Suite struct ShortTextTests {
  private func text(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBufferPointer { String(sqliteText: $0) }
  }

  /// Whether two texts can't be told from each other.
  private func isSame(_ text: String, _ other: String) -> Bool {
    text == other && Array(text.utf8) == Array(other.utf8) && text.hashValue == other.hashValue
      && text.count == other.count && text.utf16.count == other.utf16.count
      && text + "more" == other + "more"
      && unsafeBitCast(text, to: (UInt64, UInt64).self)
        == unsafeBitCast(other, to: (UInt64, UInt64).self)
  }

  @Test func `Swift keeps short texts as they are made here`() {
    expectTrue(ShortText.isSwifts)
  }

  @Test(arguments: 1...15)
  func `A short text of ASCII is that of the decoder`(count: Int) {
    for shift in 0..<128 {
      let bytes = (0..<count).map { UInt8(($0 * 7 + shift) % 128) }
      expectTrue(isSame(text(bytes), String(decoding: bytes, as: UTF8.self)))
    }
  }

  @Test func `Each byte has its place`() {
    for count in 1...15 {
      for place in 0..<count {
        var bytes = Array(repeating: UInt8(ascii: "a"), count: count)
        bytes[place] = UInt8(ascii: "z")
        expectTrue(isSame(text(bytes), String(decoding: bytes, as: UTF8.self)))
      }
    }
  }

  @Test(arguments: [
    "", "sixteen letters.", "a text that is longer than sixteen letters", "é", "Ünïcödé", "日本", "👍🏽",
    "a\u{301}", "zero\u{0}byte", "\u{0}", "twelve bytes é",
  ])
  func `Other texts are those of the decoder`(string: String) {
    expectEqual(text(Array(string.utf8)), string)
    expectEqual(Array(text(Array(string.utf8)).utf8), Array(string.utf8))
  }

  @Test(arguments: [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0x80, 0x61, 0x62, 0x63, 0x64]])
  func `What is no text is replaced`(bytes: [UInt8]) {
    expectEqual(text(bytes), String(decoding: bytes, as: UTF8.self))
    expectTrue(text(bytes).unicodeScalars.contains("\u{FFFD}"))
  }

  @Test func `A text is read where it ends at the end of its memory`() throws {
    // A page behind which nothing may be read.
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let memory = try #require(
      mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    defer { munmap(memory, 2 * page) }
    expectEqual(mprotect(memory + page, page, PROT_NONE), 0)
    for count in 1...17 {
      let start = (memory + page - count).assumingMemoryBound(to: UInt8.self)
      start.update(repeating: UInt8(ascii: "x"), count: count)
      let read = String(sqliteText: UnsafeBufferPointer(start: start, count: count))
      expectEqual(read, String(repeating: "x", count: count))
    }
  }
}
