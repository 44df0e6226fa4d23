import CDBus

/// The reason why a call had no answer.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// D-Bus's name, such as `org.freedesktop.DBus.Error.ServiceUnknown`.
    public var name: String
    public var reason: String

    init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    /// Takes over and frees libdbus's error.
    init(_ error: inout DBusError) {
        name = error.name.map { String(cString: $0) } ?? "unknown"
        reason = error.message.map { String(cString: $0) } ?? ""
        dbus_error_free(&error)
    }

    public var description: String { "\(name): \(reason)" }
}
