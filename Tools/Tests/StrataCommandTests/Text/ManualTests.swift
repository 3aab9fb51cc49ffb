import ArgumentParser
import Foundation
import StrataStudio
import TestKit
import Testing

@testable import StrataCommand

@Suite struct ManualTests {
  private func pages() throws -> [ManualPage] {
    let json = try JSONReader.read(Array(RootCommand._dumpHelp().utf8))
    let root = try #require(json["command"].flatMap(CommandDescription.init))
    return ManualPage.all(root, version: "1.2.3")
  }

  @Test func `Each command has a page`() throws {
    let names = try Set(pages().map(\.fileName))
    expectTrue(names.contains("strata.1"))
    for command in RootCommand.configuration.subcommands where command.configuration.shouldDisplay {
      expectTrue(names.contains("strata-\(command.configuration.commandName ?? "").1"))
    }
    expectFalse(names.contains("strata-manual.1"))
    expectFalse(names.contains("strata-help.1"))
  }

  @Test func `A page has the parts that readers of manuals expect`() throws {
    let page = try #require(try pages().first { $0.fileName == "strata-diff.1" })
    let lines = page.text.split(separator: "\n").map(String.init)
    expectEqual(lines.first, ".TH \"STRATA\\-DIFF\" 1 \"\" \"Strata 1.2.3\"")
    expectEqual(
      lines.filter { $0.hasPrefix(".SH") },
      [
        ".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH OPTIONS",
      ])
    expectTrue(lines.contains("\\fB\\-\\-key\\-file\\fR \\fIfile\\fR"))
    expectTrue(lines.contains("\\fIfirst\\fR"))
    // Nothing of a text is a request of the formatter.
    for line in lines where line.hasPrefix(".") {
      expectTrue([".TH", ".SH", ".TP", ".PP", ".nf", ".fi", ".B "].contains { line.hasPrefix($0) })
    }
  }

  @Test func `Help that can't be read has no page`() {
    expectNil(CommandDescription(["abstract": "none"]))
  }
}
