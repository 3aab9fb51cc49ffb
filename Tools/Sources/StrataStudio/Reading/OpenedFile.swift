import Strata

/// A file that an actor has opened.
struct OpenedFile {
  let realm: Realm
  let schema: StudioSchema

  init(
    _ configuration: Realm.Configuration, _ changed: ChangedValues = ChangedValues(),
    isolation: isolated any Actor
  ) async throws {
    realm = try await Realm.open(configuration: configuration, isolation: isolation)
    schema = StudioSchema(realm.schema, changed: changed)
  }
}
