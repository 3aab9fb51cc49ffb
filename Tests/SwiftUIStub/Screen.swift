import Foundation
import Observation
import Synchronization

/// The memory of a screen between drawings, as SwiftUI keeps state for a view's identity.
@MainActor
final class ScreenMemory {
  private var kept: [String: Any] = [:]

  /// Returns the first value that was given for a place.
  func first<Value>(at place: String, _ value: Value) -> Value {
    if let known = kept[place] as? Value { return known }
    kept[place] = value
    return value
  }

  /// Stores a value, and returns the previous one.
  func replace<Value>(at place: String, _ value: Value) -> Value? {
    defer { kept[place] = value }
    return kept[place] as? Value
  }
}

/// The contents of a screen.
@MainActor
struct ScreenContent {
  var texts: [String] = []
  var fields: [String: [Binding<String>]] = [:]
  var toggles: [String: [Binding<Bool>]] = [:]
  var buttons: [String: [@MainActor () -> Void]] = [:]
  var deletes: [(IndexSet) -> Void] = []
  var moves: [(IndexSet, Int) -> Void] = []
}

/// Where views are drawn.
@MainActor
public struct Canvas {
  var screen = ScreenContent()
  var environment = EnvironmentValues()
  var afterwards: [() -> Void] = []
  let memory: ScreenMemory
  private var place = ""

  init(_ memory: ScreenMemory) { self.memory = memory }

  mutating func draw(_ view: some View, at name: String) {
    let outer = place
    place += "/\(name)"
    if let plain = view as? any PlainView {
      plain.draw(on: &self)
    } else {
      connect(Mirror(reflecting: view), place)
      draw(view.body, at: "body")
    }
    place = outer
  }

  /// Keeps a value of the modifier that is being drawn, and gives the one before.
  func remember<Value>(_ value: Value) -> Value? {
    memory.replace(at: place + ".value", value)
  }

  private func connect(_ view: Mirror, _ place: String) {
    for child in view.children {
      let name = "\(place).\(child.label ?? "")"
      if let property = child.value as? any ConnectedProperty {
        property.connect(name, to: memory, environment)
      } else if child.value is any DynamicProperty {
        connect(Mirror(reflecting: child.value), name)
      }
    }
  }
}

/// Shows a view, and lets a test use it. It is drawn again when something changed that was read
/// while it was drawn.
@MainActor
public final class Screen {
  private let drawContent: (inout Canvas) -> Void
  private let memory = ScreenMemory()
  private let isStale = Flag()
  private var shown = ScreenContent()
  /// How often it was drawn.
  public private(set) var drawings = 0

  private final class Flag: Sendable {
    let value = Mutex(true)
  }

  /// - Parameter content: Makes the view, for each drawing again, as a view around it does.
  public init<Content: View>(_ content: @escaping @autoclosure () -> Content) {
    drawContent = { $0.draw(content(), at: "") }
  }

  /// The texts, from top to bottom; a title of a section is in brackets.
  public var texts: [String] {
    update()
    return shown.texts
  }

  private func update() {
    var rounds = 0
    while isStale.value.withLock({ $0 }) {
      precondition(rounds < 20, "The view changes what it reads, again and again.")
      rounds += 1
      draw()
    }
  }

  private func draw() {
    drawings += 1
    isStale.value.withLock { $0 = false }
    var canvas = Canvas(memory)
    withObservationTracking {
      drawContent(&canvas)
    } onChange: { [isStale] in
      isStale.value.withLock { $0 = true }
    }
    shown = canvas.screen
    for action in canvas.afterwards { action() }
  }

  public func press(_ title: String, number: Int = 0) {
    update()
    shown.buttons[title]?[number]()
  }

  public func type(_ text: String, into title: String, number: Int = 0) {
    update()
    shown.fields[title]?[number].wrappedValue = text
  }

  public func turn(_ title: String, number: Int = 0) {
    update()
    shown.toggles[title]?[number].wrappedValue.toggle()
  }

  /// Deletes rows of what is shown now, even if there is news.
  public func delete(_ offsets: Int..., list: Int = 0) {
    shown.deletes[list](IndexSet(offsets))
  }

  public func move(_ offset: Int, to destination: Int, list: Int = 0) {
    shown.moves[list]([offset], destination)
  }
}
