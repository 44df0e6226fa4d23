import CDBus

/// A connection to a message bus by libdbus. Its calls block; one thread uses it at a time.
public final class MessageBus {
    private static let timeoutMilliseconds: Int32 = 10_000

    private let connection: OpaquePointer

    /// Connects to the machine's bus, or to the one at an address.
    ///
    /// - Parameter address: such as `unix:path=/tmp/bus`; nil for the machine's.
    public init(address: String? = nil) throws(BusError) {
        var error = DBusError()
        dbus_error_init(&error)
        let opened: OpaquePointer?
        if let address {
            opened = dbus_connection_open_private(address, &error)
        } else {
            opened = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error)
        }
        guard let opened else { throw BusError(&error) }
        connection = opened
        // Otherwise libdbus ends the process when the bus goes.
        dbus_connection_set_exit_on_disconnect(opened, 0)
        guard address == nil || dbus_bus_register(opened, &error) != 0 else {
            throw BusError(&error)
        }
    }

    deinit {
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
    }

    /// Calls a method and waits for the first value of its answer; nil where it has none.
    public func call(
        _ destination: String, _ path: String, _ interface: String, _ method: String,
        _ arguments: [BusArgument] = []
    ) throws(BusError) -> BusValue? {
        guard dbus_validate_path(path, nil) != 0,
            let message = dbus_message_new_method_call(destination, path, interface, method)
        else { throw BusError(name: "malformed", reason: "\(path) \(interface).\(method)") }
        defer { dbus_message_unref(message) }
        var writer = DBusMessageIter()
        dbus_message_iter_init_append(message, &writer)
        for argument in arguments { BusCoding.append(argument, &writer) }
        var error = DBusError()
        dbus_error_init(&error)
        guard
            let reply = dbus_connection_send_with_reply_and_block(
                connection, message, Self.timeoutMilliseconds, &error)
        else { throw BusError(&error) }
        defer { dbus_message_unref(reply) }
        var reader = DBusMessageIter()
        guard dbus_message_iter_init(reply, &reader) != 0 else { return nil }
        return BusCoding.read(&reader)
    }

    /// All properties of an object's interface.
    public func properties(
        _ destination: String, _ path: String, _ interface: String
    ) throws(BusError) -> BusValue {
        try call(
            destination, path, "org.freedesktop.DBus.Properties", "GetAll", [.text(interface)])
            ?? .dictionary([:])
    }
}
