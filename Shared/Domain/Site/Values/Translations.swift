import Events

/// The name of a thing in further languages.
public struct Translations: Hashable, Sendable {
    /// By BCP 47 language tag, such as `cy` or `de-CH`.
    public var byLanguage: [String: String]

    public init(_ byLanguage: [String: String] = [:]) { self.byLanguage = byLanguage }

    public var isEmpty: Bool { byLanguage.isEmpty }
}
