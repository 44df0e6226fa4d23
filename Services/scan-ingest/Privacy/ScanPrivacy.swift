import Cryptography
import Events
import HTTP
import Privacy
import ServiceHost
import ServiceRuntime
import Site
import Synchronization
import Wire

/// Takes personal data of people who are not enrolled out of scans and surveys, before anything is
/// appended to the log.
///
/// A device that only others heard gets a pseudonym, and so do addresses of Bluetooth senders.
/// Networks that are not the site's are left out (`ReadingScreen`).
final class ScanPrivacy: Sendable {
    let directory: PrivacyDirectory
    private let tokens: TokenDirectory
    private let clock: EventClock
    private let networks = KnownNetworks()
    /// Access points whose owners asked not to be located.
    private let withdrawn = KnownNetworks()
    private let screens = Mutex<[SiteID: (version: Int, screen: ReadingScreen)]>([:])
    private let asked = Mutex<Set<SiteID>>([])
    private let optedOut: Counter
    private let unnamed: Counter
    private let withoutKey: Counter

    init(
        directory: PrivacyDirectory, tokens: TokenDirectory, clock: EventClock,
        metrics: MetricsRegistry
    ) {
        self.directory = directory
        self.tokens = tokens
        self.clock = clock
        let dropped = { (reason: String) in
            metrics.counter(
                "whereabouts_readings_dropped_total",
                help: "Readings that were left out of scans and surveys for privacy.",
                labels: ["reason": reason])
        }
        optedOut = dropped("opted-out")
        unnamed = dropped("not-named")
        withoutKey = dropped("no-key")
    }

    /// Whether to ask for rules of the site: once for each site without them.
    func asksForRules(_ site: SiteID, _ published: PublishedSite) -> Bool {
        guard !screen(of: site, published).hasRules else { return false }
        return asked.withLock { $0.insert(site).inserted }
    }

    /// Whether the site's rules name networks, so that readings without names need `learn`.
    func namesNetworks(_ site: SiteID, _ published: PublishedSite) -> Bool {
        screen(of: site, published).namesNetworks
    }

    /// Adds those of these access points whose networks the site's rules name.
    func learn(
        _ points: [(address: HardwareAddress, network: String)], at site: SiteID,
        _ published: PublishedSite
    ) {
        let screen = screen(of: site, published)
        networks.learn(
            points.filter { screen.names($0.network) }.map(\.address), at: site, now: clock.now)
    }

    /// The scan as it may be stored.
    ///
    /// - Parameter published: nil for a site that is not known.
    func stored(
        _ scan: ScanRecorded, at published: PublishedSite?
    ) throws(Problem) -> ScanRecorded {
        var scan = scan
        if !scan.heardBy.isEmpty {
            if let fixed = screen(of: scan.site, published).fixedSender(scan.device) {
                scan.device = fixed
            } else {
                try rename(&scan)
            }
        }
        let (site, now) = (scan.site, clock.now)
        var key: DayKey??
        var learned: [HardwareAddress] = []
        let time = scan.timeOfKey
        let dropped = screen(of: site, published).screen(
            &scan.content,
            isKnown: { networks.contains($0, at: site, now: now) },
            learn: { if networks.isDue($0, at: site, now: now) { learned.append($0) } },
            isOptedOut: { withdrawn.contains($0, at: site, now: now) },
            optOut: { address in
                // Nobody takes scans of a site that is not known, and anybody can make up its id.
                guard published != nil, withdrawn.isDue(address, at: site, now: now) else { return }
                withdrawn.learn([address], at: site, now: now)
            },
            pseudonym: { address in
                if key == nil {
                    key = .some(try? directory.key(of: site, at: time, now: now))
                }
                return key.flatMap(\.self).map { Self.pseudonym(of: address, $0) }
            })
        if !learned.isEmpty { networks.learn(learned, at: site, now: now) }
        if !dropped.isEmpty {
            optedOut.increment(by: dropped.optedOut)
            unnamed.increment(by: dropped.unnamed)
            withoutKey.increment(by: dropped.withoutKey)
        }
        return scan
    }

    /// The submission as a dead letter may hold it; nil where a device that others heard can get no
    /// pseudonym.
    ///
    /// - Parameter site: the site of the scan, or of its sender; nil where neither is known.
    func letter(
        _ submission: ScanSubmission, site: SiteID?, sites: SiteDirectory
    ) -> ScanSubmission? {
        let none = EventID(high: 0, low: 0)
        let scan = submission.recorded(
            id: submission.id ?? none, site: site ?? SiteID(""),
            device: submission.device ?? DeviceID(""))
        guard let stored = try? stored(scan, at: site.flatMap { sites[whole: $0] }) else {
            return nil
        }
        var letter = submission
        letter.content = stored.content
        if letter.device != nil { letter.device = stored.device }
        if letter.scanner != nil { letter.scanner = stored.scanner }
        return letter
    }

