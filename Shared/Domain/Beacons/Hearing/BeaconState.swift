import Events

/// The memory of the beacon positioner about one device, and its form as bytes. It has the last
/// distances of each beacon, the proximity of each, and the groups that the device is in.
///
/// Only the newest `BeaconLimits.storedBeacons` are kept. Values that are due to be forgotten are
/// left out.
struct BeaconState: Sendable {
    private static let version: UInt8 = 2

    private enum Smoother: Sendable {
        case off
        case window(SlidingWindow)
        case kalman(KalmanSmoother)
    }

    private var smoother: Smoother
    var proximity: ProximityDecision
    var presence: BeaconPresence

    init(map: BeaconMap, _ settings: BeaconsPositioner.Settings) {
        smoother =
            switch settings.smoothing {
            case .off: .off
            case .window: .window(SlidingWindow(readings: settings.windowReadings))
            case .kalman: .kalman(KalmanSmoother(pathLoss: map.pathLoss))
            }
        proximity = ProximityDecision(map: map)
        presence = BeaconPresence(map: map, leaveAfter: .seconds(settings.leaveSeconds))
    }

    mutating func smooth(_ beacon: RangedBeacon) -> RangedBeacon {
        switch smoother {
        case .off: return beacon
        case .window(var window):
            let smooth = window.transform(beacon)
            smoother = .window(window)
            return smooth
        case .kalman(var kalman):
            let smooth = kalman.transform(beacon)
            smoother = .kalman(kalman)
            return smooth
        }
    }

    // MARK: Bytes

    /// The state as bytes; empty when it holds nothing.
    func bytes(documentHash: UInt64, now: Timestamp) -> [UInt8] {
        var bytes: [UInt8] = [Self.version]
        append(documentHash, 8, to: &bytes)
        let empty = bytes.count + 7
        let numbers = presence.map.numberByUUID
        switch smoother {
        case .off:
            append(0, 1, to: &bytes)
            append(0, 2, to: &bytes)
        case .window(let window):
            append(1, 1, to: &bytes)
            append(newest(window.memory, now), numbers, to: &bytes) { distances, bytes in
                append(UInt64(distances.count), 1, to: &bytes)
                for distance in distances { append(distance.bitPattern, 8, to: &bytes) }
            }
        case .kalman(let kalman):
            append(2, 1, to: &bytes)
            append(newest(kalman.memory, now), numbers, to: &bytes) { filter, bytes in
                append(filter.mean.bitPattern, 8, to: &bytes)
                append(filter.variance.bitPattern, 8, to: &bytes)
            }
        }
        let decided = proximity.memory.newest(BeaconLimits.storedBeacons, now: now) { $0 < $1 }
        append(UInt64(decided.count), 2, to: &bytes)
        for entry in decided {
            append(UInt64(entry.key.value), 2, to: &bytes)
            append(time(entry.heard), 8, to: &bytes)
            append(UInt64(Self.proximities.firstIndex(of: entry.value) ?? 0), 1, to: &bytes)
        }
        let groups = presence.lastHeard.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .prefix(BeaconLimits.storedBeacons)
        append(UInt64(groups.count), 2, to: &bytes)
        for (group, heard) in groups {
            append(UInt64(group.value), 2, to: &bytes)
            append(time(heard), 8, to: &bytes)
        }
        return bytes.count == empty ? [] : bytes
    }

    /// Reads the bytes; nil if they are of another version, document or smoothing, or damaged.
    init?(
        _ bytes: [UInt8], map: BeaconMap, documentHash: UInt64,
        _ settings: BeaconsPositioner.Settings
    ) {
        self.init(map: map, settings)
        var reader = Reader(bytes: bytes[...])
        guard reader.word(1) == UInt64(Self.version), reader.word(8) == documentHash,
            let kind = reader.word(1), readSmoother(kind, map.uuids, &reader),
            readProximity(map, &reader), readPresence(map, &reader), reader.bytes.isEmpty
        else { return nil }
    }

