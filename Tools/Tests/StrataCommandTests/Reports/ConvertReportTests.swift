import ArgumentParser
import Foundation
import Strata
import StrataStudio
import TestKit
import Testing

@testable import StrataCommand

@Suite struct ConversionOptionsTests {
  @Test func `Nothing is chosen without an option`() throws {
    try expectEqual(ConversionOptions.parse([]).choices, [])
  }

  @Test(arguments: [
    (["--nan", "nil"], ConversionChoice.nan(.asNil)),
    (["--nan", "nil-or-zero"], .nan(.asNilOrZero)), (["--dates", "nil"], .dates(.asNil)),
    (["--dates", "clamp"], .dates(.clamped)),
    (["--invalid-text", "repair"], .invalidText(.repaired)),
    (["--dangling-links", "nil"], .danglingLinks(.asNil)),
    (["--nested-collections", "nil"], .nestedCollections(.asNil)),
    (["--asymmetric-classes", "leave-out"], .asymmetricClasses(.leftOut)),
    (["--bookkeeping-classes", "leave-out"], .bookkeepingClasses(.leftOut)),
  ])
  func `Each choice has an option`(arguments: [String], choice: ConversionChoice) throws {
    try expectEqual(ConversionOptions.parse(arguments).choices, [choice])
  }

  @Test(arguments: ConversionFinding.Kind.allCases)
  func `What is found has a repair in options that there are`(kind: ConversionFinding.Kind) throws {
    let repair = FindingLines.repair(kind)
    expectTrue(repair.hasSuffix("."))
    for match in repair.matches(of: /'(--[a-z-]+ [a-z-]+)'/) {
      let arguments = match.output.1.split(separator: " ").map(String.init)
      try expectEqual(ConversionOptions.parse(arguments).choices.count, 1)
    }
  }
}

/// Reports of real conversions, as values.
@Suite struct ConvertReportTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyRealmFile("links", to: "links.realm")
    try folder.copyRealmFile("mixed", to: "mixed.realm")
  }

  @Test func `A forecast without obstacles says what would be written`() throws {
    let forecast = try Realm.conversionForecast(realmFile: folder.url("links.realm"))
    let report = ConvertReport(source: "links.realm", target: "new.sqlite", forecast)
    expectEqual(report.status, .success)
    expectEqual(
      report.lines.first,
      "links.realm (format 24) can be converted to new.sqlite at schema version 3. Nothing was "
        + "written.")
  }

  @Test func `A forecast with obstacles says what to add`() throws {
    let forecast = try Realm.conversionForecast(realmFile: folder.url("mixed.realm"))
    let report = ConvertReport(source: "mixed.realm", target: "new.sqlite", forecast)
    expectEqual(report.status, .found)
    let advice = "  Add '--dates clamp', or '--dates nil' for optional properties."
    expectEqual(report.lines.last, advice)
    let error = #expect(throws: Realm.Error.self) {
      try Realm.convert(
        realmFile: folder.url("mixed.realm"), toFile: folder.url("mixed.sqlite"))
    }
    let refusal = try #require(error?.underlyingError as? ConversionRefusal)
    let failure = ConvertCommand.failure("mixed.realm", refusal)
    expectEqual(failure.status, .data)
    expectTrue(failure.message.hasSuffix("\n\(advice)"))
  }

  @Test func `A report has the sums of all classes`() throws {
    let report = ConvertReport(
      source: "links.realm", target: "new.sqlite",
      try Realm.convert(
        realmFile: folder.url("links.realm"), toFile: folder.url("new.sqlite")))
    expectTrue(report.lines.contains { $0.hasPrefix("all classes") })
    let json = JSONValue(report).indented
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    expectEqual(value?["converted"] as? Bool, true)
    let classes = try #require(value?["classes"] as? [[String: Any]])
    for item in classes {
      expectEqual(
        (item["read"] as? [String: Int]), (item["written"] as? [String: Int]), "\(item)")
    }
  }
}
