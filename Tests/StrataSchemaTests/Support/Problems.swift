import StrataSchema

/// The sentences of everything that is wrong with some classes.
func problems(_ classes: ObjectSchema...) -> [String] {
  SchemaValidator.problems(in: classes).map(\.description)
}
