public struct SearchFieldPlacement: Sendable {
  public static let automatic = SearchFieldPlacement()
}

extension View {
  public func searchable(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
  ) -> some View {
    ModifiedView(content: self) { content, canvas in
      canvas.screen.fields["search", default: []].append(text)
      canvas.draw(content, at: "searched")
    }
  }

  public func searchSuggestions(@ViewBuilder _ suggestions: () -> some View) -> some View {
    let suggestions = suggestions()
    return ModifiedView(content: self) { content, canvas in
      canvas.draw(content, at: "suggested")
      canvas.draw(suggestions, at: "suggestions")
    }
  }

  public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void
  ) -> some View {
    ModifiedView(content: self) { content, canvas in
      if let old = canvas.remember(value) {
        if old != value { canvas.afterwards.append { action(old, value) } }
      } else if initial {
        canvas.afterwards.append { action(value, value) }
      }
      canvas.draw(content, at: "observed")
    }
  }

  public func environment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
  ) -> some View {
    ModifiedView(content: self) { content, canvas in
      let outer = canvas.environment
      canvas.environment[keyPath: keyPath] = value
      canvas.draw(content, at: "environment")
      canvas.environment = outer
    }
  }

  public func transformEnvironment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
  ) -> some View {
    ModifiedView(content: self) { content, canvas in
      let outer = canvas.environment
      transform(&canvas.environment[keyPath: keyPath])
      canvas.draw(content, at: "environment")
      canvas.environment = outer
    }
  }

  public func navigationTitle(_ title: some StringProtocol) -> some View { self }
}
