import Synchronization

/// A value that another module makes of a site alone. It takes long to make, so all who need it
/// share it. It lives as long as the site's index.
public final class DerivedValue: Sendable {
    private let made = Mutex<(any Sendable)?>(nil)

    init() {}

    /// The value that was made last, if it fits. Else it is made, and kept in its place. Two
    /// threads may make it at once, which is harmless.
    public func value<Value: Sendable>(
        where isFit: (Value) -> Bool, make: () -> Value
    ) -> Value {
        let last = made.withLock { $0 }
        if let known = last as? Value, isFit(known) { return known }
        let value = make()
        made.withLock { $0 = value }
        return value
    }
}
