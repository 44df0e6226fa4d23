public import Events
public import Geometry

/// The place of an access point, as people stated it.
public struct AccessPointPlace: Hashable, Sendable {
    public var address: HardwareAddress
    public var floor: FloorID
    /// Metres in the site's frame.
    public var point: Point

    public init(address: HardwareAddress, floor: FloorID, point: Point) {
        self.address = address
        self.floor = floor
        self.point = point
    }
}

extension AccessPointPlace: SiteRecord {
    public static let kind = RecordKind(
        "access-point", "places of access points", list: "accessPointPlaces",
        nested: ("accessPoints", "places"), key: .address, shape: .point, most: 100_000,
        isOnMap: false)
    public static var records: WritableKeyPath<SiteDocument, [Self]> {
        \.accessPointPlaces
    }
    public static let fields: [RecordField<Self>] = [
        RecordField("floor", \.floor, with: "place"),
        RecordField("x", \.point.x, with: "place"), RecordField("y", \.point.y, with: "place"),
    ]

    public var idText: String { Self.text(of: address) }
    public var references: [SiteThing] { [.floor(floor)] }

    public func check(_ validation: inout SiteValidation) {
        validation.checkFloor(floor)
        validation.checkPoint(point)
    }
}

extension AccessPointPlace {
    /// An address such as `00:62:ec:fd:ec:50`. `Wire` writes those of scans by a faster function,
    /// since they are many.
    public static func text(of address: HardwareAddress) -> String {
        stride(from: 40, through: 0, by: -8).map { shift in
            let byte = String(address.value >> UInt64(shift) & 0xff, radix: 16)
            return byte.count < 2 ? "0" + byte : byte
        }.joined(separator: ":")
    }

    /// Six bytes in hex with `:` or `-` between them; nil for anything else.
    public static func address(_ text: String) -> HardwareAddress? {
        let separator: Character = text.contains("-") ? "-" : ":"
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let bytes = parts.compactMap { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
        guard parts.count == 6, bytes.count == 6, !text.contains("+") else { return nil }
        return HardwareAddress(value: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }
}
