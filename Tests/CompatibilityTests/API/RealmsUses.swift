import Foundation
import Strata

extension APIUses {
  func realm() {
    use("Realm", "init(configuration:queue:)") { things in
      _ = try Realm(configuration: things.configuration, queue: nil)
    }
    use("Realm", "init(configuration:)") { things in
      _ = try Realm(configuration: things.configuration)
    }
    use("Realm", "init(queue:)") { things in
      _ = try Realm(queue: things.queue)
    }
    use("Realm", "init(fileURL:)") { things in
      _ = try Realm(fileURL: things.url)
    }
    taskUse("Realm", "init(configuration:actor:downloadBeforeOpen:)") { things in
      _ = try await Realm(
        configuration: things.configuration, actor: MainActor.shared, downloadBeforeOpen: .never)
    }
    taskUse("Realm", "init(configuration:downloadBeforeOpen:)") { things in
      _ = try await Realm(configuration: things.configuration, downloadBeforeOpen: .once)
    }
    use("Realm", "asyncOpen(configuration:callbackQueue:callback:)") { things in
      Realm.asyncOpen(configuration: things.configuration, callbackQueue: things.queue) {
        (_: Result<Realm, any Swift.Error>) in
      }
    }
    use("Realm", "OpenBehavior") { things in
      _ = Realm.OpenBehavior.self
    }
    use("Realm", "OpenBehavior.never") { things in
      _ = Realm.OpenBehavior.never
    }
    use("Realm", "OpenBehavior.once") { things in
      _ = Realm.OpenBehavior.once
    }
    use("Realm", "OpenBehavior.always") { things in
      _ = Realm.OpenBehavior.always
    }
    use("Realm", "configuration") { things in
      _ = things.realm.configuration
    }
    use("Realm", "schema") { things in
      _ = things.realm.schema
    }
    use("Realm", "isEmpty") { things in
      _ = things.realm.isEmpty
    }
    use("Realm", "==") { things in
      _ = things.realm == things.realm
    }
    use("Realm", "Configuration") { things in
      _ = Realm.Configuration.self
    }
    use("Realm", "Error") { things in
      _ = Realm.Error.self
    }
    use("Realm", "Notification") { things in
      _ = Realm.Notification.self
    }
    use("Realm", "Notification.didChange") { things in
      _ = Realm.Notification.didChange
    }
    use("Realm", "Notification.refreshRequired") { things in
      _ = Realm.Notification.refreshRequired
    }
    use("Realm", "UpdatePolicy") { things in
      _ = Realm.UpdatePolicy.self
    }
    use("Realm", "UpdatePolicy.error") { things in
      _ = Realm.UpdatePolicy.error
    }
    use("Realm", "UpdatePolicy.modified") { things in
      _ = Realm.UpdatePolicy.modified
    }
    use("Realm", "UpdatePolicy.all") { things in
      _ = Realm.UpdatePolicy.all
    }
    use("Realm", "AsyncTransactionId") { things in
      _ = Realm.AsyncTransactionId.self
    }
    use("Realm", "NotificationBlock") { things in
      _ = NotificationBlock.self
    }
    use("Realm", "write(_:)") { things in
      _ = try things.realm.write { 1 } as Int
    }
    use("Realm", "write(withoutNotifying:_:)") { things in
      _ = try things.realm.write(withoutNotifying: [things.token]) { 1 } as Int
    }
    use("Realm", "beginWrite()") { things in
      things.realm.beginWrite()
    }
    use("Realm", "commitWrite(withoutNotifying:)") { things in
      _ = try things.realm.commitWrite(withoutNotifying: [things.token])
    }
    use("Realm", "commitWrite()") { things in
      _ = try things.realm.commitWrite()
    }
    use("Realm", "cancelWrite()") { things in
      things.realm.cancelWrite()
    }
    use("Realm", "isInWriteTransaction") { things in
      _ = things.realm.isInWriteTransaction
    }
    use("Realm", "writeAsync(_:onComplete:)") { things in
      _ =
        things.realm.writeAsync({}, onComplete: { (_: (any Swift.Error)?) in })
        as Realm.AsyncTransactionId
    }
    use("Realm", "beginAsyncWrite(_:)") { things in
      _ = things.realm.beginAsyncWrite {} as Realm.AsyncTransactionId
    }
    use("Realm", "commitAsyncWrite(allowGrouping:_:)") { things in
      _ = things.realm.commitAsyncWrite(allowGrouping: true) { _ in } as Realm.AsyncTransactionId
    }
    use("Realm", "cancelAsyncWrite(_:)") { things in
      _ = try things.realm.cancelAsyncWrite(1)
    }
    use("Realm", "isPerformingAsynchronousWriteOperations") { things in
      _ = things.realm.isPerformingAsynchronousWriteOperations
    }
    taskUse("Realm", "asyncWrite(_:)") { things in
      _ = try await things.realm.asyncWrite { 1 } as Int
    }
    taskUse("Realm", "asyncRefresh()") { things in
      _ = await things.realm.asyncRefresh() as Bool
    }
    use("Realm", "add(_:update:)") { things in
      things.realm.add(things.person, update: .modified)
    }
    use("Realm", "add(_:update:) of a sequence") { things in
      things.realm.add([things.person], update: .all)
    }
    use("Realm", "create(_:value:update:)") { things in
      _ = things.realm.create(Person.self, value: ["name": "Ada"], update: .modified) as Person
    }
    use("Realm", "dynamicCreate(_:value:update:)") { things in
      _ =
        things.realm.dynamicCreate("Person", value: ["name": "Ada"], update: .modified)
        as DynamicObject
    }
    use("Realm", "delete(_:)") { things in
      things.realm.delete(things.person)
    }
    use("Realm", "delete(_:) of a sequence") { things in
      things.realm.delete([things.person])
    }
    use("Realm", "delete(_:) of a List") { things in
      things.realm.delete(things.collections.dogs)
    }
    use("Realm", "delete(_:) of a MutableSet") { things in
      things.realm.delete(things.person.friends)
    }
    use("Realm", "delete(_:) of a Map") { things in
      things.realm.delete(things.person.kennel)
    }
    use("Realm", "delete(_:) of Results") { things in
      things.realm.delete(things.collections.results)
    }
    use("Realm", "deleteAll()") { things in
      things.realm.deleteAll()
    }
    use("Realm", "objects(_:)") { things in
      _ = things.realm.objects(Person.self) as Results<Person>
    }
    use("Realm", "objects(_:) of a projection") { things in
      _ = things.realm.objects(PersonCard.self) as Results<PersonCard>
    }
    use("Realm", "object(ofType:forPrimaryKey:)") { things in
      _ = things.realm.object(ofType: Person.self, forPrimaryKey: 1) as Person?
    }
    use("Realm", "dynamicObjects(_:)") { things in
      _ = things.realm.dynamicObjects("Person") as Results<DynamicObject>
    }
    use("Realm", "dynamicObject(ofType:forPrimaryKey:)") { things in
      _ = things.realm.dynamicObject(ofType: "Person", forPrimaryKey: 1) as DynamicObject?
    }
    use("Realm", "observe(_:)") { things in
      _ = things.realm.observe { (_: Realm.Notification, _: Realm) in } as NotificationToken
    }
    use("Realm", "autorefresh") { things in
      things.realm.autorefresh = false
    }
    use("Realm", "refresh()") { things in
      _ = things.realm.refresh() as Bool
    }
    use("Realm", "invalidate()") { things in
      things.realm.invalidate()
    }
    use("Realm", "isFrozen") { things in
      _ = things.realm.isFrozen
    }
    use("Realm", "freeze()") { things in
      _ = things.realm.freeze() as Realm
    }
    use("Realm", "thaw()") { things in
      _ = things.realm.thaw() as Realm
    }
    use("Realm", "freeze(_:)") { things in
      _ = things.realm.freeze(things.person) as Person
    }
    use("Realm", "thaw(_:)") { things in
      _ = things.realm.thaw(things.person) as Person?
    }
    use("Realm", "resolve(_:)") { things in
      _ = things.realm.resolve(ThreadSafeReference(to: things.person)) as Person?
    }
    use("Realm", "writeCopy(toFile:encryptionKey:)") { things in
      _ = try things.realm.writeCopy(toFile: things.url, encryptionKey: nil)
    }
    use("Realm", "writeCopy(configuration:)") { things in
      _ = try things.realm.writeCopy(configuration: things.configuration)
    }
    use("Realm", "fileExists(for:)") { things in
      _ = Realm.fileExists(for: things.configuration) as Bool
    }
    use("Realm", "deleteFiles(for:)") { things in
      _ = try Realm.deleteFiles(for: things.configuration) as Bool
    }
    use("Realm", "performMigration(for:)") { things in
      _ = try Realm.performMigration(for: things.configuration)
    }
  }