    /// Gives the device that only others heard its pseudonym, unless it is enrolled.
    private func rename(_ scan: inout ScanRecorded) throws(Problem) {
        let given = scan.device
        let address = HardwareAddress(given)
        scan.device = try device(given, address, at: scan.site, heardAt: scan.timeOfKey)
        // A scan that names no scanner has the device's id there.
        let scanner = DeviceID(scan.scanner.text)
        if scanner == given || address != nil && HardwareAddress(scanner) == address {
            scan.scanner = ScannerID(scan.device.text)
        }
    }

    /// The id under which a device may be stored that a node heard. It is its own where it is
    /// enrolled or hangs on a wall of the site, else a pseudonym.
    ///
    /// - Parameters:
    ///   - name: any text.
    ///   - moment: when it was heard.
    ///   - published: nil for a site that is not known.
    func device(
        named name: String, isAddress: Bool, at site: SiteID, _ published: PublishedSite?,
        heardAt moment: Timestamp
    ) throws(Problem) -> DeviceID {
        let address = isAddress ? HardwareAddress(name) : HardwareAddress(DeviceID(name))
        // An id has no colons.
        let given = isAddress ? String(name.map { $0 == ":" ? "-" : $0 }) : name
        if let fixed = screen(of: site, published).fixedSender(DeviceID(given)) { return fixed }
        return try device(DeviceID(given), address, at: site, heardAt: moment)
    }

    private func device(
        _ given: DeviceID, _ address: HardwareAddress?, at site: SiteID, heardAt moment: Timestamp
    ) throws(Problem) -> DeviceID {
        if directory.isEnrolled(given, at: site) || tokens.hasToken(device: given, site: site)
            || Pseudonym(given) != nil
        {
            return given
        }
        if let address, let own = directory.device(of: address, at: site, now: clock.now) {
            return own
        }
        let key = try key(of: site, at: moment)
        // Two scanners may write one address differently.
        let name = address.map { Self.bytes(of: $0) } ?? Array(given.text.utf8)
        return Pseudonym(
            ends: key.ends,
            hash: keyedHash(
                Array("device\n".utf8) + name, key: key.secret, byteCount: Pseudonym.hashBytes)
        ).device
    }

    /// The pseudonym of somebody who says where they are, such as a visitor's session. It changes
    /// at the end of the site's day, as those of strangers' devices do.
    ///
    /// - Parameter caller: the id of the session, the account or the token.
    func teller(_ caller: String, at site: SiteID) throws(Problem) -> DeviceID {
        let key = try key(of: site, at: clock.now)
        return Pseudonym(
            ends: key.ends,
            hash: keyedHash(
                Array("teller\n".utf8) + Array(caller.utf8), key: key.secret,
                byteCount: Pseudonym.hashBytes)
        ).device
    }

    /// Whether the site states the place of this scanner.
    func isPlaced(
        _ scanner: ScannerID, at site: SiteID, _ published: PublishedSite
    ) -> Bool { screen(of: site, published).isPlaced(scanner) }

    private func key(of site: SiteID, at moment: Timestamp) throws(Problem) -> DayKey {
        do throws(DayKeys.Missing) {
            return try directory.key(of: site, at: moment, now: clock.now)
        } catch {
            switch error {
            case .notYet:
                throw Problem(
                    .dayKeyMissing,
                    "The key for devices that others hear has not come from site-editor yet.",
                    retryAfterSeconds: 5)
            case .forgotten:
                throw Problem(
                    .heardTooLongAgo,
                    "The device is not enrolled, and the key of that day was deleted.")
            case .ahead:
                throw Problem(
                    .timeOutOfRange, "The scan's time is over a day ahead of the server's clock.")
            }
        }
    }

    private static func pseudonym(of address: HardwareAddress, _ key: DayKey) -> HardwareAddress {
        let hash = keyedHash(
            Array("address\n".utf8) + bytes(of: address), key: key.secret, byteCount: 16)
        let value = hash.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // No random Bluetooth address begins with the bits 10 (Core Specification 5.4, volume 6,
        // part B, 1.3.2). So people can tell a hash from an address.
        return HardwareAddress(value: value & 0x3FFF_FFFF_FFFF | 0x8000_0000_0000)
    }

    private static func bytes(of address: HardwareAddress) -> [UInt8] {
        stride(from: 40, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: address.value >> UInt64($0))
        }
    }

    private func screen(of site: SiteID, _ published: PublishedSite?) -> ReadingScreen {
        guard let published else { return .withoutRules }
        return screens.withLock { screens in
            if let known = screens[site], known.version == published.version {
                return known.screen
            }
            let screen = ReadingScreen(published.index.document)
            screens[site] = (published.version, screen)
            return screen
        }
    }
}
