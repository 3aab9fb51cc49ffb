/// The progress of a check of a file.
public struct FileCheckProgress: Sendable, Hashable {
  /// What is looked at next: `pages`, or the name of a class.
  public let subject: String

  /// The number of steps that are done.
  public let completedSteps: Int

  /// The number of all steps. They take unlike times: the pages of a large file take most of it.
  public let totalSteps: Int
}
