/// An object that runs a closure at its end: when the last reference to it is released.
final class AtEnd {
  private let run: () -> Void

  init(_ run: @escaping () -> Void) { self.run = run }

  deinit { run() }
}
