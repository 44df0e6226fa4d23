public import Events
public import Site

/// Decides which readings of a scan or survey may be stored.
///
/// A network whose owner asked for it (`_nomap`, `_optout`) is dropped at every site. Where a
/// site's rules name its own networks or addresses, all others are dropped as well: a hotspot in a
/// visitor's pocket is personal data. So are Bluetooth senders that are neither the site's beacons
/// nor in its rules; without rules their addresses are replaced by a keyed hash.
public struct ReadingScreen: Sendable {
    /// The readings that were left out, by the reason.
    public struct Dropped: Hashable, Sendable {
        /// Networks whose names end with `_nomap` or `_optout`.
        public var optedOut = 0
        /// Networks and Bluetooth senders that the rules do not name.
        public var unnamed = 0
        /// Bluetooth addresses for which there was no key.
        public var withoutKey = 0

        public init() {}
        public var isEmpty: Bool { optedOut == 0 && unnamed == 0 && withoutKey == 0 }
    }

    /// Suffixes of network names by which owners ask not to be located: `_nomap` of Google's
    /// location services, and `_optout` of Microsoft's.
    private static let optOuts = ["_nomap", "_optout"].map { Array($0.utf8) }

    /// Nil where no rules name what is the site's own.
    private let rules: AccessPointRules?
    /// Whether the rules name networks, beside addresses.
    public let namesNetworks: Bool
    /// The addresses of beacons and access points whose places the site states.
    private let placed: Set<HardwareAddress>
    /// The proximity UUIDs of the site's beacons. Major and minor are the site's own affair.
    private let beacons: Set<EventID>
    /// The ids of scanners and beacons whose places the site states.
    private let fixed: Set<String>
    private let scanners: Set<ScannerID>
    private let beaconByAddress: [HardwareAddress: BeaconID]