    private mutating func readSmoother(
        _ kind: UInt64, _ uuids: [EventID], _ reader: inout Reader
    ) -> Bool {
        guard let count = reader.word(2) else { return false }
        switch (kind, smoother) {
        case (0, .off): return count == 0
        case (1, .window(var window)):
            for _ in 0..<count {
                guard let (identity, heard) = reader.beacon(uuids), let readings = reader.word(1),
                    (1...UInt64(window.readings)).contains(readings)
                else { return false }
                var distances: [Double] = []
                for _ in 0..<readings {
                    guard let distance = reader.number() else { return false }
                    distances.append(distance)
                }
                window.memory.keep(distances, of: identity, at: heard)
            }
            smoother = .window(window)
            return true
        case (2, .kalman(var kalman)):
            for _ in 0..<count {
                guard let (identity, heard) = reader.beacon(uuids), let mean = reader.number(),
                    let variance = reader.number(), variance > 0
                else { return false }
                kalman.memory.keep(
                    ScalarKalmanFilter(mean: mean, variance: variance), of: identity, at: heard)
            }
            smoother = .kalman(kalman)
            return true
        default: return false
        }
    }

    private mutating func readProximity(_ map: BeaconMap, _ reader: inout Reader) -> Bool {
        guard let count = reader.word(2) else { return false }
        for _ in 0..<count {
            guard let index = reader.word(2).map({ Int($0) }), map.beacons.indices.contains(index),
                let heard = reader.time(), let decided = reader.word(1).map({ Int($0) }),
                Self.proximities.indices.contains(decided)
            else { return false }
            proximity.memory.keep(Self.proximities[decided], of: BeaconIndex(index), at: heard)
        }
        return true
    }

    private mutating func readPresence(_ map: BeaconMap, _ reader: inout Reader) -> Bool {
        guard let count = reader.word(2) else { return false }
        for _ in 0..<count {
            guard let index = reader.word(2).map({ Int($0) }), map.groups.indices.contains(index),
                let heard = reader.time()
            else { return false }
            presence.lastHeard[BeaconGroupIndex(index)] = heard
        }
        return true
    }

    private static let proximities: [Proximity] = [.near, .around, .far]

    private func newest<Value>(
        _ memory: BeaconMemory<BeaconIdentity, Value>, _ now: Timestamp
    ) -> [(key: BeaconIdentity, heard: Timestamp, value: Value)] {
        memory.newest(BeaconLimits.storedBeacons, now: now) {
            ($0.uuid, $0.major, $0.minor) < ($1.uuid, $1.major, $1.minor)
        }
    }

    private func append<Value>(
        _ entries: [(key: BeaconIdentity, heard: Timestamp, value: Value)],
        _ numbers: [EventID: Int], to bytes: inout [UInt8],
        _ write: (Value, inout [UInt8]) -> Void
    ) {
        append(UInt64(entries.count), 2, to: &bytes)
        for entry in entries {
            append(UInt64(numbers[entry.key.uuid] ?? 0), 2, to: &bytes)
            append(UInt64(entry.key.major), 2, to: &bytes)
            append(UInt64(entry.key.minor), 2, to: &bytes)
            append(time(entry.heard), 8, to: &bytes)
            write(entry.value, &bytes)
        }
    }

    private func append(_ word: UInt64, _ count: Int, to bytes: inout [UInt8]) {
        for shift in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift)))
        }
    }

    private func time(_ time: Timestamp) -> UInt64 { UInt64(bitPattern: time.microseconds) }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func word(_ count: Int) -> UInt64? {
            guard bytes.count >= count else { return nil }
            var word: UInt64 = 0
            for shift in 0..<count { word |= UInt64(bytes.removeFirst()) << UInt64(8 * shift) }
            return word
        }

        mutating func time() -> Timestamp? {
            word(8).map { Timestamp(microseconds: Int64(bitPattern: $0)) }
        }

        mutating func number() -> Double? {
            word(8).map { Double(bitPattern: $0) }.flatMap { $0.isFinite ? $0 : nil }
        }

        mutating func beacon(_ uuids: [EventID]) -> (BeaconIdentity, Timestamp)? {
            guard let number = word(2).map({ Int($0) }), uuids.indices.contains(number),
                let major = word(2), let minor = word(2), let heard = time()
            else { return nil }
            return (
                BeaconIdentity(uuid: uuids[number], major: UInt16(major), minor: UInt16(minor)),
                heard
            )
        }
    }
}
