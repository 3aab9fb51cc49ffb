import Foundation
import Strata

/// A primary that numbers its entries, and a reader of a replica of it.
extension Job {
  static let failover: [String: Job] = [
    "serve-orders": Job(prepare: { _ = try Realm(configuration: Ledger.configuration($0)) }) {
      file in
      let realm = try Realm(configuration: Ledger.configuration(file))
      let entries = realm.objects(Ledger.Entry.self)
      while true {
        let number = entries.count + 1
        try realm.write { realm.create(Ledger.Entry.self, value: ["number": number]) }
        say("wrote \(number)")
        usleep(20_000)
      }
    },
    "read-orders": Job(prepare: { _ in }) { file in
      let folder = file.deletingLastPathComponent().appendingPathComponent("orders.replica")
      let configuration = Realm.Configuration(
        replica: .init(folder: folder, patience: .seconds(60)),
        objectTypes: [Ledger.Entry.self, Ledger.Message.self])
      let realm = try Realm(configuration: configuration)
      let token = realm.objects(Ledger.Entry.self).observe(on: DispatchQueue(label: "reader")) {
        change in
        switch change {
        case .initial(let entries), .update(let entries, _, _, _):
          let greatest: Int = entries.max(of: \.number) ?? 0
          say("\(greatest == entries.count ? "state" : "wrong") \(greatest)")
        case .error(let error): say("wrong: \(error)")
        }
      }
      // Not 'readLine', which holds the lock of a stream that 'say' flushes.
      Thread.detachNewThread {
        while !FileHandle.standardInput.availableData.isEmpty {
          Task { say("health \(String(describing: await Realm.health(of: configuration)))") }
        }
        exit(0)
      }
      withExtendedLifetime(token) { dispatchMain() }
    },
  ]
}
