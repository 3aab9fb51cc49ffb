extension Schema {
  /// The contents of a file after a class got another name: links to it have the new name as well.
  ///
  /// In its stored form, as ``removing(_:)``.
  package func renaming(_ className: String, to newName: String) -> Schema {
    Schema(
      stored.objectSchema.map { schema in
        var schema = schema
        if SQLName.same(schema.className, className) { schema.className = newName }
        for index in schema.properties.indices
        where SQLName.same(schema.properties[index].objectClassName ?? "", className) {
          schema.properties[index].objectClassName = newName
        }
        return schema
      })
  }
}
