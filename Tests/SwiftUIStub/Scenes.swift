@MainActor
public protocol Scene {
  associatedtype Body: Scene
  @MainActor var body: Body { get }
}

extension Never: Scene {}

@MainActor
public protocol App {
  associatedtype Body: Scene
  @MainActor var body: Body { get }
}

public struct WindowGroup<Content: View>: Scene {
  /// The view in the window.
  public let content: Content

  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  public var body: Never { fatalError("A window has no body.") }
}

@MainActor
public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder @MainActor static var previews: Previews { get }
}
