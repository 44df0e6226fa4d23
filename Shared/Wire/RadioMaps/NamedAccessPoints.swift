public import Events
internal import JSON

/// A page of `GET /v1/sites/{site}/access-points`, as far as it names networks.
public struct NamedAccessPoints: Sendable {
    public var points: [(address: HardwareAddress, network: String)] = []
    /// The cursor of the next page.
    public var next: String?

    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an object is expected")
            }
            var page = Self()
            page.next = object["next"]?.string
            for point in object["accessPoints"]?.array.map(Array.init) ?? [] {
                guard let id = point.object?["id"]?.string,
                    let name = point.object?["name"]?.string, id.hasPrefix("wifi/"),
                    let address = HardwareAddress(String(id.dropFirst(5)))
                else { continue }
                page.points.append((address, name))
            }
            return page
        }
    }

    private init() {}
}
