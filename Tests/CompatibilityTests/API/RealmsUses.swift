import Foundation
import Strata

extension APIUses {
  func useRealm() {
    heading = "Realm"
    use("init(configuration:queue:)", try Realm(configuration: configuration, queue: nil))
    use("init(configuration:)", try Realm(configuration: configuration))
    use("init(queue:)", try Realm(queue: queue))
    use("init(fileURL:)", try Realm(fileURL: url))
    taskUse("init(configuration:actor:downloadBeforeOpen:)") { things in
      _ = try await Realm(
        configuration: things.configuration, actor: MainActor.shared, downloadBeforeOpen: .never)
    }
    taskUse("init(configuration:downloadBeforeOpen:)") { things in
      _ = try await Realm(configuration: things.configuration, downloadBeforeOpen: .once)
    }
    uses("asyncOpen(configuration:callbackQueue:callback:)") {
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) {
        (_: Result<Realm, any Swift.Error>) in
      }
    }
    use("OpenBehavior", Realm.OpenBehavior.self)
    use("OpenBehavior.never", Realm.OpenBehavior.never)
    use("OpenBehavior.once", Realm.OpenBehavior.once)
    use("OpenBehavior.always", Realm.OpenBehavior.always)
    use("configuration", realm.configuration)
    use("schema", realm.schema)
    use("isEmpty", realm.isEmpty)
    use("==", realm == realm)
    use("Configuration", Realm.Configuration.self)
    use("Error", Realm.Error.self)
    use("Notification", Realm.Notification.self)
    use("Notification.didChange", Realm.Notification.didChange)
    use("Notification.refreshRequired", Realm.Notification.refreshRequired)
    use("UpdatePolicy", Realm.UpdatePolicy.self)
    use("UpdatePolicy.error", Realm.UpdatePolicy.error)
    use("UpdatePolicy.modified", Realm.UpdatePolicy.modified)
    use("UpdatePolicy.all", Realm.UpdatePolicy.all)
    use("AsyncTransactionId", Realm.AsyncTransactionId.self)
    use("NotificationBlock", NotificationBlock.self)
    use("write(_:)", try realm.write { 1 } as Int)
    use("write(withoutNotifying:_:)", try realm.write(withoutNotifying: [token]) { 1 } as Int)
    uses("beginWrite()") { realm.beginWrite() }
    use("commitWrite(withoutNotifying:)", try realm.commitWrite(withoutNotifying: [token]))
    use("commitWrite()", try realm.commitWrite())
    uses("cancelWrite()") { realm.cancelWrite() }
    use("isInWriteTransaction", realm.isInWriteTransaction)
    use(
      "writeAsync(_:onComplete:)",
      realm.writeAsync({}, onComplete: { (_: (any Swift.Error)?) in }) as Realm.AsyncTransactionId)
    use("beginAsyncWrite(_:)", realm.beginAsyncWrite {} as Realm.AsyncTransactionId)
    use(
      "commitAsyncWrite(allowGrouping:_:)",
      realm.commitAsyncWrite(allowGrouping: true) { _ in } as Realm.AsyncTransactionId)
    use("cancelAsyncWrite(_:)", try realm.cancelAsyncWrite(1))
    use("isPerformingAsynchronousWriteOperations", realm.isPerformingAsynchronousWriteOperations)
    taskUse("asyncWrite(_:)") { things in
      _ = try await things.realm.asyncWrite { 1 } as Int
    }
    taskUse("asyncRefresh()") { things in
      _ = await things.realm.asyncRefresh() as Bool
    }
    uses("add(_:update:)") { realm.add(person, update: .modified) }
    uses("add(_:update:) of a sequence") { realm.add([person], update: .all) }
    use(
      "create(_:value:update:)",
      realm.create(Person.self, value: ["name": "Ada"], update: .modified) as Person)
    use(
      "dynamicCreate(_:value:update:)",
      realm.dynamicCreate("Person", value: ["name": "Ada"], update: .modified) as DynamicObject)
    uses("delete(_:)") { realm.delete(person) }
    uses("delete(_:) of a sequence") { realm.delete([person]) }
    uses("delete(_:) of a List") { realm.delete(dogs) }
    uses("delete(_:) of a MutableSet") { realm.delete(person.friends) }
    uses("delete(_:) of a Map") { realm.delete(person.kennel) }
    uses("delete(_:) of Results") { realm.delete(results) }
    uses("deleteAll()") { realm.deleteAll() }
    use("objects(_:)", realm.objects(Person.self) as Results<Person>)
    use("objects(_:) of a projection", realm.objects(PersonCard.self) as Results<PersonCard>)
    use(
      "object(ofType:forPrimaryKey:)",
      realm.object(ofType: Person.self, forPrimaryKey: 1) as Person?)
    use("dynamicObjects(_:)", realm.dynamicObjects("Person") as Results<DynamicObject>)
    use(
      "dynamicObject(ofType:forPrimaryKey:)",
      realm.dynamicObject(ofType: "Person", forPrimaryKey: 1) as DynamicObject?)
    use("observe(_:)", realm.observe { (_: Realm.Notification, _: Realm) in } as NotificationToken)
    uses("autorefresh") { realm.autorefresh = false }
    use("refresh()", realm.refresh() as Bool)
    uses("invalidate()") { realm.invalidate() }
    use("isFrozen", realm.isFrozen)
    use("freeze()", realm.freeze() as Realm)
    use("thaw()", realm.thaw() as Realm)
    use("freeze(_:)", realm.freeze(person) as Person)
    use("thaw(_:)", realm.thaw(person) as Person?)
    use("resolve(_:)", realm.resolve(ThreadSafeReference(to: person)) as Person?)
    use("writeCopy(toFile:encryptionKey:)", try realm.writeCopy(toFile: url, encryptionKey: nil))
    use("writeCopy(configuration:)", try realm.writeCopy(configuration: configuration))
    use("fileExists(for:)", Realm.fileExists(for: configuration) as Bool)
    use("deleteFiles(for:)", try Realm.deleteFiles(for: configuration) as Bool)
    use("performMigration(for:)", try Realm.performMigration(for: configuration))
  }

  func useRealmConfiguration() {
    heading = "Realm.Configuration"
    use(
      "init(fileURL:inMemoryIdentifier:encryptionKey:readOnly:schemaVersion:migrationBlock:deleteRealmIfMigrationNeeded:shouldCompactOnLaunch:objectTypes:seedFilePath:)",
      Realm.Configuration(
        fileURL: url, inMemoryIdentifier: nil, encryptionKey: nil, readOnly: false,
        schemaVersion: 1, migrationBlock: { _, _ in }, deleteRealmIfMigrationNeeded: false,
        shouldCompactOnLaunch: { (_: Int, _: Int) in false }, objectTypes: [Person.self],
        seedFilePath: nil))
    use("defaultConfiguration", Realm.Configuration.defaultConfiguration)
    use("fileURL", configuration.fileURL)
    use("inMemoryIdentifier", configuration.inMemoryIdentifier)
    use("encryptionKey", configuration.encryptionKey)
    use("readOnly", configuration.readOnly)
    use("schemaVersion", configuration.schemaVersion)
    use("migrationBlock", configuration.migrationBlock)
    use("deleteRealmIfMigrationNeeded", configuration.deleteRealmIfMigrationNeeded)
    use("shouldCompactOnLaunch", configuration.shouldCompactOnLaunch)
    use("maximumNumberOfActiveVersions", configuration.maximumNumberOfActiveVersions)
    use("objectTypes", configuration.objectTypes)
    use("seedFilePath", configuration.seedFilePath)
    use("description", configuration.description)
  }

  func useRealmError() {
    heading = "Realm.Error"
    use("init(_:userInfo:)", Realm.Error(.fail))
    use("Code", Realm.Error.Code.self)
    use("code", error.code)
    use("localizedDescription", error.localizedDescription)
    use("==", error == error)
    use("fail", Realm.Error.fail)
    use("fileAccess", Realm.Error.fileAccess)
    use("filePermissionDenied", Realm.Error.filePermissionDenied)
    use("fileExists", Realm.Error.fileExists)
    use("fileNotFound", Realm.Error.fileNotFound)
    use("fileFormatUpgradeRequired", Realm.Error.fileFormatUpgradeRequired)
    use("incompatibleLockFile", Realm.Error.incompatibleLockFile)
    use("addressSpaceExhausted", Realm.Error.addressSpaceExhausted)
    use("schemaMismatch", Realm.Error.schemaMismatch)
    use("alreadyOpen", Realm.Error.alreadyOpen)
    use("invalidInput", Realm.Error.invalidInput)
    use("outOfDiskSpace", Realm.Error.outOfDiskSpace)
    use("incompatibleSession", Realm.Error.incompatibleSession)
    use("unsupportedFileFormatVersion", Realm.Error.unsupportedFileFormatVersion)
    use("fileOperationFailed", Realm.Error.fileOperationFailed)
    use("invalidDatabase", Realm.Error.invalidDatabase)
    use("incompatibleHistories", Realm.Error.incompatibleHistories)
    use("~=", Realm.Error.fail ~= error)
  }
}