  func realmConfiguration() {
    use(
      "Realm.Configuration",
      "init(fileURL:inMemoryIdentifier:encryptionKey:readOnly:schemaVersion:migrationBlock:deleteRealmIfMigrationNeeded:shouldCompactOnLaunch:objectTypes:seedFilePath:)"
    ) { things in
      _ = Realm.Configuration(
        fileURL: things.url, inMemoryIdentifier: nil, encryptionKey: nil, readOnly: false,
        schemaVersion: 1, migrationBlock: { _, _ in }, deleteRealmIfMigrationNeeded: false,
        shouldCompactOnLaunch: { (_: Int, _: Int) in false }, objectTypes: [Person.self],
        seedFilePath: nil)
    }
    use("Realm.Configuration", "defaultConfiguration") { things in
      _ = Realm.Configuration.defaultConfiguration
    }
    use("Realm.Configuration", "fileURL") { things in
      _ = things.configuration.fileURL
    }
    use("Realm.Configuration", "inMemoryIdentifier") { things in
      _ = things.configuration.inMemoryIdentifier
    }
    use("Realm.Configuration", "encryptionKey") { things in
      _ = things.configuration.encryptionKey
    }
    use("Realm.Configuration", "readOnly") { things in
      _ = things.configuration.readOnly
    }
    use("Realm.Configuration", "schemaVersion") { things in
      _ = things.configuration.schemaVersion
    }
    use("Realm.Configuration", "migrationBlock") { things in
      _ = things.configuration.migrationBlock
    }
    use("Realm.Configuration", "deleteRealmIfMigrationNeeded") { things in
      _ = things.configuration.deleteRealmIfMigrationNeeded
    }
    use("Realm.Configuration", "shouldCompactOnLaunch") { things in
      _ = things.configuration.shouldCompactOnLaunch
    }
    use("Realm.Configuration", "maximumNumberOfActiveVersions") { things in
      _ = things.configuration.maximumNumberOfActiveVersions
    }
    use("Realm.Configuration", "objectTypes") { things in
      _ = things.configuration.objectTypes
    }
    use("Realm.Configuration", "seedFilePath") { things in
      _ = things.configuration.seedFilePath
    }
    use("Realm.Configuration", "description") { things in
      _ = things.configuration.description
    }
  }

