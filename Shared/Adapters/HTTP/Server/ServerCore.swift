/// The state that the polling loops of one server share.
final class ServerCore: Sendable {
    typealias ResponseHook =
        @Sendable (_ pattern: String, _ method: String, _ status: Int, _ seconds: Double) -> Void

    let configuration: HTTPServerConfiguration
    let handler: RequestHandler
    let addresses: AddressBook
    let bodies: BodyBudget
    let onUnexpected: @Sendable (String) -> Void
    let onResponse: ResponseHook

    init(
        configuration: HTTPServerConfiguration, handler: RequestHandler,
        onUnexpected: @escaping @Sendable (String) -> Void, onResponse: @escaping ResponseHook
    ) {
        self.configuration = configuration
        self.handler = handler
        self.onUnexpected = onUnexpected
        self.onResponse = onResponse
        addresses = AddressBook(
            maximumConnections: configuration.maximumConnectionsOfAddress,
            maximumUnfinished: configuration.maximumUnfinishedOfAddress)
        bodies = BodyBudget(
            maximum: configuration.maximumBodyBytesInFlight,
            maximumOfSender: configuration.maximumBodyBytesOfSender)
    }

    func isTrustedProxy(_ address: NetworkAddress) -> Bool {
        configuration.trustedProxies.contains { $0.contains(address) }
    }

    /// The client's address behind a trusted proxy: the last listed address that is no trusted
    /// proxy. Anybody may have written the addresses before it.
    func forwarded(by proxy: NetworkAddress, _ fields: HeaderFields) -> NetworkAddress {
        var nearest = proxy
        for text in fields.all("x-forwarded-for").flatMap({ $0.split(separator: ",") }).reversed() {
            guard let address = NetworkAddress(text) else { return nearest }
            nearest = address
            if !isTrustedProxy(address) { break }
        }
        return nearest
    }

    /// The time by which the next request line must come. The connection may be idle until then.
    func idleDeadlineNanoseconds(from now: Int64) -> Int64 {
        requestDeadlineNanoseconds(from: now)
            + Int64(configuration.idleTimeoutSeconds) * 1_000_000_000
    }

    func requestDeadlineNanoseconds(from now: Int64) -> Int64 {
        now + Int64(configuration.requestTimeoutSeconds) * 1_000_000_000
    }
}
