import CMicrohttpd
import Glibc

// libmicrohttpd's callbacks, which run on a polling loop's thread. They are free functions, so that
// none inherits an actor.

/// Decides on a new connection. A refused one is closed at once.
func connectionAsked(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?, _: socklen_t
) -> MHD_Result {
    guard let context else { return .NO }
    let loop = Unmanaged<PollingLoop>.fromOpaque(context).takeUnretainedValue()
    return loop.hasRoom(for: address.flatMap { NetworkAddress($0) }) ? .YES : .NO
}

/// Handles a connection that was opened or is about to be closed.
func connectionChanged(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
    guard let context, let handle, let slot else { return }
    let loop = Unmanaged<PollingLoop>.fromOpaque(context).takeUnretainedValue()
    if code == .CONNECTION_NOTIFY_STARTED {
        let connection = loop.open(
            socket: connectionSocket(handle),
            address: connectionAddress(handle).flatMap { NetworkAddress($0) })
        // Released when this connection is closed.
        slot.pointee = Unmanaged.passRetained(connection).toOpaque()
    } else if let opaque = slot.pointee {
        slot.pointee = nil
        loop.close(Unmanaged<ServerConnection>.fromOpaque(opaque).takeRetainedValue())
    }
}

/// Handles a request line. libmicrohttpd passes the returned exchange to each later call for this
/// request. The target is decoded here, because libmicrohttpd later cuts it up in place.
func targetArrived(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context, let target, let handle, let opaque = connectionContext(handle) else {
        return nil
    }
    let bytes = UnsafeRawBufferPointer(start: target, count: strlen(target))
    let exchange = Exchange(
        loop: Unmanaged<PollingLoop>.fromOpaque(context).takeUnretainedValue(),
        connection: Unmanaged<ServerConnection>.fromOpaque(opaque).takeUnretainedValue(),
        handle: handle,
        target: bytes.withMemoryRebound(to: UInt8.self) { raw in
            Result { () throws(Problem) in try RequestTarget(raw) }
        })
    exchange.refuseLongTarget()
    // Released in `requestCompleted`, which is called for every request that came this far.
    return Unmanaged.passRetained(exchange).toOpaque()
}

/// Handles the head, a piece of the body, its end, or a resumed connection.
func requestArrived(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
    _ data: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let method, let size, let opaque = slot?.pointee else { return .NO }
    return Unmanaged<Exchange>.fromOpaque(opaque)._withUnsafeGuaranteedRef {
        $0.proceed(method: method, version: version, data: data, size: size)
    }
}

/// Handles the end of a request: it was answered, or its connection broke.
func requestCompleted(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let slot, let opaque = slot.pointee else { return }
    slot.pointee = nil
    Unmanaged<Exchange>.fromOpaque(opaque).takeRetainedValue().finish()
}

/// Leaves the text undecoded. `RequestTarget` decodes it and, unlike C strings, can refuse NUL.
func leaveEscaped(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
    _ text: UnsafeMutablePointer<CChar>?
) -> Int {
    text.map { strlen($0) } ?? 0
}
