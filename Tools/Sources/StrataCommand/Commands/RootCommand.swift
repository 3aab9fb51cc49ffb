import ArgumentParser
import IssueReporting
import Strata

/// The command `strata`, which works on files without a program's model classes.
@main struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strata",
    abstract: "Looks at files of Strata and Realm, checks, copies and converts them.",
    discussion: """
      No model classes are needed: files say what they contain. Commands that read leave each byte of a file as it is.

      Examples:
        strata info people.sqlite
        strata schema default.realm --format mermaid
        strata check people.sqlite || echo "something is wrong"
        strata convert default.realm people.sqlite

      Exit status: 0 done; 1 problems or differences were found; 64 wrong arguments; 65 no file of Strata or Realm, \
      or a damaged one; 66 no such file; 69 Litestream isn't there; 73 the new file can't be made; 74 the disk failed; 75 the file is in use; \
      77 no permission; 130 interrupted; 141 the reader of the output went away.
      """,
    version: LibraryRelease.current,
    subcommands: [
      InfoCommand.self, QueryCommand.self, ExportCommand.self, ImportCommand.self,
      SchemaCommand.self, HistoryCommand.self, ChangesCommand.self, CheckCommand.self,
      DiffCommand.self, ConvertCommand.self, BackupCommand.self, RestoreCommand.self,
      RekeyCommand.self, CompactCommand.self, TwinCommand.self, PublishCommand.self,
      FollowCommand.self, PromoteCommand.self, ManualCommand.self, StudioCommand.self,
    ])

  static func main() async {
    Output.openStreams()
    IssueReporters.current = [ErrorOutputReporter()]
    Output.outliveReaders()
    await main(nil)
  }
}