    public init(_ document: SiteDocument) {
        rules = document.accessPoints.allow.isEmpty ? nil : document.accessPoints
        namesNetworks = document.accessPoints.allow.contains {
            if case .network = $0 { true } else { false }
        }
        placed = Set(document.beacons.compactMap(\.address))
            .union(document.accessPointPlaces.map(\.address))
        beacons = Set(document.beacons.compactMap(\.uuid))
        scanners = Set(document.scanners.map(\.id))
        fixed = Set(scanners.map(\.text)).union(document.beacons.map(\.id.text))
        beaconByAddress = Dictionary(
            document.beacons.compactMap { beacon in beacon.address.map { ($0, beacon.id) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The id of the site's own scanner or beacon that nodes heard, by its id or its address; nil
    /// for any other device. They hang on walls, so nobody's privacy is at stake, and nodes are
    /// calibrated by them.
    public func fixedSender(_ device: DeviceID) -> DeviceID? {
        if fixed.contains(device.text) { return device }
        return HardwareAddress(device).flatMap { beaconByAddress[$0] }.map { DeviceID($0.text) }
    }

    /// Whether the site states the place of this scanner.
    public func isPlaced(_ scanner: ScannerID) -> Bool { scanners.contains(scanner) }

    /// The screen of a site of which nothing is known.
    public static let withoutRules = ReadingScreen(
        SiteDocument(name: "", originLatitude: 0, originLongitude: 0, bearingDegrees: 0))

    /// Whether the site's rules name its own networks or addresses.
    public var hasRules: Bool { rules != nil }

    /// Whether the rules name this network as the site's own.
    public func names(_ network: String) -> Bool {
        rules?.allow.contains(.network(network)) == true
            && rules?.deny.contains(.network(network)) == false
    }

    /// Leaves out the readings that may not be stored.
    ///
    /// - Parameters:
    ///   - isKnown: whether the access point was heard with a network name that the rules name.
    ///     Some telephones leave the name out.
    ///   - learn: takes the address of an access point that was heard with such a name.
    ///   - isOptedOut: whether the access point was heard with a name that opts out, for readings
    ///     without a name.
    ///   - optOut: takes the address of an access point that was heard with such a name. It never
    ///     gets one of the site's own: a sender may invent names.
    ///   - pseudonym: the keyed hash of a Bluetooth address; nil where there is no key.
    public func screen(
        _ content: inout ScanContent, isKnown: (HardwareAddress) -> Bool,
        learn: (HardwareAddress) -> Void, isOptedOut: (HardwareAddress) -> Bool,
        optOut: (HardwareAddress) -> Void, pseudonym: (HardwareAddress) -> HardwareAddress?
    ) -> Dropped {
        var dropped = Dropped()
        if content.wifi.contains(where: { refusal(of: $0, isKnown, isOptedOut) != nil }) {
            for reading in content.wifi where reading.ssid.map(Self.isOptedOut) == true {
                if !isOwn(reading.bssid, isKnown) { optOut(reading.bssid) }
            }
            content.wifi.removeAll { reading in
                guard let reason = refusal(of: reading, isKnown, isOptedOut) else { return false }
                dropped[keyPath: reason] += 1
                return true
            }
        }
        if namesNetworks {
            for reading in content.wifi where !reading.isNameless { learn(reading.bssid) }
        }
        if hasRules || content.ble.contains(where: { $0.address != nil }) {
            screen(&content.ble, pseudonym, &dropped)
        }
        return dropped
    }

    private func refusal(
        of reading: WiFiReading, _ isKnown: (HardwareAddress) -> Bool,
        _ isOptedOut: (HardwareAddress) -> Bool
    ) -> WritableKeyPath<Dropped, Int>? {
        if let ssid = reading.ssid, Self.isOptedOut(ssid) { return \.optedOut }
        if reading.isNameless, isOwn(reading.bssid, isKnown) { return nil }
        if reading.isNameless, isOptedOut(reading.bssid) { return \.optedOut }
        guard let rules, !placed.contains(reading.bssid) else { return nil }
        let isAllowed = rules.allows(reading.bssid, networks: reading.ssid.map { [$0] } ?? [])
        return isAllowed ? nil : \.unnamed
    }

    /// Whether the access point is the site's own. Then it has a place, a rule names its address,
    /// or it was heard with a name of the site.
    private func isOwn(
        _ address: HardwareAddress, _ isKnown: (HardwareAddress) -> Bool
    ) -> Bool {
        if isNamed(address) { return true }
        return namesNetworks && rules?.denies(address) == false && isKnown(address)
    }

    /// Whether the owner of the network asked not to be located.
    static func isOptedOut(_ network: String) -> Bool {
        let name = network.utf8
        return optOuts.contains {
            name.count >= $0.count && name.suffix($0.count).elementsEqual($0)
        }
    }

    private func screen(
        _ readings: inout [BluetoothReading],
        _ pseudonym: (HardwareAddress) -> HardwareAddress?, _ dropped: inout Dropped
    ) {
        var kept: [BluetoothReading] = []
        kept.reserveCapacity(readings.count)
        for var reading in readings {
            let isNamed = reading.address.map(isNamed) ?? false
            if hasRules {
                let isBeacon = reading.uuid.map(beacons.contains) ?? false
                guard isNamed || isBeacon else {
                    dropped.unnamed += 1
                    continue
                }
                if !isNamed { reading.address = nil }
            } else if let address = reading.address, !isNamed {
                reading.address = pseudonym(address)
                guard reading.address != nil || reading.uuid != nil else {
                    dropped.withoutKey += 1
                    continue
                }
            }
            kept.append(reading)
        }
        readings = kept
    }

    /// Whether the site itself states the address.
    private func isNamed(_ address: HardwareAddress) -> Bool {
        placed.contains(address) || rules?.names(address) == true
    }
}

extension WiFiReading {
    /// Whether the reading has no network name. Some telephones write an empty one for a hidden
    /// network.
    fileprivate var isNameless: Bool { ssid?.isEmpty ?? true }
}

extension AccessPointRules {
    /// Whether a rule that allows names this address or its first bytes.
    func names(_ address: HardwareAddress) -> Bool {
        allow.contains { $0.fits(address) } && !denies(address)
    }

    /// Whether a rule that denies names this address or its first bytes.
    func denies(_ address: HardwareAddress) -> Bool { deny.contains { $0.fits(address) } }
}
