import Foundation
import Strata
import StrataStorage

/// A server, who follows it, and a reader of the replica, each as a process.
extension Job {
  static let ownWrites: [String: Job] = [
    "write-and-tell": Job(prepare: { _ = try Realm(configuration: Ledger.configuration($0)) }) {
      file in
      let realm = try Realm(configuration: Ledger.configuration(file))
      while let line = readLine(), let number = Int(line) {
        try realm.write { realm.create(Ledger.Entry.self, value: ["number": number]) }
        say("\(try realm.historyToken?.description ?? "none")")
      }
    },
    "publish-always": Job(prepare: { _ in }) { file in
      let folder = ReplicaFolder(file.deletingLastPathComponent().appendingPathComponent("replica"))
      try PlainFile.makeFolder(folder.url)
      for position in 1... {
        if Orders.mustStop(file) { break }
        let name = PublicationName(position: UInt64(position))
        _ = try folder.publish(name) { try DatabaseCopy.make(of: file, at: $0) }
        try folder.prune(PublicationRetention(newest: 3))
        if position == 1 { say("published") }
      }
    },
    "read-own-writes": Job(prepare: { _ in }) { file in
      let folder = file.deletingLastPathComponent().appendingPathComponent("replica")
      let configuration = Realm.Configuration(
        replica: .init(folder: folder, patience: .seconds(60)),
        objectTypes: [Ledger.Entry.self, Ledger.Message.self])
      Task { @MainActor in
        let replica = try await Realm.open(configuration: configuration)
        while let token = readLine().flatMap({ HistoryToken($0) }) {
          do {
            try await replica.wait(for: token, within: .seconds(60))
            say("\(replica.objects(Ledger.Entry.self).count)")
          } catch {
            say("\(error)")
          }
        }
        exit(0)
      }
      dispatchMain()
    },
  ]
}
