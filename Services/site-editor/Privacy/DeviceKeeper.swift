import ServiceHost

/// A service that keeps something of devices, and answers whether an erasure is done there.
struct DeviceKeeper: Sendable {
    let name: String
    /// The path of its answers, without the erasure's id.
    let path: String
    let service: Neighbour

    init(name: String, path: String, service: Neighbour) {
        self.name = name
        self.path = path
        self.service = service
    }

    init(_ name: String, _ path: String, _ host: Host) {
        self.init(name: name, path: path, service: host.neighbour(name, asItself: true))
    }
}