  func realmError() {
    use("Realm.Error", "init(_:userInfo:)") { _ in
      _ = Realm.Error(.fail)
    }
    use("Realm.Error", "Code") { things in
      _ = Realm.Error.Code.self
    }
    use("Realm.Error", "code") { things in
      _ = things.error.code
    }
    use("Realm.Error", "localizedDescription") { things in
      _ = things.error.localizedDescription
    }
    use("Realm.Error", "==") { things in
      _ = things.error == things.error
    }
    use("Realm.Error", "fail") { things in
      _ = Realm.Error.fail
    }
    use("Realm.Error", "fileAccess") { things in
      _ = Realm.Error.fileAccess
    }
    use("Realm.Error", "filePermissionDenied") { things in
      _ = Realm.Error.filePermissionDenied
    }
    use("Realm.Error", "fileExists") { things in
      _ = Realm.Error.fileExists
    }
    use("Realm.Error", "fileNotFound") { things in
      _ = Realm.Error.fileNotFound
    }
    use("Realm.Error", "fileFormatUpgradeRequired") { things in
      _ = Realm.Error.fileFormatUpgradeRequired
    }
    use("Realm.Error", "incompatibleLockFile") { things in
      _ = Realm.Error.incompatibleLockFile
    }
    use("Realm.Error", "addressSpaceExhausted") { things in
      _ = Realm.Error.addressSpaceExhausted
    }
    use("Realm.Error", "schemaMismatch") { things in
      _ = Realm.Error.schemaMismatch
    }
    use("Realm.Error", "alreadyOpen") { things in
      _ = Realm.Error.alreadyOpen
    }
    use("Realm.Error", "invalidInput") { things in
      _ = Realm.Error.invalidInput
    }
    use("Realm.Error", "outOfDiskSpace") { things in
      _ = Realm.Error.outOfDiskSpace
    }
    use("Realm.Error", "incompatibleSession") { things in
      _ = Realm.Error.incompatibleSession
    }
    use("Realm.Error", "unsupportedFileFormatVersion") { things in
      _ = Realm.Error.unsupportedFileFormatVersion
    }
    use("Realm.Error", "fileOperationFailed") { things in
      _ = Realm.Error.fileOperationFailed
    }
    use("Realm.Error", "invalidDatabase") { things in
      _ = Realm.Error.invalidDatabase
    }
    use("Realm.Error", "incompatibleHistories") { things in
      _ = Realm.Error.incompatibleHistories
    }
    use("Realm.Error", "~=") { things in
      _ = Realm.Error.fail ~= things.error
    }
  }
}
